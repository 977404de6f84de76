import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { closeDatabaseFile } from './files.js';
import { openSqlite } from './sqlite.js';

/**
 * Which processes on this data directory are alive. Each holds a lock on a file of its own, which the kernel lets go when the
 * process ends, however it ends. A pid would say less: it is given out again, and means nothing in another container.
 */
export type Presence = {
  /** From now on the owner counts as present, until `close` or the end of the process. */
  announce(owner: string): void;
  isPresent(owner: string): boolean;
  close(): void;
};

export function createPresence(directory: string): Presence {
  const held = new Map<string, BetterSqlite3.Database>();
  const toFile = (owner: string): string => join(directory, `${encodeURIComponent(owner)}.lock`);

  return {
    announce(owner) {
      if (held.has(owner)) return;
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const file = toFile(owner);
      closeDatabaseFile(file);
      const lock = openSqlite(file);
      lock.exec('BEGIN EXCLUSIVE');
      held.set(owner, lock);
    },
    isPresent(owner) {
      if (held.has(owner)) return true;
      const file = toFile(owner);
      if (isLocked(file)) return true;
      rmSync(file, { force: true });
      return false;
    },
    close() {
      for (const [owner, lock] of held) {
        lock.close();
        rmSync(toFile(owner), { force: true });
      }
      held.clear();
    },
  };
}

/** False also when there is no such file: whoever ended in good order has taken it along. */
function isLocked(file: string): boolean {
  let lock: BetterSqlite3.Database | undefined;
  try {
    lock = openSqlite(file, { fileMustExist: true, timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return false;
  } catch (error) {
    return !(error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_CANTOPEN');
  } finally {
    lock?.close();
  }
}
