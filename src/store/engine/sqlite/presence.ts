import { makeFolder } from '../../../core/make_folder.js';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { closeDatabaseFile } from './files.js';
import { openSqlite } from './sqlite.js';

/**
 * Which processes on this data directory are alive. Each holds a lock on a file of its own, which the kernel releases when
 * the process ends, however it ends. A pid would say less: pids are reused, and mean nothing in another container. The file
 * of a killed process stays until the next start, which then checks the database.
 */
export type Presence = {
  /** From now on the owner counts as present, until `close` or the end of the process. Each process chooses a new name. */
  announce(owner: string): void;
  /** False only if it is certain: a lock that cannot be checked counts as held. */
  isPresent(owner: string): boolean;
  /** Ends the presence of all owners that were announced here. */
  close(): void;
  /** Releases the locks and leaves their files, as the end of the process does. */
  drop(): void;
};

/** @param directory of the locks; created if missing */
export function createPresence(directory: string): Presence {
  const held = new Map<string, BetterSqlite3.Database>();
  /** Kept open while their owners live, since databases are never collected. */
  const checked = new Map<string, BetterSqlite3.Database>();

  function letGo(): void {
    for (const lock of [...held.values(), ...checked.values()]) lock.close();
    held.clear();
    checked.clear();
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
      const lock = checked.get(owner) ?? openLock(file);
      // An orderly end also removes the file.
      if (!isMissing(file) && (!lock || isLocked(lock))) {
        if (lock) checked.set(owner, lock);
        return true;
      }
      lock?.close();
      checked.delete(owner);
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

/** The owners that were announced on the directory: those that are present, and those that ended without a `close`. */
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

/** Removes the files of owners that are gone; an owner that turns out to be present keeps its file. */
export function forgetOwners(directory: string, gone: readonly string[]): void {
  for (const owner of gone) {
    const file = toFile(directory, owner);
    const lock = openLock(file);
    if (!lock) continue;
    // A process that is just starting has created its file and may lock it at any moment, so the file is removed while the
    // lock is held here.
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

/**
 * Windows does not remove an open file, whether of this process or of another, so there the removal itself shows whether
 * another has it open.
 */
function removeHeld(file: string, lock: BetterSqlite3.Database): void {
  if (process.platform !== 'win32') {
    removeLock(file);
    return;
  }
  lock.close();
  try {
    removeLock(file);
  } catch {
    // Another process has opened it in the meantime.
  }
}

/** Another start may treat the file as left behind, and remove it before it is locked: then it is created again. */
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

/** Undefined if the file is missing or cannot be opened. */
function openLock(file: string): BetterSqlite3.Database | undefined {
  if (isMissing(file)) return undefined;
  try {
    return openSqlite(file, { fileMustExist: true, timeout: 0 });
  } catch {
    // It was removed in the meantime, or this process is out of descriptors or lacks rights: the file itself shows which.
    return undefined;
  }
}

/** Whether the file is certainly missing: false if that cannot be checked. */
function isMissing(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** Takes the lock itself if no other process held it. */
function isLocked(lock: BetterSqlite3.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return false;
  } catch {
    return true;
  }
}
