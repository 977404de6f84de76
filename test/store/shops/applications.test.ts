import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backupDatabase, inspectFolder } from '../../../src/store/index.js';
import { buildShop } from '../samples/shop_samples.js';
import { ask } from '../raw.js';
import { createTwoAccounts, makeDirectory, ON_SQLITE, openWorld } from '../world.js';

const TOKENS = {
  access_token: '900.access',
  refresh_token: '900.refresh',
  access_expires_at: '2026-11-20T11:00:00.000Z',
  scopes: ['listings_r'],
};
const FIRST = { keystring: 'first-key', shared_secret: 'first-secret', webhook_secret: 'whsec_first' };
const SECOND = { keystring: 'second-key', shared_secret: 'second-secret', webhook_secret: null };

describe('an application registered by an account', () => {
  it('is returned with the shop whose grant it holds, and only to its account', async () => {
    const { store, data_dir } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    const shop = { account_id: mine, shop_id: 101 };
    await store.tokens.replaceTokens(shop, TOKENS, FIRST);
    expect(await store.tokens.findTokens(shop)).toEqual({ ...TOKENS, keystring: FIRST.keystring });
    expect(await store.applications.findShopApplication(shop)).toEqual(FIRST);
    expect(await store.applications.findApplication(mine, FIRST.keystring)).toEqual(FIRST);
    expect(await store.applications.listApplications(mine)).toEqual([FIRST]);
    expect(await store.applications.findApplication(other, FIRST.keystring)).toBeUndefined();
    expect(await store.applications.findShopApplication({ ...shop, account_id: other })).toBeNull();
    // A refresh leaves it unchanged.
    const fresh = { ...TOKENS, refresh_token: '900.next' };
    expect(await store.tokens.renewTokens(shop, TOKENS, fresh)).toBe(true);
    expect(await store.tokens.findTokens(shop)).toEqual({ ...fresh, keystring: FIRST.keystring });

    const [row] = await ask<Record<string, Buffer>>(
      data_dir,
      'SELECT shared_secret, webhook_secret FROM applications',
    );
    expect(row?.['shared_secret']?.includes(FIRST.shared_secret)).toBe(false);
    expect(row?.['webhook_secret']?.includes(FIRST.webhook_secret)).toBe(false);
  });

  it('accepts a new secret, and keeps its webhook secret unless another is given', async () => {
    const { store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const shop = { account_id: mine, shop_id: 101 };
    await store.tokens.replaceTokens(shop, TOKENS, FIRST);
    await store.tokens.replaceTokens(shop, TOKENS, { ...FIRST, shared_secret: 'next', webhook_secret: null });
    expect(await store.applications.findShopApplication(shop)).toEqual({ ...FIRST, shared_secret: 'next' });
  });

  it('is deleted with its last shop, and not before', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    for (const shop_id of [101, 102]) {
      await store.shops.saveShop(buildShop(mine, shop_id));
      await store.tokens.replaceTokens({ account_id: mine, shop_id }, TOKENS, FIRST);
    }
    await store.tokens.replaceTokens({ account_id: other, shop_id: 101 }, TOKENS, FIRST);
    await store.shops.deleteShop({ account_id: mine, shop_id: 101 });
    expect(await store.applications.listApplications(mine)).toEqual([FIRST]);
    await store.tokens.replaceTokens({ account_id: mine, shop_id: 102 }, TOKENS, SECOND);
    expect(await store.applications.listApplications(mine)).toEqual([SECOND]);
    await store.tokens.deleteTokens({ account_id: mine, shop_id: 102 });
    expect(await store.applications.listApplications(mine)).toEqual([]);
    expect(await store.applications.listApplications(other)).toEqual([FIRST]);
  });

  it('provides the webhook secrets for the shops connected with it', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    expect(await store.applications.hasWebhookSecrets()).toBe(false);
    await store.tokens.replaceTokens({ account_id: mine, shop_id: 101 }, TOKENS, FIRST);
    await store.tokens.replaceTokens({ account_id: mine, shop_id: 102 }, TOKENS, SECOND);
    const whose = { ...FIRST, webhook_secret: 'whsec_other' };
    await store.tokens.replaceTokens({ account_id: other, shop_id: 101 }, TOKENS, whose);
    expect((await store.applications.listWebhookSecrets(101)).sort()).toEqual(['whsec_first', 'whsec_other']);
    expect(await store.applications.listWebhookSecrets(102)).toEqual([]);
    expect(await store.applications.listWebhookSecrets(103)).toEqual([]);
    expect(await store.applications.hasWebhookSecrets()).toBe(true);
  });

  it.runIf(ON_SQLITE)('is included in a backup, which the same key decrypts', async () => {
    const master_key = 'a'.repeat(64);
    const { store, data_dir, clock } = await openWorld({ master_key });
    const { mine } = await createTwoAccounts(store);
    const shop = { account_id: mine, shop_id: 101 };
    await store.shops.saveShop(buildShop(mine, 101));
    await store.tokens.replaceTokens(shop, TOKENS, FIRST);
    const restored = makeDirectory();
    await backupDatabase({ data_dir, file: join(restored, 'service.db'), now: clock.now() });
    const { database } = await inspectFolder({ data_dir: restored, master_key, secret_files: [] });
    expect(database.state === 'sound' && database.content?.applications).toEqual([
      { ...FIRST, account_id: mine, account_name: 'mine' },
    ]);
  });
});

describe('a pending consent with an application', () => {
  it('keeps its secrets until it is used or expires', async () => {
    const { store, clock, data_dir } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const { keystring, ...brought } = FIRST;
    const request = {
      account_id: mine,
      code_verifier: 'v',
      redirect_uri: 'http://127.0.0.1:3000/connect/callback',
      keystring,
      brought,
      shop_id: null,
      browser_sha256: null,
      return_path: null,
      life_ms: 60_000,
    };
    const create = (state_sha256: string) =>
      store.connect_requests.createConnectRequest({ ...request, state_sha256 });
    const countSealed = async () =>
      (await ask(data_dir, 'SELECT state_sha256 FROM connect_requests WHERE shared_secret IS NOT NULL'))
        .length;
    await create('a');
    await create('b');
    expect(await store.connect_requests.findConnectRequest('a')).not.toHaveProperty('shared_secret');
    expect(await store.connect_requests.takeConnectRequest('a')).toMatchObject({ keystring, brought });
    expect(await countSealed()).toBe(1);
    clock.advance(120_000);
    await create('c');
    expect(await countSealed()).toBe(1);
    expect(await store.connect_requests.takeConnectRequest('b')).toBeUndefined();
  });
});
