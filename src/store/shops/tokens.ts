import type { Selectable, Transaction } from 'kysely';
import type {
  Application,
  GivenTokenStore,
  KeptTokens,
  ShopRef,
  ShopTokens,
  TokenStore,
} from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { lockAccount } from '../identity/lock_account.js';
import { fromJson, toJson } from '../json.js';
import { toBit } from '../tables/bit.js';
import type { Tables } from '../schema.js';
import type { SecretPlace, Secrets } from '../secrets/secrets.js';
import { forgetUnusedApplications, saveApplication } from './applications.js';

type TokenRepository = GivenTokenStore & Omit<TokenStore, 'withRefreshLock'>;

/** Tokens of shops, encrypted. Reading throws if the master key is another one or the row was changed. */
export function createTokenRepository(engine: Engine<Tables>, secrets: Secrets): TokenRepository {
  const { read, write, now } = engine;
  return {
    findTokens: (shop) => read((trx) => findTokens(trx, secrets, shop)),
    saveTokens: (shop, tokens, application = null) =>
      write(async (trx) => {
        await lockAccount(engine, trx, shop.account_id);
        await saveTokens(trx, shop, tokens, application);
      }),
    renewTokens: (shop, used, fresh) =>
      write(async (trx) => {
        const row = await findRow(trx, shop);
        if (!row) return false;
        const stored = secrets.unseal(row.refresh_token, toPlace(shop, 'refresh_token'));
        if (stored !== used.refresh_token) return false;
        const { numUpdatedRows } = await trx
          .updateTable('shop_tokens')
          .set(toColumns(shop, fresh))
          .where('account_id', '=', shop.account_id)
          .where('shop_id', '=', shop.shop_id)
          .where('refresh_token', '=', row.refresh_token)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await setReconnectRequired(trx, shop, false);
        return true;
      }),
    replaceTokens: (shop, tokens, application) =>
      write(async (trx) => {
        await lockAccount(engine, trx, shop.account_id);
        await saveTokens(trx, shop, tokens, application);
        await forgetUnusedApplications(trx, shop.account_id);
        await setReconnectRequired(trx, shop, false);
      }),
    markReconnectRequired: (shop) => write((trx) => setReconnectRequired(trx, shop, true)),
    async deleteTokens({ account_id, shop_id }) {
      await write(async (trx) => {
        await lockAccount(engine, trx, account_id);
        await trx
          .deleteFrom('shop_tokens')
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .execute();
        await forgetUnusedApplications(trx, account_id);
      });
    },
  };

  async function saveTokens(
    trx: Transaction<Tables>,
    shop: ShopRef,
    tokens: ShopTokens,
    application: Application | null,
  ): Promise<void> {
    const { account_id, shop_id } = shop;
    if (application) await saveApplication(trx, secrets, account_id, application, await now(trx));
    const columns = { ...toColumns(shop, tokens), keystring: application?.keystring ?? null };
    await trx
      .insertInto('shop_tokens')
      .values({ account_id, shop_id, ...columns })
      .onConflict((conflict) => conflict.columns(['account_id', 'shop_id']).doUpdateSet(columns))
      .execute();
  }

  function toColumns(shop: ShopRef, tokens: ShopTokens): TokenColumns {
    return {
      access_token: secrets.seal(tokens.access_token, toPlace(shop, 'access_token')),
      refresh_token: secrets.seal(tokens.refresh_token, toPlace(shop, 'refresh_token')),
      access_expires_at: tokens.access_expires_at,
      scopes: toJson(tokens.scopes),
    };
  }
}

/** Throws StoreError if they were encrypted with another master key. */
export async function findTokens(
  trx: Transaction<Tables>,
  secrets: Pick<Secrets, 'unseal'>,
  shop: ShopRef,
): Promise<KeptTokens | undefined> {
  const row = await findRow(trx, shop);
  return (
    row && {
      access_token: secrets.unseal(row.access_token, toPlace(shop, 'access_token')),
      refresh_token: secrets.unseal(row.refresh_token, toPlace(shop, 'refresh_token')),
      access_expires_at: row.access_expires_at,
      scopes: fromJson(row.scopes),
      ...(row.keystring !== null && { keystring: row.keystring }),
    }
  );
}

function findRow(
  trx: Transaction<Tables>,
  { account_id, shop_id }: ShopRef,
): Promise<Omit<TokenRow, 'account_id' | 'shop_id'> | undefined> {
  return trx
    .selectFrom('shop_tokens')
    .select(['access_token', 'refresh_token', 'access_expires_at', 'scopes', 'keystring'])
    .where('account_id', '=', account_id)
    .where('shop_id', '=', shop_id)
    .executeTakeFirst();
}

async function setReconnectRequired(
  trx: Transaction<Tables>,
  { account_id, shop_id }: ShopRef,
  isRequired: boolean,
): Promise<void> {
  await trx
    .updateTable('shops')
    .set({ is_reconnect_required: toBit(isRequired) })
    .where('account_id', '=', account_id)
    .where('shop_id', '=', shop_id)
    .execute();
}

function toPlace(shop: ShopRef, column: 'access_token' | 'refresh_token'): SecretPlace {
  return { table: 'shop_tokens', row: [shop.account_id, shop.shop_id], column };
}

type TokenRow = Selectable<Tables['shop_tokens']>;

/** A refresh changes only these. */
type TokenColumns = Omit<TokenRow, 'account_id' | 'shop_id' | 'keystring'>;
