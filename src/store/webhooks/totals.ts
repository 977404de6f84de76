import type { Transaction } from 'kysely';
import type { DeliveryStatus } from '../../../schemas/delivery.js';
import { toBatches } from '../engine/lengths.js';
import { toNumber } from '../numbers.js';
import type { Tables } from '../schema.js';

type DeliveryTotals = Record<DeliveryStatus, number>;

/** Updates the totals by status. Each change of deliveries calls it in the same transaction. */
export async function adjustTotals(
  trx: Transaction<Tables>,
  account_id: string,
  changes: Partial<DeliveryTotals>,
): Promise<void> {
  const { pending = 0, success = 0, failed = 0 } = changes;
  const rows = Object.entries({ failed, pending, success } as const)
    .filter(([, total]) => total !== 0)
    .map(([status, total]) => ({ account_id, status: status as DeliveryStatus, total }));
  for (const batch of toBatches(rows)) {
    await trx
      .insertInto('delivery_totals')
      .values(batch)
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'status']).doUpdateSet((eb) => ({
          total: eb('delivery_totals.total', '+', eb.ref('excluded.total')),
        })),
      )
      .execute();
  }
}

/** The number of deliveries by status, of all accounts unless one is named. */
export async function sumDeliveries(trx: Transaction<Tables>, account_id?: string): Promise<DeliveryTotals> {
  const rows = await trx
    .selectFrom('delivery_totals')
    .select((eb) => ['status', eb.fn.sum('total').as('total')])
    .$if(account_id !== undefined, (query) => query.where('account_id', '=', account_id ?? ''))
    .groupBy('status')
    .execute();
  const totals: DeliveryTotals = { pending: 0, success: 0, failed: 0 };
  for (const { status, total } of rows) totals[status] = toNumber(total);
  return totals;
}
