import type { Transaction } from 'kysely';
import { QuotaError } from '../../core/ports/index.js';
import type { Tables } from '../schema.js';

/** Counts an upload that is added. Throws QuotaError if the account would have more bytes than `most`. */
export async function addToTotals(
  trx: Transaction<Tables>,
  { account_id, size_bytes }: { account_id: string; size_bytes: number },
  most: number,
): Promise<void> {
  await trx
    .insertInto('upload_totals')
    .values({ account_id, bytes: 0 })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute();
  let add = trx
    .updateTable('upload_totals')
    .set((eb) => ({ bytes: eb('bytes', '+', size_bytes) }))
    .where('account_id', '=', account_id);
  if (Number.isFinite(most)) add = add.where('bytes', '<=', most - size_bytes);
  const { numUpdatedRows } = await add.executeTakeFirst();
  if (numUpdatedRows === 0n) throw new QuotaError('upload_bytes');
}

/** Subtracts the bytes of deleted uploads. */
export async function takeFromTotals(
  trx: Transaction<Tables>,
  account_id: string,
  bytes: number,
): Promise<void> {
  await trx
    .updateTable('upload_totals')
    .set((eb) => ({ bytes: eb('bytes', '-', bytes) }))
    .where('account_id', '=', account_id)
    .execute();
}
