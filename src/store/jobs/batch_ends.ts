import type { Transaction } from 'kysely';
import type { BatchEnd } from '../../core/ports/index.js';
import type { Tables } from '../schema.js';
import { shiftTime } from '../engine/engine.js';
import { padList } from '../engine/lengths.js';
import { toBit } from '../tables/bit.js';

/** Saves how a job left its batch. Call it in the transaction that ends the job. */
export async function saveBatchEnd(
  trx: Transaction<Tables>,
  account_id: string,
  end: BatchEnd,
  now: string,
): Promise<void> {
  const { batch_id, status } = end;
  if (status !== 'planned') {
    await trx
      .updateTable('batch_items')
      .set({ status: 'canceled' })
      .where('account_id', '=', account_id)
      .where('batch_id', '=', batch_id)
      .where('status', 'in', padList(['planned', 'waiting', 'running'] as const))
      .execute();
  }
  await trx
    .updateTable('batches')
    .set({
      status,
      reason: null,
      is_canceling: toBit(false),
      completed_at: status === 'planned' ? null : now,
      // Planning may take longer than a plan lasts, since it waits for the marketplace's daily limits.
      ...('life_ms' in end && { expires_at: shiftTime(now, end.life_ms) }),
    })
    .where('account_id', '=', account_id)
    .where('batch_id', '=', batch_id)
    // A batch that was canceled during planning stays canceled.
    .where('status', '<>', 'canceled')
    .execute();
  await trx
    .updateTable('batch_items')
    .set({ status: 'canceled' })
    .where('account_id', '=', account_id)
    .where('batch_id', '=', batch_id)
    .where('status', '=', 'planned')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('batches')
          .select('batches.batch_id')
          .where('batches.account_id', '=', account_id)
          .where('batches.batch_id', '=', batch_id)
          .where('batches.status', '=', 'canceled'),
      ),
    )
    .execute();
}
