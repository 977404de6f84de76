import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { SERVICE_SCHEMA } from '../../migrations/sqlite/schema.js';
import { StoreError } from '../../store_error.js';
import { closeDirectory, closeFile, listStoreFiles } from './files.js';
import { findHold, liftHold, setHold } from './holds.js';
import { isDamage, listDamage } from './integrity.js';
import { checkVersion } from './migrate.js';
import { findMark } from './restores.js';
import { openSqlite } from './sqlite.js';

/** Throws StoreError unless the file is a sound backup that this release can use. Returns when it was made. */
export function checkBackup(file: string): { backed_up_at: string } {
  if (!existsSync(file)) throw new StoreError(`There is no backup: ${file} is missing.`);
  const sqlite = openSqlite(file, { readonly: true, fileMustExist: true });
  try {
    const damage = listDamage(sqlite);
    if (damage.length > 0)
      throw new StoreError(`${file} is damaged (${damage.join('; ')}). Take another backup.`);
    const mark = findMark(sqlite);
    if (!mark)
      throw new StoreError(
        `${file} is a database, not a backup. Restore a file that listing-service backup created.`,
      );
    checkVersion(sqlite, file, SERVICE_SCHEMA);
    return mark;
  } catch (error) {
    throw isDamage(error)
      ? new StoreError(`${file} is damaged (${error.message}). Take another backup.`)
      : error;
  } finally {
    sqlite.close();
  }
}

/** Whether a restore into the data directory was begun and did not finish. */
export function isBeingRestored(data_dir: string): boolean {
  const { service } = listStoreFiles(data_dir);
  if (!existsSync(service)) return false;
  const sqlite = openSqlite(service, { readonly: true, fileMustExist: true });
  try {
    return findHold(sqlite)?.reason === 'restoring';
  } finally {
    sqlite.close();
  }
}

/** Replaces the database with a backup; the service cannot start on it until `endRestore`. */
export function beginRestore(options: { backup: string; data_dir: string; now: Date }): void {
  const { service } = listStoreFiles(options.data_dir);
  closeDirectory(options.data_dir);
  const draft = `${service}${DRAFT}`;
  rmSync(draft, { force: true });
  copyFileSync(options.backup, draft);
  closeFile(draft);
  withDatabase(draft, (sqlite) => {
    setHold(sqlite, { reason: 'restoring', place: null, move_id: null, since: options.now.toISOString() });
  });
  renameSync(draft, service);
}

/** From now on the service can start on it. */
export function endRestore(data_dir: string): void {
  withDatabase(listStoreFiles(data_dir).service, liftHold);
}

/** The suffix of files that a crash may leave. */
export const DRAFT = '.restoring';

function withDatabase(file: string, work: (sqlite: BetterSqlite3.Database) => void): void {
  const sqlite = openSqlite(file, { fileMustExist: true });
  try {
    sqlite.pragma('synchronous = FULL');
    work(sqlite);
  } finally {
    sqlite.close();
  }
}
