import type { ShopRef, TokenStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { fromJson, toJson } from './json.js';
import type { SecretPlace, Secrets } from './secrets.js';

export function createTokenTable(database: Database, secrets: Secrets): Omit<TokenStore, 'withRefreshLock'> {
  return {
    async findTokens(shop) {
      const row = await database.db
        .selectFrom('shop_tokens')
        .selectAll()
        .where('account_id', '=', shop.account_id)
        .where('shop_id', '=', shop.shop_id)
        .executeTakeFirst();
      if (!row) return undefined;
      return {
        access_token: secrets.unseal(row.access_token, toPlace(shop, 'access_token')),
        refresh_token: secrets.unseal(row.refresh_token, toPlace(shop, 'refresh_token')),
        access_expires_at: row.access_expires_at,
        scopes: fromJson(row.scopes),
      };
    },
    async saveTokens(shop, tokens) {
      const { account_id, shop_id } = shop;
      const values = {
        access_token: secrets.seal(tokens.access_token, toPlace(shop, 'access_token')),
        refresh_token: secrets.seal(tokens.refresh_token, toPlace(shop, 'refresh_token')),
        access_expires_at: tokens.access_expires_at,
        scopes: toJson(tokens.scopes),
      };
      await database.write((trx) =>
        trx
          .insertInto('shop_tokens')
          .values({ account_id, shop_id, ...values })
          .onConflict((conflict) => conflict.columns(['account_id', 'shop_id']).doUpdateSet(values))
          .execute(),
      );
    },
    async markReconnectRequired({ account_id, shop_id }) {
      await database.write((trx) =>
        trx
          .updateTable('shops')
          .set({ is_reconnect_required: 1 })
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .execute(),
      );
    },
  };
}

function toPlace(shop: ShopRef, column: 'access_token' | 'refresh_token'): SecretPlace {
  return { table: 'shop_tokens', row: [shop.account_id, shop.shop_id], column };
}
