import { makeFolder } from '../../../core/make_folder.js';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { closeDatabaseFile } from './files.js';
import { openSqlite } from './sqlite.js';

/**
 * Which processes on this data directory are alive. Each holds a lock on a file of its own, which the kernel lets go when the
 * process ends, however it ends. A pid would say less: it is given out again, and means nothing in another container. The file of
 * one that was killed stays until the next start, which checks the database for it.
 */
export type Presence = {
  /** From now on the owner counts as present, until `close` or the end of the process. Each process names itself anew. */
  announce(owner: string): void;
  /** False only where it is sure: a lock that cannot be looked at counts as held. */
  isPresent(owner: string): boolean;
  /** Ends the presence of all owners that were announced here. */
  close(): void;
  /** Lets go of the locks and leaves their files, as the end of the process does. */
  drop(): void;
};

/** @param directory of the locks, made when missing */
export function createPresence(directory: string): Presence {
  const held = new Map<string, BetterSqlite3.Database>();
  /** Kept open while their owners live, since databases are never collected. */
  const looked = new Map<string, BetterSqlite3.Database>();

  function letGo(): void {
    for (const lock of [...held.values(), ...looked.values()]) lock.close();
    held.clear();
    looked.clear();
  }

  return {
    announce(owner) {
      if (held.has(owner)) return;
      makeFolder(directory);
      held.set(owner, takeLock(toFile(directory, owner)));
    },
    isPresent(owner) {
      if (held.has(owner)) return true;
      const file = toFile(directory, owner);
      const lock = looked.get(owner) ?? openLock(file);
      // An end in good order takes the file along.
      if (!isMissing(file) && (!lock || isLocked(lock))) {
        if (lock) looked.set(owner, lock);
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
      letGo();
    },
    drop: letGo,
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

/** Takes away what owners have left that are gone; one that turns out to be there keeps its file. */
export function forgetOwners(directory: string, gone: readonly string[]): void {
  for (const owner of gone) {
    const file = toFile(directory, owner);
    const lock = openLock(file);
    if (!lock) continue;
    // A process that is just starting has made its file and may lock it at any moment: the file goes while the lock is held here.
    if (!isLocked(lock)) removeHeld(file, lock);
    lock.close();
  }
}

const ENDING = '.lock';

function toFile(directory: string, owner: string): string {
  return join(directory, `${encodeURIComponent(owner)}${ENDING}`);
}

function removeLock(file: string): void {
  for (const path of [file, `${file}-journal`]) rmSync(path, { force: true });
}

/** Windows removes no file that is open, of this process or of another, so there the removal itself shows who has it open. */
function removeHeld(file: string, lock: BetterSqlite3.Database): void {
  if (process.platform !== 'win32') {
    removeLock(file);
    return;
  }
  lock.close();
  try {
    removeLock(file);
  } catch {
    // Another process has opened it meanwhile.
  }
}

/** Another start may take the file for one that was left, and remove it before it is locked: then it is made again. */
function takeLock(file: string): BetterSqlite3.Database {
  for (;;) {
    closeDatabaseFile(file);
    const lock = openSqlite(file);
    try {
      lock.exec('BEGIN EXCLUSIVE');
      if (!isMissing(file)) return lock;
      lock.close();
    } catch (error) {
      lock.close();
      if (!isMissing(file)) throw error;
    }
  }
}

/** Undefined when the file is missing or cannot be opened. */
function openLock(file: string): BetterSqlite3.Database | undefined {
  if (isMissing(file)) return undefined;
  try {
    return openSqlite(file, { fileMustExist: true, timeout: 0 });
  } catch {
    // It went meanwhile, or this process is out of descriptors or rights: the file itself tells which.
    return undefined;
  }
}

/** Whether there is surely no such file: of one that cannot be looked at that is not known. */
function isMissing(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** Holds the lock itself when no other did. */
function isLocked(lock: BetterSqlite3.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return false;
  } catch {
    return true;
  }
}
