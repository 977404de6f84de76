import { makeFolder } from '../../../core/make_folder.js';
import { retry } from '../../../core/async/retry.js';
import { dirname } from 'node:path';
import { setTimeout as pauseReally } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import { isSqliteError } from '../../../sqlite.js';
import { closeDatabaseFile } from './files.js';
import { openSqlite } from './sqlite.js';

export const BUSY_TIMEOUT_MS = 5000;

const MAX_PAUSE_MS = 10;
const MAX_ATTEMPTS = BUSY_TIMEOUT_MS / MAX_PAUSE_MS;

/** Waits this many milliseconds. */
export type Pause = (duration_ms: number) => Promise<void>;

/** Retries an attempt that another connection may block. Rejects with the lock's own error after about `BUSY_TIMEOUT_MS`. */
export function retryWhileLocked<T>(attempt: () => T | Promise<T>, pause: Pause = pauseReally): Promise<T> {
  return retry(attempt, {
    attempts: MAX_ATTEMPTS,
    isWorthIt: isLocked,
    // Real time and not the clock port: the other process does not use our clock. SQLite's own busy timeout does the same.
    pause: (attempts) => pause(Math.min(attempts, MAX_PAUSE_MS)),
  });
}

/**
 * Runs work in one write transaction; an error rolls it back. It begins IMMEDIATE, since a deferred transaction that reads
 * first and writes later fails as soon as another process wrote in between.
 *
 * @param sqlite opened with no busy timeout: SQLite's own waiting would block the event loop, and if a transaction of this
 * very process holds the lock (a second store on the same directory), that transaction could never end
 */
export async function runExclusive<T>(
  sqlite: BetterSqlite3.Database,
  work: () => T | Promise<T>,
  pause?: Pause,
): Promise<T> {
  await retryWhileLocked(() => sqlite.prepare('BEGIN IMMEDIATE').run(), pause);
  return runToEnd(sqlite, work);
}

/** Runs work in one transaction that reads one moment, and blocks no writer. */
export async function runDeferred<T>(sqlite: BetterSqlite3.Database, work: () => T | Promise<T>): Promise<T> {
  sqlite.prepare('BEGIN').run();
  return runToEnd(sqlite, work);
}

async function runToEnd<T>(sqlite: BetterSqlite3.Database, work: () => T | Promise<T>): Promise<T> {
  try {
    const result = await work();
    sqlite.prepare('COMMIT').run();
    return result;
  } catch (error) {
    rollback(sqlite);
    throw error;
  }
}

/**
 * Runs work while no other process runs any under the lock of this file, which stays empty. Creates the file if it is
 * missing, with its directory, and leaves it. Rejects with the lock's own error after about `BUSY_TIMEOUT_MS`.
 */
export async function runLocked<T>(file: string, work: () => Promise<T>): Promise<T> {
  makeFolder(dirname(file));
  closeDatabaseFile(file);
  const lock = openSqlite(file, { timeout: 0 });
  try {
    await retryWhileLocked(() => lock.prepare('BEGIN IMMEDIATE').run());
    const result = await work();
    // The first commit writes the file's header, which it cannot while another process asks for the lock.
    await retryWhileLocked(() => lock.prepare('COMMIT').run());
    return result;
  } finally {
    lock.close();
  }
}

/** A full disk or an I/O error may have rolled back already; a second rollback would hide the first error. */
function rollback(sqlite: BetterSqlite3.Database): void {
  if (sqlite.inTransaction) sqlite.exec('ROLLBACK');
}

/** Whether another connection was in the way. */
export function isLocked(error: unknown): boolean {
  return isSqliteError(error) && error.code.startsWith('SQLITE_BUSY');
}
