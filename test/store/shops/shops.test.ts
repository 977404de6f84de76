import { describe, expect, it } from 'vitest';
import type { ConnectedShop } from '../../../src/core/ports/index.js';
import { buildShop, SECTION, type SavedShop } from '../samples/shop_samples.js';
import { createTwoAccounts, openWorld, START } from '../world.js';

describe('shops', () => {
  it('are returned as saved, and only to their account', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    const second = buildShop(mine, 102);
    const first = buildShop(mine, 101);
    await store.shops.saveShop(second);
    await store.shops.saveShop(first);

    expect(await store.shops.listShops(mine)).toEqual([toConnected(first), toConnected(second)]);
    expect(await store.shops.findShop({ account_id: mine, shop_id: 101 })).toEqual(toConnected(first));
    expect(await store.shops.listShops(other)).toEqual([]);
    expect(await store.shops.findShop({ account_id: other, shop_id: 101 })).toBeUndefined();
  });

  it('are replaced by a later save, which clears the need to reconnect', async () => {
    const { store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const shop = buildShop(mine, 101);
    await store.shops.saveShop(shop);
    await store.tokens.markReconnectRequired(shop);
    expect((await store.shops.findShop(shop))?.is_reconnect_required).toBe(true);

    const later = {
      ...shop,
      last_synced_at: '2026-11-21T10:00:00.000Z',
      details: { ...shop.details, is_vacation: true },
    };
    await store.shops.saveShop(later);
    expect(await store.shops.findShop(shop)).toEqual(toConnected(later));
  });

  it('accept single lists, and keep the others', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    const shop = buildShop(mine, 101);
    await store.shops.saveShop(shop);
    await store.shops.saveShop(buildShop(other, 101));
    await store.shops.saveLists(shop, { shop_sections: [], return_policies: undefined });
    await store.shops.saveLists(shop, {});

    expect((await store.shops.findShop(shop))?.lists).toEqual({ ...shop.lists, shop_sections: [] });
    const untouched = await store.shops.findShop({ account_id: other, shop_id: 101 });
    expect(untouched?.lists.shop_sections).toEqual([SECTION]);
  });

  it('show changes by another process, and disappear once it disconnects them', async () => {
    const { store, data_dir } = await openWorld();
    const { store: elsewhere } = await openWorld({ data_dir });
    const { mine } = await createTwoAccounts(store);
    const shop = buildShop(mine, 101);
    await store.shops.saveShop(shop);
    expect((await store.shops.findShop(shop))?.lists.shop_sections).toEqual([SECTION]);
    await elsewhere.shops.saveLists(shop, { shop_sections: [] });
    expect((await store.shops.findShop(shop))?.lists.shop_sections).toEqual([]);
    await elsewhere.shops.deleteShop(shop);
    expect(await store.shops.findShop(shop)).toBeUndefined();
  });

  it('of two accounts are kept apart, however often they are requested', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    const shops = [
      buildShop(mine, 101),
      { ...buildShop(other, 101), last_synced_at: '2026-11-21T10:00:00.000Z' },
    ];
    for (const shop of shops) await store.shops.saveShop(shop);

    for (const shop of [...shops, ...shops]) {
      expect(await store.shops.findShop(shop)).toEqual(toConnected(shop));
    }
  });

  it('are deleted with their tokens', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    const shop = buildShop(mine, 101);
    await store.shops.saveShop(shop);
    await store.tokens.saveTokens(shop, {
      access_token: 'a',
      refresh_token: 'r',
      access_expires_at: START,
      scopes: [],
    });

    expect(await store.shops.deleteShop({ account_id: other, shop_id: 101 })).toBe(false);
    expect(await store.shops.deleteShop(shop)).toBe(true);
    expect(await store.shops.deleteShop(shop)).toBe(false);
    expect(await store.shops.findShop(shop)).toBeUndefined();
    expect(await store.tokens.findTokens(shop)).toBeUndefined();
  });
});

function toConnected(shop: SavedShop): ConnectedShop {
  return { ...shop, is_reconnect_required: false };
}
