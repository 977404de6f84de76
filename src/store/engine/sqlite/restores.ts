import type BetterSqlite3 from 'better-sqlite3';
import { hasTable } from './holds.js';

/** When the copy was made, and when it became the database; `restored_at` is null until its first start. */
export type Restore = { backed_up_at: string; restored_at: string | null };

/**
 * A table that only a backup has, by which the first start on one recognizes it. It is not one of the migrations, since a
 * database that is older than this release can be backed up, too.
 */
const MARK = 'backup_mark';

/** Marks a copy as a backup; the copy of a backup that was never started keeps that backup's time. */
export function markBackup(copy: BetterSqlite3.Database, now: Date): void {
  if (findMark(copy)) return;
  copy.exec(`CREATE TABLE ${MARK} (backed_up_at TEXT NOT NULL) STRICT`);
  copy.prepare<[string]>(`INSERT INTO ${MARK} VALUES (?)`).run(now.toISOString());
}

/**
 * Turns a marked copy into the database, once; call it inside a write transaction, after the migrations. Its current content
 * is the content of the backup; the number of the last listing records which listings those are, since no clock can tell.
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

/**
 * The last restore, or the one that the next start makes. Only reads, so it also works on a database that is older than this
 * release.
 */
export function findLastRestore(sqlite: BetterSqlite3.Database): Restore | undefined {
  const mark = findMark(sqlite);
  if (mark) return { ...mark, restored_at: null };
  if (!hasTable(sqlite, 'restores')) return undefined;
  return sqlite
    .prepare<[], Restore>('SELECT backed_up_at, restored_at FROM restores ORDER BY restore_id DESC LIMIT 1')
    .get();
}

/** The backup mark, which exists until the first start on it; undefined if the database is not a backup. */
export function findMark(sqlite: BetterSqlite3.Database): { backed_up_at: string } | undefined {
  if (!hasTable(sqlite, MARK)) return undefined;
  return sqlite.prepare<[], { backed_up_at: string }>(`SELECT backed_up_at FROM ${MARK}`).get();
}
