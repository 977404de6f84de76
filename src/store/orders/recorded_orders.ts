import { type ExpressionBuilder, type Selectable, type Transaction } from 'kysely';
import {
  type RecordedOrder,
  type OrderStore,
  type OrderSummary,
  type RetentionStore,
  type ShopRef,
  ORDER_CHANGES,
  type OrderChange,
} from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { fromJson, toJson } from '../json.js';
import { toNumber } from '../numbers.js';
import { toBit, type Bit } from '../tables/bit.js';
import type { Tables } from '../schema.js';

type RecordedOrderRepository = Pick<
  OrderStore,
  'listRecorded' | 'saveRecorded' | 'listOrders' | 'listInTransit' | 'listListingPks'
> &
  Pick<RetentionStore, 'sweepRecordedOrders'>;

/** Changes of orders that accounts received as events. */
export function createRecordedOrderRepository(engine: Engine<Tables>): RecordedOrderRepository {
  const { read, write } = engine;
  return {
    async listRecorded({ account_id, shop_id }, receipt_ids) {
      if (receipt_ids.length === 0) return [];
      const rows = await read((trx) =>
        trx
          .selectFrom('heard_orders')
          .selectAll()
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .where('receipt_id', 'in', receipt_ids)
          .execute(),
      );
      return rows.map(toRecorded);
    },
    async saveRecorded(shop, orders) {
      if (orders.length === 0) return;
      await write(async (trx) => {
        for (const order of orders) await save(trx, shop, order);
      });
    },
    listOrders: (account_id, { shop_id, is_to_send = false, limit, offset }) =>
      read(async (trx) => {
        const all = trx.selectFrom('heard_orders').where('account_id', '=', account_id);
        const own = shop_id === undefined ? all : all.where('shop_id', '=', shop_id);
        const asked = is_to_send
          ? own.where((eb) => eb.and({ is_paid: 1, is_shipped: 0, is_delivered: 0, is_canceled: 0 }))
          : own;
        const { total } = await asked.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
        const rows = await asked
          .selectAll()
          .orderBy('created_at_s', is_to_send ? 'asc' : 'desc')
          .orderBy('receipt_id', is_to_send ? 'asc' : 'desc')
          .limit(limit)
          .offset(offset)
          .execute();
        const items = rows.map((row) => ({
          ...toRecorded(row),
          shop_id: row.shop_id,
          summary: fromJson(row.summary),
        }));
        return { total: toNumber(total), items };
      }),
    async listInTransit(shop_id, created_from_s) {
      const rows = await read((trx) =>
        trx
          .selectFrom('heard_orders')
          .select('created_at_s')
          .distinct()
          .where('shop_id', '=', shop_id)
          .where('created_at_s', '>=', created_from_s)
          // Its index is only used if these are in the text of the query.
          .where('is_shipped', '=', ({ lit }) => lit(1))
          .where('is_delivered', '=', ({ lit }) => lit(0))
          .where('is_canceled', '=', ({ lit }) => lit(0))
          .orderBy('created_at_s')
          .execute(),
      );
      return rows.map(({ created_at_s }) => created_at_s);
    },
    async listListingPks({ account_id, shop_id }, listing_ids) {
      if (listing_ids.length === 0) return new Map();
      const rows = await read((trx) =>
        trx
          .selectFrom('publications')
          .select(['listing_id', 'listing_pk'])
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .where('listing_id', 'in', listing_ids)
          .execute(),
      );
      return new Map(
        rows.flatMap(({ listing_id, listing_pk }) => (listing_id === null ? [] : [[listing_id, listing_pk]])),
      );
    },
    sweepRecordedOrders: (age_ms, limit) =>
      write(async (trx) => {
        const created_before = shiftTime(await engine.now(trx), -age_ms);
        return sweep(trx, Math.floor(Date.parse(created_before) / 1000), limit);
      }),
  };
}

async function save(
  trx: Transaction<Tables>,
  { account_id, shop_id }: ShopRef,
  { receipt_id, created_at_s, changes, summary }: RecordedOrder & { summary: OrderSummary },
): Promise<void> {
  await trx
    .insertInto('heard_orders')
    .values({
      account_id,
      shop_id,
      receipt_id,
      created_at_s,
      is_paid: toBit(changes.includes('paid')),
      is_shipped: toBit(changes.includes('shipped')),
      is_delivered: toBit(changes.includes('delivered')),
      is_canceled: toBit(changes.includes('canceled')),
      summary: toJson(summary),
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'shop_id', 'receipt_id']).doUpdateSet((eb) => ({
        is_paid: joinBits(eb, 'is_paid'),
        is_shipped: joinBits(eb, 'is_shipped'),
        is_delivered: joinBits(eb, 'is_delivered'),
        is_canceled: joinBits(eb, 'is_canceled'),
        summary: eb.ref('excluded.summary'),
      })),
    )
    .execute();
}

type Joined = Pick<Tables, 'heard_orders'> & { excluded: Tables['heard_orders'] };

/** 1 if it is 1 in the stored row, or in the new one. */
function joinBits(eb: ExpressionBuilder<Joined, 'heard_orders' | 'excluded'>, column: `is_${OrderChange}`) {
  return eb
    .case()
    .when(`excluded.${column}`, '=', 1)
    .then<Bit>(1)
    .else(eb.ref(`heard_orders.${column}`))
    .end();
}

async function sweep(trx: Transaction<Tables>, created_before_s: number, limit: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('heard_orders')
    .where((eb) =>
      eb(
        eb.refTuple('account_id', 'shop_id', 'receipt_id'),
        'in',
        eb
          .selectFrom('heard_orders')
          .select(['account_id', 'shop_id', 'receipt_id'])
          .where('created_at_s', '<', created_before_s)
          .limit(limit)
          .$asTuple('account_id', 'shop_id', 'receipt_id'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function toRecorded(row: Selectable<Tables['heard_orders']>): RecordedOrder {
  const { receipt_id, created_at_s } = row;
  return { receipt_id, created_at_s, changes: ORDER_CHANGES.filter((change) => row[`is_${change}`] === 1) };
}
