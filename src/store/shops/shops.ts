import type { Selectable, Transaction } from 'kysely';
import type { ShopLists } from '../../../schemas/shop.js';
import type { ConnectedShop, ShopStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { forgetUnusedApplications } from './applications.js';
import { lockAccount } from '../identity/lock_account.js';
import { fromJson, toJson, type Json } from '../json.js';
import type { Tables } from '../schema.js';

/** Connected shops with the details and lists from their last read; their tokens are stored separately. */
export function createShopRepository(engine: Engine<Tables>): ShopStore {
  const { read, write } = engine;
  return {
    listShops: (account_id) => read((trx) => listShops(trx, account_id)),
    findShop: ({ account_id, shop_id }) =>
      read(async (trx) => {
        const row = await trx
          .selectFrom('shops')
          .selectAll()
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .executeTakeFirst();
        return row && toShop(row);
      }),
    async saveShop({ account_id, shop_id, ...shop }, connected_at = shop.last_synced_at) {
      const values = { ...toColumns(shop), is_reconnect_required: 0 } as const;
      await write(async (trx) => {
        await trx
          .insertInto('shops')
          .values({ account_id, shop_id, ...values })
          .onConflict((conflict) => conflict.columns(['account_id', 'shop_id']).doUpdateSet(values))
          .execute();
        // Its orders are watched from now on; an existing watch continues.
        await trx
          .insertInto('order_watches')
          .values({ account_id, shop_id, since: connected_at, heard_until_s: null })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      });
    },
    async updateShop({ account_id, shop_id, ...shop }) {
      const result = await write((trx) =>
        trx
          .updateTable('shops')
          .set(toColumns(shop))
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .executeTakeFirst(),
      );
      return result.numUpdatedRows === 1n;
    },
    async saveLists({ account_id, shop_id }, lists) {
      const columns = toPartialColumns(lists);
      if (Object.keys(columns).length === 0) return;
      await write((trx) =>
        trx
          .updateTable('shops')
          .set(columns)
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .execute(),
      );
    },
    async deleteShop({ account_id, shop_id }) {
      const result = await write(async (trx) => {
        await lockAccount(engine, trx, account_id);
        await trx
          .deleteFrom('shop_tokens')
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .execute();
        await forgetUnusedApplications(trx, account_id);
        return trx
          .deleteFrom('shops')
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .executeTakeFirst();
      });
      return result.numDeletedRows === 1n;
    },
  };
}

/** The shops of one account, by shop_id. */
export async function listShops(trx: Transaction<Tables>, account_id: string): Promise<ConnectedShop[]> {
  const rows = await trx
    .selectFrom('shops')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy('shop_id')
    .execute();
  return rows.map(toShop);
}

function toColumns({
  user_id,
  details,
  lists,
  last_synced_at,
}: Pick<ConnectedShop, 'user_id' | 'details' | 'lists' | 'last_synced_at'>) {
  return { user_id, details: toJson(details), ...toListColumns(lists), last_synced_at };
}

type ListColumns = { [List in keyof ShopLists]: Json<ShopLists[List]> };

function toListColumns(lists: ShopLists): ListColumns {
  return {
    shipping_profiles: toJson(lists.shipping_profiles),
    shop_sections: toJson(lists.shop_sections),
    return_policies: toJson(lists.return_policies),
    processing_profiles: toJson(lists.processing_profiles),
    production_partners: toJson(lists.production_partners),
  };
}

/** Replaces only the given lists; an undefined one stays unchanged. */
function toPartialColumns(lists: Partial<ShopLists>): Partial<ListColumns> {
  const given = Object.entries(lists).filter(([, list]) => list !== undefined);
  return Object.fromEntries(given.map(([name, list]) => [name, toJson(list)]));
}

function toShop(row: Selectable<Tables['shops']>): ConnectedShop {
  return {
    account_id: row.account_id,
    shop_id: row.shop_id,
    user_id: row.user_id,
    details: fromJson(row.details),
    lists: {
      shipping_profiles: fromJson(row.shipping_profiles),
      shop_sections: fromJson(row.shop_sections),
      return_policies: fromJson(row.return_policies),
      processing_profiles: fromJson(row.processing_profiles),
      production_partners: fromJson(row.production_partners),
    },
    last_synced_at: row.last_synced_at,
    is_reconnect_required: row.is_reconnect_required === 1,
  };
}
