import { beforeEach, describe, expect, it } from 'vitest';
import { CLAY, NORD } from '../../sandbox/harness.js';
import { openShopWorld, type ShopWorld } from '../shop_world.js';

/** A shop and its five lists: the cost of a sync. */
const ONE_SYNC = {
  getShop: 1,
  getShopShippingProfiles: 1,
  getShopSections: 1,
  getShopReturnPolicies: 1,
  getShopReadinessStateDefinitions: 1,
  getShopProductionPartners: 1,
};

let world: ShopWorld;
beforeEach(async () => {
  world = await openShopWorld();
});

describe('a sync', () => {
  it('costs six calls', async () => {
    const clay = await world.connectSeeded(CLAY.shop_id);
    expect(await world.countDuring(() => world.shops.sync(clay))).toEqual(ONE_SYNC);
  });

  it('is shared by concurrent requests, and not by later ones', async () => {
    const clay = await world.connectSeeded(CLAY.shop_id);
    const many = () => Promise.all(Array.from({ length: 8 }, () => world.shops.sync(clay)));
    expect(await world.countDuring(many)).toEqual(ONE_SYNC);
    expect(await world.countDuring(() => world.shops.sync(clay))).toEqual(ONE_SYNC);
  });

  it('is separate for each shop', async () => {
    const shops = [await world.connectSeeded(CLAY.shop_id), await world.connectSeeded(NORD.shop_id)];
    const calls = await world.countDuring(() => Promise.all(shops.map((shop) => world.shops.sync(shop))));
    expect(calls).toEqual(Object.fromEntries(Object.keys(ONE_SYNC).map((name) => [name, 2])));
  });

  it('leaves the saved data unchanged if it fails, and the next one works', async () => {
    const clay = await world.connectSeeded(CLAY.shop_id);
    const before = await world.shops.getDetails(clay);
    await world.control('/faults', {
      rules: [{ operation: 'getShopSections', times: 1, action: { type: 'status', status: 503 } }],
    });
    await expect(world.shops.sync(clay)).rejects.toMatchObject({ failure: 'unavailable' });
    expect(await world.shops.getDetails(clay)).toEqual(before);
    const { last_synced_at } = await world.shops.sync(clay);
    expect(last_synced_at > before.last_synced_at).toBe(true);
  });
});

describe('saved details', () => {
  it('cost no call, and are null where the interface has null', async () => {
    const clay = await world.connectSeeded(CLAY.shop_id);
    let details: unknown;
    const calls = await world.countDuring(async () => {
      details = await world.shops.getDetails(clay);
    });
    expect(calls).toEqual({});
    expect(details).toMatchObject({
      shop_id: String(CLAY.shop_id),
      shop_name: 'ClayAndOak',
      currency_code: 'USD',
      shipping_profiles: (await world.shops.get(clay)).lists.shipping_profiles,
      return_policies: null,
      processing_profiles: null,
      production_partners: null,
    });
  });
});

describe('a list that is read live', () => {
  it.each([
    ['shipping_profiles', 'getShopShippingProfiles'],
    ['shop_sections', 'getShopSections'],
    ['return_policies', 'getShopReturnPolicies'],
    ['processing_profiles', 'getShopReadinessStateDefinitions'],
  ] as const)('costs one call and is saved: %s', async (name, operation) => {
    const clay = await world.connectSeeded(CLAY.shop_id);
    await world.store.shops.saveLists(clay, { [name]: [] });
    let live: unknown;
    const calls = await world.countDuring(async () => {
      live = await world.shops.getLive(clay, name);
    });
    expect(calls).toEqual({ [operation]: 1 });
    const { lists } = await world.shops.get(clay);
    expect(lists[name].length).toBeGreaterThan(0);
    expect(live).toEqual({ shop_id: String(CLAY.shop_id), shop_name: CLAY.shop_name, [name]: lists[name] });
  });
});
