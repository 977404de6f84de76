import type BetterSqlite3 from 'better-sqlite3';
import { closeDatabaseFile } from './files.js';
import { BUSY_TIMEOUT_MS, retryWhileLocked } from './locking.js';
import { openSqlite } from './sqlite.js';
import { StoreError } from '../../store_error.js';

const SYNCHRONOUS = { OFF: 0, FULL: 2 } as const;

/**
 * Opens or creates a database file with the settings that keep it safe, and reads each of them back: a later connection to a
 * WAL file runs at NORMAL unless it sets FULL, and some file systems refuse WAL without an error. Throws StoreError if a
 * setting did not take effect. It waits for no lock by itself: see `runExclusive`.
 */
export async function openConnection(
  file: string,
  synchronous: keyof typeof SYNCHRONOUS,
): Promise<BetterSqlite3.Database> {
  if (file !== ':memory:') closeDatabaseFile(file);
  const sqlite = openSqlite(file, { timeout: 0 });
  try {
    // The switch to WAL needs exclusive access to the file, so processes that start for the first time at once collide here.
    await retryWhileLocked(() => sqlite.pragma('journal_mode = WAL'));
    sqlite.pragma(`synchronous = ${synchronous}`);
    sqlite.pragma('foreign_keys = ON');
    // Deleted buyer data is overwritten in the file.
    sqlite.pragma('secure_delete = ON');
    checkPragmas(sqlite, file, {
      journal_mode: 'wal',
      synchronous: SYNCHRONOUS[synchronous],
      foreign_keys: 1,
      secure_delete: 1,
      busy_timeout: 0,
    });
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** A second connection to a file that openConnection has opened, which refuses to write. */
export function openReader(file: string): BetterSqlite3.Database {
  const sqlite = openSqlite(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  sqlite.pragma('query_only = ON');
  return sqlite;
}

function checkPragmas(sqlite: BetterSqlite3.Database, file: string, wanted: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(wanted)) {
    const found = sqlite.pragma(name, { simple: true });
    if (found === value) continue;
    throw new StoreError(
      `SQLite kept ${name} = ${String(found)} for ${file} where ${String(value)} is needed. Put DATA_DIR on a local disk.`,
    );
  }
}
