import type { ListingJobResult } from '../answers.js';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/marketplace/index.js';
import { startSandbox } from '../../src/sandbox/index.js';
import { countCalls } from '../core/listings/update/rig.js';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { buildMug, CLAY, LINEN, upload } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from '../surfaces/faces.js';

/* Changing the price of one SKU in five shops at once: the number of calls. */

const OPENED = [
  { shop_id: 60_000_001, shop_name: 'KilnAndCo' },
  { shop_id: 60_000_002, shop_name: 'RiverClay' },
  { shop_id: 60_000_003, shop_name: 'SlowMugs' },
];

let dashboard: TestDashboard;
let faces: Record<'REST' | 'MCP', Face>;
let targets: object[];

beforeAll(async () => {
  dashboard = await startDashboard();
  const { service, account_id } = dashboard;
  const { key } = await service.app.core.accounts.createKey(account_id, 'test');
  faces = { REST: openRest(dashboard.url, key), MCP: await openMcpHttp(dashboard.url, key) };
  await service.call('stores_list');
  for (const shop of OPENED) await open(shop);
  targets = [];
  for (const { shop_id } of [CLAY, LINEN, ...OPENED]) {
    const store = await service.call<{
      shipping_profiles: { shipping_profile_id: number }[];
      return_policies: { return_policy_id: number }[];
    }>('store_sync', { shop_id });
    const { shipping_profile_id } = store.shipping_profiles[0] ?? {};
    const { return_policy_id } = store.return_policies[0] ?? {};
    targets.push({ shop_id, shipping_profile_id, return_policy_id });
  }
});
afterAll(async () => {
  await faces.MCP.close();
  await dashboard.close();
});

/** Opens a shop on the marketplace and connects it, as its owner's consent does. */
async function open(shop: (typeof OPENED)[number]): Promise<void> {
  const { service, account_id } = dashboard;
  const { user_id } = await service.control<{ user_id: number }>('POST', '/shops/equip', shop);
  const sandbox = await startSandbox({ database_file: join(service.data_dir, 'sandbox.db') });
  const { access_token, refresh_token } = sandbox.issueGrant(user_id, SCOPES);
  await sandbox.close();
  const connected = { account_id, shop_id: shop.shop_id };
  const access_expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const tokens = { access_token, refresh_token, access_expires_at, scopes: [...SCOPES] };
  await service.app.store.tokens.saveTokens(connected, tokens);
  await service.app.core.shops.connect(connected);
}

async function make(sku: string, variation_images?: object): Promise<number | undefined> {
  const { service } = dashboard;
  const glazes = ['Sand', 'Moss'];
  const made = await service.call<ListingJobResult>(
    'listing_create',
    buildMug(targets, {
      state: 'active',
      images: [
        { url: await upload(service, 'photo-01.jpg') },
        { url: await upload(service, 'photo-02.jpg') },
      ],
      variations: {
        properties: [{ property_id: 513, name: 'Glaze', values: glazes }],
        price_on_property: [513],
        offerings: glazes.map((glaze, index) => ({ glaze, price: 24, quantity: 3, sku: `${sku}-${index}` })),
        ...(variation_images && { variation_images }),
      },
    }),
  );
  expect(made.results?.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'ok'));
  return made.listing_pk;
}

type Priced = { inventory: { products: { sku: string; offering: { price_amount: number } }[] } };

/** The price in each listing that has this SKU. */
async function listPrices(sku: string): Promise<number[]> {
  const { listings } = await dashboard.service.control<{ listings: Priced[] }>('GET', '/state');
  return listings.flatMap(({ inventory }) =>
    inventory.products.filter((one) => one.sku === sku).map(({ offering }) => offering.price_amount),
  );
}

describe.each(['REST', 'MCP'] as const)('over %s', (name) => {
  const update = async (listing_pk: number | undefined, sku: string, price: number): Promise<Output> => {
    const changes = { offerings: [{ sku, price }] };
    const answer = await faces[name].call('listing_update', { listing_pk, changes });
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.output;
  };

  it('an update takes three calls in each shop: read, write and re-read the inventory', async () => {
    const listing_pk = await make(`${name}-A`);
    const calls = await countCalls(dashboard.service, async () => {
      const changed = await update(listing_pk, `${name}-A-1`, 31.5);
      const diff = [{ field: 'variations.offerings[Glaze: Moss].price', before: 24, after: 31.5 }];
      expect(changed['results']).toMatchObject(Array.from({ length: 5 }, () => ({ status: 'ok', diff })));
    });
    expect(calls).toEqual({ getListingInventory: 10, updateListingInventory: 5 });
    expect(await listPrices(`${name}-A-1`)).toEqual([3150, 3150, 3150, 3150, 3150]);
    expect(await listPrices(`${name}-A-0`)).toEqual([2400, 2400, 2400, 2400, 2400]);
  });

  it('an update without a difference takes only the reading calls', async () => {
    const listing_pk = await make(`${name}-B`);
    const calls = await countCalls(dashboard.service, async () => {
      expect(await update(listing_pk, `${name}-B-1`, 24)).toMatchObject({
        results: Array.from({ length: 5 }, () => ({ status: 'unchanged' })),
      });
    });
    expect(calls).toEqual({ getListingInventory: 5 });
  });
});
