import type { Transaction } from 'kysely';
import type { Log } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';

/** The time of last use is written at most once in this time, so that a busy key does not cost a write for each call. */
const STEP_MS = 60_000;

/**
 * Returns when a key or grant was last used, accurate to a minute, and writes that to its row in the background. Calls
 * neither wait for the write nor fail with it, since the time is only shown to people.
 * @param used `id` of the key or grant, its last use `before` according to its row, and the time of this use
 * @param save writes `at` if the row's time is `due_before` or earlier, or missing: of several processes, one writes
 */
type NoteUse = (
  used: { id: string; before: string | null; at: string },
  save: (trx: Transaction<Tables>, due_before: string) => Promise<unknown>,
) => string;

/** For all keys and grants of this process: for each, one write at a time. */
export function createNoteUse({ write }: Engine<Tables>, log: Log): NoteUse {
  /** Ids being written: while the database is locked, each call would otherwise add another waiting write. */
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
