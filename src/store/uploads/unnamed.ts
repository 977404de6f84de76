import type { Transaction } from 'kysely';
import type { Tables } from '../schema.js';
import { isNamed } from './named.js';
import { takeFromTotals } from './totals.js';

/**
 * Deletes the given uploads that no saved listing uses, in a fixed order, so that two concurrent sweeps wait
 * for each other instead of deadlocking. Returns the number deleted.
 */
export async function deleteUnnamed(
  trx: Transaction<Tables>,
  account_id: string,
  upload_ids: readonly string[],
): Promise<number> {
  let total = 0;
  let bytes = 0;
  for (const upload_id of upload_ids.toSorted()) {
    const deleted = await trx
      .deleteFrom('uploads')
      .where('account_id', '=', account_id)
      .where('upload_id', '=', upload_id)
      .where((eb) => eb.not(isNamed(eb)))
      .returning('size_bytes')
      .executeTakeFirst();
    if (!deleted) continue;
    total += 1;
    bytes += deleted.size_bytes;
  }
  await takeFromTotals(trx, account_id, bytes);
  return total;
}
