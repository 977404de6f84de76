import type { RetentionStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';

export function createHeardOrderRetention({
  write,
}: Engine<Tables>): Pick<RetentionStore, 'sweepHeardOrders'> {
  return {
    sweepHeardOrders: (created_before_s, limit) =>
      write(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('heard_orders')
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple('account_id', 'shop_id', 'receipt_id'),
              'in',
              selectFrom('heard_orders')
                .select(['account_id', 'shop_id', 'receipt_id'])
                .where('created_at_s', '<', created_before_s)
                .limit(limit)
                .$asTuple('account_id', 'shop_id', 'receipt_id'),
            ),
          )
          .executeTakeFirstOrThrow();
        return Number(numDeletedRows);
      }),
  };
}
