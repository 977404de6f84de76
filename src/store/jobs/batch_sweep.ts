import type { RetentionStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { padList } from '../engine/lengths.js';
import type { Tables } from '../schema.js';

/** Items and steps are deleted with their batch. */
export function createBatchSweep({ write, now }: Engine<Tables>): Pick<RetentionStore, 'sweepBatches'> {
  return {
    sweepBatches: (age_ms, limit) =>
      write(async (trx) => {
        const created_before = shiftTime(await now(trx), -age_ms);
        const { numDeletedRows } = await trx
          .deleteFrom('batches')
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple('account_id', 'batch_id'),
              'in',
              selectFrom('batches')
                .select(['account_id', 'batch_id'])
                .where('created_at', '<', created_before)
                .where('status', 'not in', padList(['planning', 'running', 'paused'] as const))
                .limit(limit)
                .$asTuple('account_id', 'batch_id'),
            ),
          )
          .executeTakeFirstOrThrow();
        return Number(numDeletedRows);
      }),
  };
}
