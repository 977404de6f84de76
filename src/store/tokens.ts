import type { Transaction } from 'kysely';
import type { GrantStore, ShopRef, ShopTokens, TokenStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { fromJson, toJson } from './json.js';
import type { Bit, Tables } from './schema.js';
import type { SecretPlace, Secrets } from './secrets.js';

export function createTokenTable(
  database: Database,
  secrets: Secrets,
): GrantStore & Omit<TokenStore, 'withRefreshLock'> {
  const findRow = database.prepareFirst(
    database.db
      .selectFrom('shop_tokens')
      .selectAll()
      .where('account_id', '=', '')
      .where('shop_id', '=', 0)
      .compile(),
  );
  const unseal = createUnseal(secrets);
  return {
    async findTokens(shop) {
      const row = await findRow(shop.account_id, shop.shop_id);
      if (!row) return undefined;
      return {
        access_token: unseal(row.access_token, toPlace(shop, 'access_token')),
        refresh_token: unseal(row.refresh_token, toPlace(shop, 'refresh_token')),
        access_expires_at: row.access_expires_at,
        scopes: fromJson(row.scopes),
      };
    },
    saveTokens: (shop, tokens) => database.write((trx) => write(trx, shop, tokens)),
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

/** Calls in a row ask for the same tokens: what was unsealed is answered as long as the very bytes stand in its place. */
function createUnseal(secrets: Secrets): Secrets['unseal'] {
  const opened = new Map<string, { sealed: Buffer; secret: string }>();
  return (sealed, place) => {
    const name = `${place.column} ${place.row.join(' ')}`;
    const known = opened.get(name);
    if (known?.sealed.equals(sealed)) return known.secret;
    const secret = secrets.unseal(sealed, place);
    if (opened.size >= MAX_OPENED) opened.clear();
    opened.set(name, { sealed, secret });
    return secret;
  };
}

const MAX_OPENED = 400;
