import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { closeDatabaseFile } from './files.js';
import { openSqlite } from './sqlite.js';

/**
 * Which processes on this data directory are alive. Each holds a lock on a file of its own, which the kernel lets go when the
 * process ends, however it ends. A pid would say less: it is given out again, and means nothing in another container. The file of
 * one that was killed stays until the next start, which checks the database for it.
 */
export type Presence = {
  /** From now on the owner counts as present, until `close` or the end of the process. */
  announce(owner: string): void;
  isPresent(owner: string): boolean;
  close(): void;
};

export function createPresence(directory: string): Presence {
  const held = new Map<string, BetterSqlite3.Database>();
  /** Kept open while their owners live, since databases are never collected. */
  const looked = new Map<string, BetterSqlite3.Database>();

  return {
    announce(owner) {
      if (held.has(owner)) return;
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const file = toFile(directory, owner);
      closeDatabaseFile(file);
      const lock = openSqlite(file);
      lock.exec('BEGIN EXCLUSIVE');
      held.set(owner, lock);
    },
    isPresent(owner) {
      if (held.has(owner)) return true;
      const file = toFile(directory, owner);
      const lock = looked.get(owner) ?? openLock(file);
      // Whoever ended in good order has taken the file along.
      if (lock && existsSync(file) && isLocked(lock)) {
        looked.set(owner, lock);
        return true;
      }
      lock?.close();
      looked.delete(owner);
      return false;
    },
    close() {
      for (const [owner, lock] of held) {
        lock.close();
        removeLock(toFile(directory, owner));
      }
      held.clear();
      for (const lock of looked.values()) lock.close();
      looked.clear();
    },
  };
}

/** Who has announced themselves on the directory: those that are there, and those that ended without a `close`. */
export function listOwners(directory: string): { present: string[]; gone: string[] } {
  const owners: { present: string[]; gone: string[] } = { present: [], gone: [] };
  if (!existsSync(directory)) return owners;
  const presence = createPresence(directory);
  try {
    for (const name of readdirSync(directory)) {
      if (!name.endsWith(ENDING)) continue;
      const owner = decodeURIComponent(name.slice(0, -ENDING.length));
      owners[presence.isPresent(owner) ? 'present' : 'gone'].push(owner);
    }
    return owners;
  } finally {
    presence.close();
  }
}

/** Takes away what owners that are gone have left. */
export function forgetOwners(directory: string, gone: readonly string[]): void {
  for (const owner of gone) removeLock(toFile(directory, owner));
}

const ENDING = '.lock';

function toFile(directory: string, owner: string): string {
  return join(directory, `${encodeURIComponent(owner)}${ENDING}`);
}

function removeLock(file: string): void {
  for (const path of [file, `${file}-journal`]) rmSync(path, { force: true });
}

/** Undefined when there is no such file, or, as in a folder where a backup was put in place, not even its directory. */
function openLock(file: string): BetterSqlite3.Database | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return openSqlite(file, { fileMustExist: true, timeout: 0 });
  } catch (error) {
    if (error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_CANTOPEN') return undefined;
    throw error;
  }
}

/** Holds the lock itself when nobody did. */
function isLocked(lock: BetterSqlite3.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return false;
  } catch {
    return true;
  }
}
