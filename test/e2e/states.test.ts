import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/world/clock.js';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { buildMug, listTargets, upload } from '../service.js';
import { openMcpStateless, openRest, type Face, type Output } from '../surfaces/faces.js';
import { openMarketplaceView, type MarketplaceView, type Place } from './marketplace_view.js';

/* The answer of listing_get for a listing that is expired, sold out, renewed or gone, and for the fees paid. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FOUR_MONTHS_MS = 120 * 24 * HOUR_MS;

type Standing = { shop_id: string; listing_id: number; state: string; seen_at: string; ends_at: string };
type Result = { shop_id: string; listing_id: number; activated?: boolean; activation_cost_usd?: number };
type Detail = { listing_pk: number; shops: Standing[]; results: Result[] };

let dashboard: TestDashboard;
let marketplace: MarketplaceView;
let faces: Record<'REST' | 'MCP', Face>;
let targets: object[];
let ahead_ms = 0;

beforeAll(async () => {
  const clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
  dashboard = await startDashboard({ MAX_ACTIVATIONS_PER_DAY: '100' }, { clock });
  const { key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test');
  faces = { REST: openRest(dashboard.url, key), MCP: openMcpStateless(dashboard.url, key) };
  targets = await listTargets(dashboard.service);
  marketplace = await openMarketplaceView(dashboard.service.data_dir);
});
afterAll(async () => {
  await faces.MCP.close();
  await marketplace.close();
  await dashboard.close();
});

describe.each(['REST', 'MCP'] as const)('over %s', (name) => {
  let listing_pk: number;
  let places: { shop_id: number; listing_id: number }[];

  const call = async <Answer = Output>(id: string, input: Output): Promise<Answer> => {
    const answer = await faces[name].call(id, input);
    if (!answer.ok) throw new Error(`${id}: ${JSON.stringify(answer.error)}`);
    return answer.output as Answer;
  };
  const get = () => call<Detail>('listing_get', { listing_pk });
  const getStates = async () => (await get()).shops.map(({ state }) => state);
  const edit = async (body: object) => {
    for (const { listing_id } of places)
      await dashboard.service.control('POST', `/listings/${listing_id}/edit`, body);
  };
  const pass = (advance_ms: number) =>
    dashboard.service.control('POST', '/clock', {
      advance_ms,
      listing_ids: places.map(({ listing_id }) => listing_id),
    });
  const countFees = async () => {
    const { fees } = await dashboard.service.control<{ fees: { listing_id: number }[] }>('GET', '/state');
    return places.map((place) => fees.filter(({ listing_id }) => listing_id === place.listing_id).length);
  };
  /** The fee of each job. */
  const listCosts = async () => {
    const { history } = await call<{ history: { jobs: { kind: string; cost_usd: number }[] } }>(
      'listing_get',
      { listing_pk, history: true },
    );
    return history.jobs.map(({ kind, cost_usd }) => [kind, cost_usd]);
  };
  const open = () => {
    ahead_ms += MINUTE_MS + 1_000;
    return get();
  };

  beforeEach(async () => {
    const images = [{ url: await upload(dashboard.service, 'photo-01.jpg') }];
    const title = `Mug ${Math.random()}`;
    const mug = buildMug(targets, { state: 'active', images });
    const made = await call<Detail>('listing_create', { ...mug, listing: { ...mug.listing, title } });
    ({ listing_pk } = made);
    places = made.results.map(({ shop_id, listing_id }) => ({ shop_id: Number(shop_id), listing_id }));
  });

  it('a listing with all offerings at zero is deactivated for free, as a dry run says', async () => {
    const changes = { offerings: [{ quantity: 0 }] };
    const planned = await call('listing_update', { listing_pk, changes, dry_run: true });
    const off_sale = {
      diff: [{ field: 'state', before: 'active', after: 'inactive' }],
      warnings: [{ code: 'off_sale' }],
    };
    expect(planned).toMatchObject({ status: 'valid', cost_usd: 0, shops: [off_sale, off_sale] });
    expect(await getStates()).toEqual(['active', 'active']);
    const done = await call('listing_update', { listing_pk, changes });
    expect(done).toMatchObject({ status: 'completed', results: [off_sale, off_sale] });
    expect(await getStates()).toEqual(['inactive', 'inactive']);
    expect(await countFees()).toEqual([1, 1]);
    expect(await listCosts()).toEqual([
      ['publish', 0.4],
      ['update', 0],
    ]);
    for (const place of places) {
      expect(await marketplace.readAll(place)).toMatchObject({ fields: { state: 'inactive', quantity: 4 } });
    }
  });

  it('an expired listing is shown with its end a minute later, and after its renewal with the cost', async () => {
    await pass(FOUR_MONTHS_MS);
    const { shops } = await open();
    expect(shops.map(({ state }) => state)).toEqual(['expired', 'expired']);
    for (const { ends_at } of shops) expect(Date.parse(ends_at)).toBeLessThan(Date.now());
    expect(await countFees()).toEqual([1, 1]);
    const [first] = places;
    const back = { listing_pk, state: 'active', shops: [first?.shop_id] };
    expect(await call('listing_publish', { ...back, dry_run: true })).toMatchObject({ cost_usd: 0.2 });
    const renewed = await call('listing_publish', back);
    expect(renewed).toMatchObject({ results: [{ activated: true, activation_cost_usd: 0.2 }] });
    const after = await get();
    expect(after.shops.map(({ state }) => state)).toEqual(['active', 'expired']);
    expect(Date.parse(after.shops[0]?.ends_at ?? '')).toBeGreaterThan(Date.now());
    expect(await countFees()).toEqual([2, 1]);
    expect(await listCosts()).toEqual([
      ['publish', 0.4],
      ['on_sale', 0.2],
    ]);
  });

  it('an imported listing that expired shows the cost of its renewal', async () => {
    const [{ shop_id }] = places as [Place];
    const made = await dashboard.service.control<{ listing_ids: [number] }>('POST', '/listings', {
      shop_id,
      is_plain: true,
    });
    const imported = await call<{ results: [{ listing_pk: number }] }>('listing_import', {
      shop_id,
      listing_ids: made.listing_ids,
    });
    listing_pk = imported.results[0].listing_pk;
    places = [{ shop_id, listing_id: made.listing_ids[0] }];
    await pass(FOUR_MONTHS_MS);
    expect((await open()).shops.map(({ state }) => state)).toEqual(['expired']);
    await call('listing_publish', { listing_pk, state: 'active', shops: [shop_id] });
    expect(await listCosts()).toEqual([['on_sale', 0.2]]);
    expect(await countFees()).toEqual([1]);
  });

  it('a sold-out listing is shown as such a minute later', async () => {
    for (const { listing_id } of places) {
      await dashboard.service.control('POST', `/listings/${listing_id}/sell`, { quantity: 4 });
    }
    expect((await open()).shops.map(({ state }) => state)).toEqual(['sold_out', 'sold_out']);
    expect(await countFees()).toEqual([1, 1]);
  });

  it('a listing renewed by the marketplace is active with the new end', async () => {
    const { shops: before } = await get();
    await edit({ should_auto_renew: true });
    await pass(FOUR_MONTHS_MS);
    const { shops } = await open();
    expect(shops.map(({ state }) => state)).toEqual(['active', 'active']);
    expect(await countFees()).toEqual([2, 2]);
    for (const [index, { ends_at }] of shops.entries()) {
      expect(Math.abs(Date.parse(ends_at) - Date.parse(before[index]?.ends_at ?? ''))).toBeLessThan(1_000);
      expect(Date.parse(ends_at)).toBeGreaterThan(Date.now());
    }
  });

  it('a listing that was removed there is gone once the marketplace no longer knows it', async () => {
    const [first, second] = places;
    if (!first || !second) throw new Error('it stands in two shops');
    await dashboard.service.control('POST', `/listings/${first.listing_id}/edit`, { state: 'removed' });
    await marketplace.remove(second);
    expect((await open()).shops.map(({ state }) => state)).toEqual(['removed', 'gone']);
  });

  it('an unopened listing is up to date in lists within six hours', async () => {
    const listStates = async () => {
      const { listings } = await call<{ listings: Detail[] }>('listings_list', { limit: 100 });
      const found = listings.find((one) => one.listing_pk === listing_pk);
      return found?.shops.map(({ state, seen_at }) => [
        state,
        Date.now() + ahead_ms - Date.parse(seen_at) < 6 * HOUR_MS,
      ]);
    };
    await pass(FOUR_MONTHS_MS);
    ahead_ms += 5 * HOUR_MS;
    await dashboard.service.app.core.refreshes.refreshDue(new AbortController().signal);
    ahead_ms += HOUR_MS - MINUTE_MS;
    await dashboard.service.app.core.refreshes.refreshDue(new AbortController().signal);
    expect(await listStates()).toEqual([
      ['expired', true],
      ['expired', true],
    ]);
  });
});
