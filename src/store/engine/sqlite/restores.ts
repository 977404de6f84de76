import type BetterSqlite3 from 'better-sqlite3';
import { hasTable } from './holds.js';

/** When the copy was made, and since when it is the database; `restored_at` is null until it is first started. */
export type Restore = { backed_up_at: string; restored_at: string | null };

/**
 * A table that only a backup has, so that the first start on one knows that it is. Not one of the migrations: a database that is
 * older than this release is backed up too.
 */
const MARK = 'backup_mark';

/** Says of a copy that it is one; the copy of a backup that was never started is as old as that. */
export function markBackup(copy: BetterSqlite3.Database, now: Date): void {
  if (findMark(copy)) return;
  copy.exec(`CREATE TABLE ${MARK} (backed_up_at TEXT NOT NULL) STRICT`);
  copy.prepare<[string]>(`INSERT INTO ${MARK} VALUES (?)`).run(now.toISOString());
}

/**
 * Makes of a marked copy the database, once; call it inside a write transaction, after the migrations. What is in it now is what
 * was in the backup: which listings those are is kept by the last one's number, since no clock can tell it.
 */
export function takeRestore(sqlite: BetterSqlite3.Database, now: string): Restore | undefined {
  const mark = findMark(sqlite);
  if (!mark) return undefined;
  sqlite
    .prepare<[string, string]>(
      `INSERT INTO restores (backed_up_at, restored_at, last_listing_pk)
         SELECT ?, ?, coalesce(max(listing_pk), 0) FROM listings`,
    )
    .run(mark.backed_up_at, now);
  // Its processes ended with the database that it was copied from.
  sqlite.exec(`
    UPDATE jobs SET claimed_by = NULL, claimed_until = NULL, is_restored = 1 WHERE status = 'processing';
    DROP TABLE ${MARK};
  `);
  return { ...mark, restored_at: now };
}

/** The last one, or the one that the next start makes. Reads only, also of a database that is older than this release. */
export function findLastRestore(sqlite: BetterSqlite3.Database): Restore | undefined {
  const mark = findMark(sqlite);
  if (mark) return { ...mark, restored_at: null };
  if (!hasTable(sqlite, 'restores')) return undefined;
  return sqlite
    .prepare<[], Restore>('SELECT backed_up_at, restored_at FROM restores ORDER BY restore_id DESC LIMIT 1')
    .get();
}

/** What a backup says of itself until the first start on it; undefined where the database is none. */
export function findMark(sqlite: BetterSqlite3.Database): { backed_up_at: string } | undefined {
  if (!hasTable(sqlite, MARK)) return undefined;
  return sqlite.prepare<[], { backed_up_at: string }>(`SELECT backed_up_at FROM ${MARK}`).get();
}
