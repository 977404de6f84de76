import type { WindowCountStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { RateTables } from './schema.js';

/** Counts of a subject in a window of time. Counting deletes the windows that have ended. */
export function createWindowCountRepository({ write, now }: Engine<RateTables>): WindowCountStore {
  return {
    countInWindow: (subject, { max, window_ms }) =>
      write(async (trx) => {
        const now_ms = Date.parse(await now(trx));
        await trx
          .deleteFrom('window_counts')
          .where((eb) =>
            eb.or([
              eb('ends_at_ms', '<=', now_ms),
              // Such a window was begun while the clock was ahead; it would last until the clock has caught up.
              eb.and([eb('subject', '=', subject), eb('ends_at_ms', '>', now_ms + window_ms)]),
            ]),
          )
          .execute();
        const { counted, ends_at_ms } = await trx
          .insertInto('window_counts')
          .values({ subject, counted: 1, ends_at_ms: now_ms + window_ms })
          .onConflict((conflict) =>
            conflict.column('subject').doUpdateSet((eb) => ({
              counted: eb('window_counts.counted', '+', 1),
            })),
          )
          .returning(['counted', 'ends_at_ms'])
          .executeTakeFirstOrThrow();
        return { retry_after_ms: counted > max ? Math.max(1, ends_at_ms - now_ms) : 0 };
      }),
  };
}
