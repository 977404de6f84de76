import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { HeardOrder, OrderStore } from '../core/ports/index.js';
import { ORDER_CHANGES } from '../core/orders/changes.js';
import type { Database } from './database.js';
import { toBit, type Tables } from './schema.js';

type HeardOrderTable = Pick<OrderStore, 'listHeard' | 'saveHeard' | 'listInTransit' | 'listListingPks'>;

export function createHeardOrderTable({ db, write }: Database): HeardOrderTable {
  return {
    async listHeard({ account_id, shop_id }, receipt_ids) {
      const rows = await db
        .selectFrom('heard_orders')
        .selectAll()
        .where('account_id', '=', account_id)
        .where('shop_id', '=', shop_id)
        .where('receipt_id', 'in', receipt_ids)
        .execute();
      return rows.map(toHeard);
    },
    async saveHeard({ account_id, shop_id }, orders) {
      if (orders.length === 0) return;
      const rows = orders.map(({ receipt_id, created_at_s, changes }) => ({
        account_id,
        shop_id,
        receipt_id,
        created_at_s,
        is_paid: toBit(changes.includes('paid')),
        is_shipped: toBit(changes.includes('shipped')),
        is_delivered: toBit(changes.includes('delivered')),
        is_canceled: toBit(changes.includes('canceled')),
      }));
      await write((trx) =>
        trx
          .insertInto('heard_orders')
          .values(rows)
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'shop_id', 'receipt_id']).doUpdateSet({
              is_paid: sql`max(is_paid, excluded.is_paid)`,
              is_shipped: sql`max(is_shipped, excluded.is_shipped)`,
              is_delivered: sql`max(is_delivered, excluded.is_delivered)`,
              is_canceled: sql`max(is_canceled, excluded.is_canceled)`,
            }),
          )
          .execute(),
      );
    },
    async listInTransit(shop_id, created_from_s) {
      const rows = await db
        .selectFrom('heard_orders')
        .select('created_at_s')
        .distinct()
        .where('shop_id', '=', shop_id)
        .where('created_at_s', '>=', created_from_s)
        .where('is_shipped', '=', sql.lit(1))
        .where('is_delivered', '=', sql.lit(0))
        .where('is_canceled', '=', sql.lit(0))
        .orderBy('created_at_s')
        .execute();
      return rows.map(({ created_at_s }) => created_at_s);
    },
    async listListingPks({ account_id, shop_id }, listing_ids) {
      if (listing_ids.length === 0) return new Map();
      const rows = await db
        .selectFrom('publications')
        .select(['listing_id', 'listing_pk'])
        .where('account_id', '=', account_id)
        .where('shop_id', '=', shop_id)
        .where('listing_id', 'in', listing_ids)
        .execute();
      return new Map(
        rows.flatMap(({ listing_id, listing_pk }) => (listing_id === null ? [] : [[listing_id, listing_pk]])),
      );
    },
  };
}

function toHeard(row: Selectable<Tables['heard_orders']>): HeardOrder {
  const { receipt_id, created_at_s } = row;
  return { receipt_id, created_at_s, changes: ORDER_CHANGES.filter((change) => row[`is_${change}`] === 1) };
}
