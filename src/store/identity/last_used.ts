import type { Transaction } from 'kysely';
import type { Log } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';

/** A key that is used all the time costs one write a minute. */
const STEP_MS = 60_000;

/**
 * Answers when a key or grant was used last, at most a minute ago, and sees to it that its row says so. No call waits for that, nor
 * fails with it: the time is for people to look at.
 * @param used `id` of the key or grant, and when it was used `before`, as its row was just read
 * @param save writes `at` where the row still has a time up to `due_before`, or none: of several processes one writes
 */
type NoteUse = (
  used: { id: string; before: string | null; at: string },
  save: (trx: Transaction<Tables>, due_before: string) => Promise<unknown>,
) => string;

/** Of all keys and grants of this process: one of each is written at a time. */
export function createNoteUse({ write }: Engine<Tables>, log: Log): NoteUse {
  /** Ids being written: while the database is locked, each call would otherwise add a write to those that wait. */
  const saving = new Set<string>();
  return ({ id, before, at }, save) => {
    const due_before = shiftTime(at, -STEP_MS);
    if (before !== null && before > due_before) return before;
    if (!saving.has(id)) {
      saving.add(id);
      write((trx) => save(trx, due_before))
        .catch((error: unknown) => log.warn('when a key was used could not be written', { error }))
        .finally(() => saving.delete(id));
    }
    return at;
  };
}
