import pg from 'pg';
import { expect, it } from 'vitest';
import {
  ClaimLostError,
  type SeenListing,
  type Snapshot,
  buildEmptyProgress,
} from '../../../src/core/ports/index.js';
import { getDatabase } from '../../postgres/world.js';
import { buildListing } from '../samples/listing_samples.js';
import { buildShop } from '../samples/shop_samples.js';
import { createTwoAccounts, ON_SQLITE, openWorld, START } from '../world.js';

/* When managed listings are re-read, by which process, and what is saved of that. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SHOP_ID = 101;

/** Listing 5001 of `mine` is in the shop, which both accounts have connected. */
async function open() {
  const { store, clock, data_dir } = await openWorld();
  const second = await openWorld({ data_dir });
  const { mine, other } = await createTwoAccounts(store);
  for (const account_id of [mine, other]) {
    const tokens = { access_token: 'a', refresh_token: 'r', access_expires_at: START };
    await store.tokens.saveTokens({ account_id, shop_id: SHOP_ID }, { ...tokens, scopes: ['listings_r'] });
    await store.shops.saveShop(buildShop(account_id, SHOP_ID));
  }
  await store.listings.createListing(buildListing(mine), HOUR_MS);
  const job = await store.listings.claimJob(mine, 'job_1', MINUTE_MS);
  if (!job) throw new Error('no other claim exists');
  const shop = { account_id: mine, shop_id: SHOP_ID };
  const publish = (sighting?: SeenListing, age_ms = 0, snapshots: readonly Snapshot[] = []) =>
    store.listings.savePublication(
      job,
      {
        shop_id: SHOP_ID,
        listing_id: 5001,
        progress: buildEmptyProgress(),
        sighting: sighting && { ...sighting, getAge_ms: () => age_ms },
      },
      snapshots,
    );
  const advance = (ms: number): void => {
    for (const each of [clock, second.clock]) each.advance(ms);
  };
  const inspect = async () => {
    const [seen] = await store.listings.listSightings(mine, 1);
    return seen;
  };
  return { ...store, store, second: second.store, data_dir, clock, advance, shop, publish, inspect };
}

const shown = { title: 'Oak bowl', description: '', tags: [], price: 40, quantity: 1 };
const later = (ms: number) => new Date(Date.parse(START) + ms).toISOString();

it('checks a shop as soon as it has one of our listings, by one process at a time', async () => {
  const { refreshes, second, publish, shop, advance, store } = await open();
  expect(await refreshes.listRefreshes()).toMatchObject([]);
  await publish();
  expect(await refreshes.listRefreshes()).toMatchObject([{ ...shop, due_in_ms: 0 }]);
  const claim = await refreshes.claimRefresh(shop, MINUTE_MS);
  expect(claim).toMatchObject({ ...shop, is_whole: true });
  expect(await second.refreshes.claimRefresh(shop, MINUTE_MS)).toBeUndefined();
  advance(MINUTE_MS);
  const taken = await second.refreshes.claimRefresh(shop, MINUTE_MS);
  expect(taken?.fence).toBe((claim?.fence ?? 0) + 1);
  await expect(refreshes.renewRefresh(claim!, MINUTE_MS)).rejects.toBeInstanceOf(ClaimLostError);
  await refreshes.finishRefresh(claim!, { whole_in_ms: 0 });
  expect(await refreshes.claimRefresh(shop, MINUTE_MS)).toBeUndefined();
  await second.refreshes.finishRefresh(taken!, { whole_in_ms: 5 * HOUR_MS });
  expect(await refreshes.listRefreshes()).toMatchObject([{ ...shop, due_in_ms: 5 * HOUR_MS }]);
  advance(5 * HOUR_MS);
  expect(await refreshes.claimRefresh(shop, MINUTE_MS)).toMatchObject({ is_whole: true });
  await store.close();
  expect(await second.refreshes.claimRefresh(shop, MINUTE_MS)).toBeDefined();
});

it('checks listings that may have changed at once, and no others', async () => {
  const { refreshes, listings, publish, shop, advance } = await open();
  await publish();
  const first = await refreshes.claimRefresh(shop, MINUTE_MS);
  await refreshes.finishRefresh(first!, { whole_in_ms: 5 * HOUR_MS });
  await refreshes.markStale(SHOP_ID, [5001, 4711], 3_000);
  expect(await refreshes.listRefreshes()).toMatchObject([{ ...shop, due_in_ms: 3_000 }]);
  advance(1_000);
  await refreshes.markStale(SHOP_ID, [5001], 3_000);
  expect(await refreshes.listRefreshes()).toMatchObject([{ ...shop, due_in_ms: 2_000 }]);
  advance(2_000);
  expect(await refreshes.listRefreshes()).toMatchObject([{ ...shop, due_in_ms: 0 }]);
  const claim = await refreshes.claimRefresh(shop, MINUTE_MS);
  expect(claim).toMatchObject({ is_whole: false });
  expect(await refreshes.listManaged(shop, { is_stale: true })).toEqual([
    { listing_id: 5001, state: null, is_varied: false },
  ]);
  advance(MINUTE_MS / 2);
  // Sold again while it was read: the values read may be outdated.
  await refreshes.markStale(SHOP_ID, undefined, 0);
  await listings.saveSightings(shop, [{ listing_id: 5001, state: 'active', ends_at: null, shown }], 1_000);
  await refreshes.finishRefresh(claim!, {});
  expect(await refreshes.listRefreshes()).toMatchObject([{ ...shop, due_in_ms: 0 }]);
  const again = await refreshes.claimRefresh(shop, MINUTE_MS);
  await refreshes.finishRefresh(again!, { pause_ms: MINUTE_MS });
  expect(await refreshes.listRefreshes()).toMatchObject([{ ...shop, due_in_ms: MINUTE_MS }]);
  await listings.saveSightings(shop, [{ listing_id: 5001, state: 'sold_out', ends_at: null, shown }], 0);
  expect(await refreshes.listManaged(shop, { is_stale: true })).toEqual([]);
  advance(MINUTE_MS);
  const last = await refreshes.claimRefresh(shop, MINUTE_MS);
  expect(last).toMatchObject({ is_whole: false });
  await refreshes.finishRefresh(last!, {});
  expect(await refreshes.listRefreshes()).toMatchObject([
    { ...shop, due_in_ms: 5 * HOUR_MS - 1.5 * MINUTE_MS - 3_000 },
  ]);
});

it('never replaces a newer sighting with an older one', async () => {
  const { listings, publish, shop, advance, inspect } = await open();
  await publish({ state: 'draft', ends_at: null, shown });
  expect(await inspect()).toMatchObject({ state: 'draft', seen_at: later(0) });
  advance(MINUTE_MS);
  await listings.saveSightings(
    shop,
    [{ listing_id: 5001, state: 'active', ends_at: later(9), shown }],
    1_000,
  );
  await listings.saveSightings(shop, [{ listing_id: 5001, state: 'inactive', ends_at: null, shown }], 2_000);
  expect(await inspect()).toEqual({
    shop_id: SHOP_ID,
    state: 'active',
    seen_at: later(MINUTE_MS - 1_000),
    ends_at: later(9),
    listing_id: 5001,
    shown,
  });
  const foreign = { ...shop, account_id: 'acct_nobody' };
  await listings.saveSightings(foreign, [{ listing_id: 5001, state: 'gone', ends_at: null, shown }], 0);
  expect(await inspect()).toMatchObject({ state: 'active' });
});

it("keeps sightings and stale marks that are newer than a job's own read", async () => {
  const { listings, refreshes, publish, shop, advance, inspect } = await open();
  const seen = { ends_at: null, shown };
  await publish({ ...seen, state: 'draft' });
  advance(MINUTE_MS);
  await listings.saveSightings(shop, [{ ...seen, listing_id: 5001, state: 'sold_out' }], 0);
  await refreshes.markStale(SHOP_ID, [5001], 0);
  await publish({ ...seen, state: 'active' }, 1_000);
  expect(await inspect()).toMatchObject({ state: 'sold_out', seen_at: later(MINUTE_MS) });
  expect(await refreshes.listManaged(shop, { is_stale: true })).toHaveLength(1);
  advance(MINUTE_MS);
  await refreshes.markStale(SHOP_ID, [5001], 0);
  advance(2_000);
  await publish({ ...seen, state: 'active' }, 3_000);
  expect(await inspect()).toMatchObject({ state: 'active', seen_at: later(2 * MINUTE_MS - 1_000) });
  // Marked before, and not marked again until it is read.
  await publish({ ...seen, state: 'active' }, 0);
  expect(await refreshes.listManaged(shop, { is_stale: true })).toEqual([]);
});

it.skipIf(ON_SQLITE)(
  'makes a check that ends while a listing is being marked wait, and see the mark',
  async () => {
    const { refreshes, publish, shop, data_dir } = await open();
    await publish();
    const claim = await refreshes.claimRefresh(shop, MINUTE_MS);
    const connectionString = await getDatabase(data_dir);
    const [marker, looker] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
    await Promise.all([marker.connect(), looker.connect()]);
    try {
      await marker.query('BEGIN');
      await marker.query('UPDATE publications SET stale_since = $1', [START]);
      await marker.query('UPDATE listing_looks SET next_at = $1', [START]);
      const ending = refreshes.finishRefresh(claim!, { whole_in_ms: HOUR_MS });
      await expect
        .poll(async () => {
          const waiting = await looker.query(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return waiting.rowCount;
        })
        .toBe(1);
      await marker.query('COMMIT');
      await ending;
    } finally {
      await Promise.all([marker.end(), looker.end()]);
    }
    expect(await refreshes.listRefreshes()).toMatchObject([{ ...shop, due_in_ms: 0 }]);
  },
);

it('replaces a sighting from a clock that was ahead and has been set right, but not with an older one', async () => {
  const { advance, publish, inspect, store, shop } = await open();
  const seen = { listing_id: 5001, state: 'active' as const, ends_at: null };
  advance(HOUR_MS);
  await publish({ ...seen, shown });
  expect(await inspect()).toMatchObject({ seen_at: later(HOUR_MS), shown: { price: 40 } });
  advance(-HOUR_MS + MINUTE_MS);
  await store.listings.saveSightings(shop, [{ ...seen, shown: { ...shown, price: 41 } }], 0);
  expect(await inspect()).toMatchObject({ seen_at: later(MINUTE_MS), shown: { price: 41 } });
  await store.listings.saveSightings(shop, [{ ...seen, shown }], 1_000);
  expect(await inspect()).toMatchObject({ seen_at: later(MINUTE_MS), shown: { price: 41 } });
});

it('does not take a snapshot from a clock that was ahead for a recent one', async () => {
  const { advance, publish, store, shop } = await open();
  advance(HOUR_MS);
  await publish(undefined, 0, [{ shop_id: SHOP_ID, snapshot: { images: [] } }]);
  const age = async () =>
    (await store.listings.listSnapshots(shop.account_id, 1)).map(({ age_ms }) => age_ms);
  advance(1_000);
  expect(await age()).toEqual([1_000]);
  advance(-HOUR_MS);
  expect(await age()).toEqual([Number.POSITIVE_INFINITY]);
});
