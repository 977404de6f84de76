import { closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { checkHold } from '../holds.js';
import { listStoreFiles, writeNewFile } from './files.js';
import { findHold } from './holds.js';
import { listDamage } from './integrity.js';
import { BUSY_TIMEOUT_MS } from './locking.js';
import { markBackup } from './restores.js';
import { openSqlite } from './sqlite.js';
import { StoreError } from '../../store_error.js';
import { isSystemError } from './system_error.js';

/**
 * Copies the database, even while it is in use, into a new file (0600), marks the copy as one, so that a start on it knows,
 * and checks it. The secrets in it stay encrypted: keep the master key elsewhere, and without it the copy's tokens are worth
 * nothing. Rate counters are not part of it.
 * Throws StoreError if there is no database, if `file` exists, or if the copy is damaged; then no file is left.
 */
export async function backupDatabase(options: {
  data_dir: string;
  file: string;
  now: Date;
}): Promise<{ file: string; size_bytes: number }> {
  const { file } = options;
  const source = listStoreFiles(options.data_dir).service;
  const sqlite = openSource(source);
  try {
    // A copy of a database that was moved away would be outdated, and a second one to start on.
    checkHold(findHold(sqlite), source);
    createEmpty(file);
    try {
      // VACUUM INTO uses an empty file unchanged, with its mode; a file that it creates itself would follow the umask.
      sqlite.prepare<[string]>('VACUUM INTO ?').run(file);
      finishCopy(file, options.now);
      flush(file);
    } catch (error) {
      rmSync(file, { force: true });
      throw error;
    }
  } finally {
    sqlite.close();
  }
  return { file, size_bytes: statSync(file).size };
}

function openSource(file: string): BetterSqlite3.Database {
  try {
    return openSqlite(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  } catch (cause) {
    throw new StoreError(`There is no database at ${file}. Check DATA_DIR.`, { cause });
  }
}

function createEmpty(file: string): void {
  try {
    writeNewFile(file, '');
  } catch (cause) {
    const reason = isSystemError(cause, 'EEXIST')
      ? 'exists already. Name a new file'
      : 'cannot be written. Check the folder';
    throw new StoreError(`The backup file ${file} ${reason}.`, { cause });
  }
}

function finishCopy(file: string, now: Date): void {
  const copy = openSqlite(file, { fileMustExist: true });
  try {
    markBackup(copy, now);
    const damage = listDamage(copy);
    if (damage.length > 0) throw new StoreError(`The backup is not sound: ${damage.join('; ')}`);
  } finally {
    copy.close();
  }
}

/** VACUUM INTO itself does not wait for the disk. */
function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
