import type BetterSqlite3 from 'better-sqlite3';
import type { Awaitable } from '../core/awaitable.js';
import { beginImmediate, rollback } from './engine/sqlite/locking.js';

/** Small against what any caller notices, large against a call. Until then a process that starts waits, and a crash forgets the calls. */
const SHARED_MS = 2;
/** In a rush, of which so much is a small part of what a second brings. */
const RUSH_MS = 50;

/** Write transactions on a connection of which each is shared by all that comes within a moment. */
export type SharedWrite = {
  /** Runs in a write transaction, at once while one is under way. What it throws undoes all of the transaction. */
  run<T>(work: () => T): Awaitable<T>;
  /** Ends the transaction now. */
  settle(): void;
};

export type SharedWriteOptions = {
  onBegin(): void;
  /** Whether others write to the file too. Then each call has a transaction of its own: one that is suspended or busy holds up nobody. */
  hasOthers(): boolean;
  /** Whether so much has come in the first moment that the transaction goes on for a longer one. */
  isRush(): boolean;
  /** Just before the end: the time to write. */
  onEnd(): void;
  /** Nothing of the transaction is kept. */
  onUndone(): void;
  /** When it could not be written, and nobody waits for it any more. */
  onLost(error: unknown): void;
};

export function createSharedWrite(sqlite: BetterSqlite3.Database, options: SharedWriteOptions): SharedWrite {
  let is_open = false;
  let opening: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function open(): Promise<void> {
    try {
      await beginImmediate(sqlite);
      is_open = true;
      options.onBegin();
      timer = setTimeout(() => {
        if (options.isRush()) timer = setTimeout(settle, RUSH_MS);
        else settle();
      }, SHARED_MS);
    } catch (error) {
      undo();
      throw error;
    } finally {
      opening = undefined;
    }
  }

  function undo(): void {
    clearTimeout(timer);
    is_open = false;
    options.onUndone();
    rollback(sqlite);
  }

  function commit(): void {
    clearTimeout(timer);
    options.onEnd();
    sqlite.exec('COMMIT');
    is_open = false;
  }

  function settle(): void {
    try {
      if (is_open) commit();
    } catch (error) {
      undo();
      options.onLost(error);
    }
  }

  function runOpen<T>(work: () => T): T {
    try {
      const result = work();
      if (options.hasOthers()) commit();
      return result;
    } catch (error) {
      undo();
      throw error;
    }
  }

  async function runLater<T>(work: () => T): Promise<T> {
    // Whoever waited beside this one may have ended it already.
    while (!is_open) await (opening ??= open());
    return runOpen(work);
  }

  return {
    run: (work) => (is_open ? runOpen(work) : runLater(work)),
    settle,
  };
}
