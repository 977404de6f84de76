import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/world/clock.js';
import { makeListing, type Made } from '../core/listings/update/rig.js';
import { startDashboard, toText, type TestDashboard } from '../dashboard/visitor.js';
import { CLAY, LINEN } from '../service.js';
import { openMcpStateless, openRest, type Face, type Output } from './faces.js';

/* Prices of single variations that were edited on the marketplace, over REST, over MCP and on the dashboard. */

const MINUTE_MS = 60_000;
const SIX_HOURS_MS = 6 * 60 * MINUTE_MS;
const { signal } = new AbortController();

let dashboard: TestDashboard;
let faces: { rest: Face; mcp: Face };
let ahead_ms = 0;
beforeAll(async () => {
  const clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
  dashboard = await startDashboard({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' }, { clock });
  const { key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test');
  faces = { rest: openRest(dashboard.url, key), mcp: openMcpStateless(dashboard.url, key) };
});
afterAll(async () => {
  await faces.mcp.close();
  await dashboard.close();
});

const variations = {
  properties: [
    { property_id: 513, name: 'Glaze', values: ['Sand', 'Moss No. 2'] },
    { property_id: 514, name: 'Foot', values: ['Raw', 'Glazed'] },
  ],
  offerings: [
    { glaze: 'Sand', foot: 'Raw', price: 20, quantity: 3, sku: 'SAND-RAW' },
    { glaze: 'Sand', foot: 'Glazed', price: 21, quantity: 3, sku: 'SAND-GLAZED' },
    { glaze: 'Moss No. 2', foot: 'Raw', price: 22, quantity: 3, sku: 'MOSS-RAW' },
    { glaze: 'Moss No. 2', foot: 'Glazed', price: 23, quantity: 3, sku: 'MOSS-GLAZED', enabled: false },
  ],
};
const MOSS = 'variations.offerings[Glaze: Moss No. 2, Foot: Raw].price';

let made: Made;
beforeEach(async () => {
  ahead_ms += 2 * SIX_HOURS_MS;
  made = await makeListing(dashboard.service, { more: { variations } });
});

const edit = (shop_id: number, body: object) => {
  const listing_id = made.shops.find((shop) => shop.shop_id === shop_id)?.listing_id;
  return dashboard.service.control('POST', `/listings/${listing_id}/edit`, body);
};
const raiseMoss = (price: number) => edit(CLAY.shop_id, { products: [{ sku: 'MOSS-RAW', price }] });
const wait = (ms: number) => (ahead_ms += ms);

describe.each(['rest', 'mcp'] as const)('over %s', (name) => {
  const call = async (id: string, input: Output) => {
    const answer = await faces[name].call(id, input);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.output;
  };
  const listDiffering = async () => {
    const { shops } = await call('listing_get', { listing_pk: made.listing_pk });
    return (shops as { differs?: Output[] }[]).map(({ differs }) => differs);
  };

  it('an edited price is listed only for its shop', async () => {
    expect(await listDiffering()).toEqual([undefined, undefined]);
    await raiseMoss(30);
    wait(2 * MINUTE_MS);
    expect(await listDiffering()).toEqual([[{ field: MOSS, ours: 22, theirs: 30 }], undefined]);
  });

  it('each shop is compared with its own prices', async () => {
    const changes = { offerings: [{ sku: 'MOSS-RAW', price: 40 }] };
    await call('listing_update', { listing_pk: made.listing_pk, changes, shops: [LINEN.shop_id] });
    wait(2 * MINUTE_MS);
    expect(await listDiffering()).toEqual([undefined, undefined]);
    await raiseMoss(40);
    await edit(LINEN.shop_id, { products: [{ sku: 'MOSS-RAW', price: 22 }] });
    wait(2 * MINUTE_MS);
    expect(await listDiffering()).toEqual([
      [{ field: MOSS, ours: 22, theirs: 40 }],
      [{ field: MOSS, ours: 40, theirs: 22 }],
    ]);
  });

  it('pending prices and prices of hidden combinations are not listed', async () => {
    await edit(CLAY.shop_id, {
      products: [{ sku: 'MOSS-GLAZED', price: 99 }],
    });
    await edit(LINEN.shop_id, { state: 'sold_out' });
    const changes = { offerings: [{ sku: 'MOSS-RAW', price: 44 }] };
    await call('listing_update', { listing_pk: made.listing_pk, changes, shops: [LINEN.shop_id] });
    wait(2 * MINUTE_MS);
    const { shops } = await call('listing_get', { listing_pk: made.listing_pk });
    expect(shops).toMatchObject([{}, { pending: [{ field: MOSS, after: 44 }] }]);
    expect(await listDiffering()).toEqual([undefined, undefined]);
  });
});

it("the dashboard shows an edited price on the listing's page and among the edits on Today", async () => {
  await raiseMoss(30);
  wait(SIX_HOURS_MS);
  await dashboard.service.app.core.refreshes.refreshDue(signal);
  const { account_id } = dashboard;
  const changed = await dashboard.service.app.core.listings.listChangedElsewhere(account_id);
  expect(changed).toContainEqual({
    listing_pk: made.listing_pk,
    title: 'Stoneware mug',
    fields: [MOSS],
    shop_names: [CLAY.shop_name],
  });
  const visitor = await dashboard.signIn();
  const { text } = await visitor.get(`/dashboard/listings/${made.listing_pk}`);
  expect(toText(text)).toContain('Glaze: Moss No. 2, Foot: Raw, price from 22.00 USD → 30.00 USD');
});

const refuse = (operation: string, status: number) =>
  dashboard.service.control('POST', '/faults', {
    rules: [{ operation, times: 99, action: { type: 'status', status } }],
  });
const open = () => faces.rest.call('listing_get', { listing_pk: made.listing_pk });
const countCalls = async () => {
  const { calls } = await dashboard.service.control<{ calls: Record<string, number> }>('GET', '/state');
  return Object.values(calls).reduce((sum, count) => sum + count, 0);
};
const countNew = async (work: () => Promise<unknown>) => {
  const before = await countCalls();
  await work();
  return (await countCalls()) - before;
};

describe('if the marketplace refuses the prices of variations', () => {
  afterEach(() => dashboard.service.control('DELETE', '/faults'));

  it.each([400, 404])('a listing is read again after a minute, not earlier (%i)', async (status) => {
    await refuse('getListingInventory', status);
    wait(2 * MINUTE_MS);
    expect(await countNew(open)).toBe(4);
    expect(await countNew(open)).toBe(0);
  });

  it.each([400, 404])('the background refresh keeps everything else it read (%i)', async (status) => {
    await edit(CLAY.shop_id, { title: 'Other mug' });
    await refuse('getListingsInventoryByListingIds', status);
    wait(SIX_HOURS_MS);
    await dashboard.service.app.core.refreshes.refreshDue(signal);
    const changed = await dashboard.service.app.core.listings.listChangedElsewhere(dashboard.account_id);
    expect(changed).toContainEqual(
      expect.objectContaining({ listing_pk: made.listing_pk, fields: ['listing.title'] }),
    );
  });
});
