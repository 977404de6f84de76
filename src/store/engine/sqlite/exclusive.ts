import type BetterSqlite3 from 'better-sqlite3';
import { StoreError } from '../../store_error.js';
import { isLocked, retryWhileLocked } from './locking.js';
import { openSqlite } from './sqlite.js';

/**
 * Repeats an attempt that needs exclusive access to the file until no other process is connected to it. Rejects with
 * StoreError after about `BUSY_TIMEOUT_MS`.
 *
 * @param refusal the message of that error
 */
export async function retryUntilExclusive<T>(refusal: string, attempt: () => T | Promise<T>): Promise<T> {
  try {
    return await retryWhileLocked(attempt);
  } catch (cause) {
    throw isLocked(cause) ? new StoreError(refusal, { cause }) : cause;
  }
}

/**
 * Opens an existing file in exclusive mode: until it is closed no other process can even connect. Throws the lock's own error
 * while another process is connected, even one of an earlier release, and even an idle one.
 */
export function openExclusively(file: string): BetterSqlite3.Database {
  const sqlite = openSqlite(file, { fileMustExist: true, timeout: 0 });
  try {
    sqlite.pragma('locking_mode = EXCLUSIVE');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    // In this mode the lock stays after the transaction.
    sqlite.exec('BEGIN EXCLUSIVE; COMMIT');
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}
