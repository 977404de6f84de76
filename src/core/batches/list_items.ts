import type { BatchItemStatus } from '../../../schemas/batch.js';
import type { BatchItemRecord, BatchRecord, Ports } from '../ports/index.js';

const PAGE = 100;

/**
 * All items of a batch, or those with a status, in the order of the selection. Keeps one page of them in memory at a time.
 */
export async function* eachItem(
  { batches }: Pick<Ports['store'], 'batches'>,
  { account_id, batch_id }: Pick<BatchRecord, 'account_id' | 'batch_id'>,
  status?: BatchItemStatus,
): AsyncGenerator<BatchItemRecord> {
  for (let from = 0; ;) {
    const items = await batches.listItemsFrom(account_id, batch_id, { from, limit: PAGE, status });
    yield* items;
    const last = items.at(-1);
    if (!last || items.length < PAGE) return;
    from = last.position + 1;
  }
}
