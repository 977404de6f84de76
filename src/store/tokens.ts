import type { Selectable, Transaction } from 'kysely';
import { keepConstant } from '../core/constant.js';
import type { GrantStore, ShopRef, ShopTokens, TokenStore } from '../core/ports/index.js';
import { LATER, type Database } from './database.js';
import { fromJson, toJson } from './json.js';
import type { Bit, Tables } from './schema.js';
import type { SecretPlace, Secrets } from './secrets.js';

export function createTokenTable(
  database: Database,
  secrets: Secrets,
): GrantStore & Omit<TokenStore, 'withRefreshLock'> {
  const ofShop = database.db.selectFrom('shop_tokens').where('account_id', '=', '').where('shop_id', '=', 0);
  const findRow = database.prepareFirst(ofShop.select(COLUMNS).compile());
  const findSame = database.prepareFirst(
    ofShop
      .select('shop_id')
      .where('access_token', '=', NO_BYTES)
      .where('refresh_token', '=', NO_BYTES)
      .where('access_expires_at', '=', '')
      .where('scopes', '=', LATER)
      .compile(),
  );
  const opened = new Map<string, { row: TokenRow; tokens: ShopTokens }>();
  return {
    /** Calls in a row ask for the same tokens: what was unsealed is answered as long as the very same row stands there. */
    async findTokens(shop) {
      const { account_id, shop_id } = shop;
      const name = `${account_id} ${shop_id}`;
      const known = opened.get(name);
      if (known) {
        const { access_token, refresh_token, access_expires_at, scopes } = known.row;
        const sealed = [access_token, refresh_token, access_expires_at, scopes] as const;
        if (await findSame(account_id, shop_id, ...sealed)) return known.tokens;
      }
      opened.delete(name);
      const row = await findRow(account_id, shop_id);
      if (!row) return undefined;
      const tokens = keepConstant<ShopTokens>({
        access_token: secrets.unseal(row.access_token, toPlace(shop, 'access_token')),
        refresh_token: secrets.unseal(row.refresh_token, toPlace(shop, 'refresh_token')),
        access_expires_at: row.access_expires_at,
        scopes: fromJson(row.scopes),
      });
      if (opened.size >= MAX_OPENED) opened.clear();
      opened.set(name, { row, tokens });
      return tokens;
    },
    saveTokens: (shop, tokens) => database.write((trx) => write(trx, shop, tokens)),
    renewTokens: (shop, used, fresh) =>
      database.write(async (trx) => {
        const row = await trx
          .selectFrom('shop_tokens')
          .select('refresh_token')
          .where('account_id', '=', shop.account_id)
          .where('shop_id', '=', shop.shop_id)
          .executeTakeFirst();
        if (!row) return false;
        const stored = secrets.unseal(row.refresh_token, toPlace(shop, 'refresh_token'));
        if (stored !== used.refresh_token) return false;
        await write(trx, shop, fresh);
        await setReconnectRequired(trx, shop, 0);
        return true;
      }),
    replaceGrant: (shop, tokens) =>
      database.write(async (trx) => {
        await write(trx, shop, tokens);
        await setReconnectRequired(trx, shop, 0);
      }),
    markReconnectRequired: (shop) => database.write((trx) => setReconnectRequired(trx, shop, 1)),
    async deleteTokens({ account_id, shop_id }) {
      await database.write((trx) =>
        trx
          .deleteFrom('shop_tokens')
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .execute(),
      );
    },
  };

  async function write(trx: Transaction<Tables>, shop: ShopRef, tokens: ShopTokens): Promise<void> {
    const { account_id, shop_id } = shop;
    const values = {
      access_token: secrets.seal(tokens.access_token, toPlace(shop, 'access_token')),
      refresh_token: secrets.seal(tokens.refresh_token, toPlace(shop, 'refresh_token')),
      access_expires_at: tokens.access_expires_at,
      scopes: toJson(tokens.scopes),
    };
    await trx
      .insertInto('shop_tokens')
      .values({ account_id, shop_id, ...values })
      .onConflict((conflict) => conflict.columns(['account_id', 'shop_id']).doUpdateSet(values))
      .execute();
  }
}

async function setReconnectRequired(
  trx: Transaction<Tables>,
  { account_id, shop_id }: ShopRef,
  is_reconnect_required: Bit,
): Promise<void> {
  await trx
    .updateTable('shops')
    .set({ is_reconnect_required })
    .where('account_id', '=', account_id)
    .where('shop_id', '=', shop_id)
    .execute();
}

function toPlace(shop: ShopRef, column: 'access_token' | 'refresh_token'): SecretPlace {
  return { table: 'shop_tokens', row: [shop.account_id, shop.shop_id], column };
}

const COLUMNS = ['access_token', 'refresh_token', 'access_expires_at', 'scopes'] as const;
const NO_BYTES = Buffer.alloc(0);
const MAX_OPENED = 200;

type TokenRow = Pick<Selectable<Tables['shop_tokens']>, (typeof COLUMNS)[number]>;
