import type BetterSqlite3 from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadSqlite } from '../../src/sqlite.js';
import type { EndpointHealth, Store } from '../../src/core/ports/index.js';
import { buildListing, buildPlan, buildRequest } from './samples/listing_samples.js';
import { buildShop } from './samples/shop_samples.js';
import { createTwoAccounts, openWorld, START } from './world.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const CLAIM_MS = 45_000;
const WELL: EndpointHealth = {
  is_enabled: true,
  switched_off_at: null,
  switch_off_reason: null,
  failing_since: null,
  last_failed_at: null,
};

/** A store, and the SQL texts it has prepared; each is kept for the life of the process. */
async function openCounted() {
  const prepare = vi.spyOn(loadSqlite().prototype, 'prepare');
  onTestFinished(() => prepare.mockRestore());
  const { store, clock } = await openWorld();
  const { mine } = await createTwoAccounts(store);
  const explain = (sql: string) => {
    const sqlite = prepare.mock.contexts.at(-1) as BetterSqlite3.Database;
    const statement = sqlite.prepare(`EXPLAIN QUERY PLAN ${sql}`);
    const values = Array.from({ length: sql.split('?').length - 1 }, () => 1);
    return statement.all(...values).map((row) => (row as { detail: string }).detail);
  };
  return { store, clock, mine, explain, listPrepared: () => prepare.mock.calls.map(([sql]) => sql) };
}

type ListOptions = Partial<Parameters<Store['listings']['listListings']>[1]>;

it.each<[string, ListOptions, string[]]>([
  ['as they come', { offset: 90_000 }, ['listings_kept']],
  ['by their last change', { sort: 'changed' }, ['listings_by_change']],
  ['by title', { sort: 'title' }, ['listing_words_by_title']],
  ['by their state in a shop', { shop_state: 'sold_out' }, ['publications_by_state']],
  ['by their state in one shop', { shop_state: 'sold_out', shop_id: 1 }, ['publications_by_state']],
  ['of a status by title', { status: 'active', sort: 'title' }, ['listings_by_status']],
])('finds listings %s by an index, without sorting or scanning them', async (_how, more, indexes) => {
  const { store, mine, explain, listPrepared } = await openCounted();
  const count = listPrepared().length;
  await store.listings.listListings(mine, { limit: 24, offset: 0, ...more });
  const found = listPrepared()
    .slice(count)
    .filter((sql) => sql.includes(' limit '));
  const plan = found.flatMap(explain).join('\n');
  for (const index of indexes) expect(plan).toContain(` ${index} `);
  expect(plan).not.toMatch(/SCAN|CORRELATED|TEMP B-TREE/);
});

it.each<[string, ListOptions]>([
  ['words', { keywords: 'owl b' }],
  ['shop', { shop_id: 101 }],
  ['words, by title', { keywords: 'owl', sort: 'title' }],
  ['words, of a status', { keywords: 'owl', status: 'draft' }],
])('reads only rows an index leads to in a search by %s', async (_how, filter) => {
  const { store, mine, explain, listPrepared } = await openCounted();
  // More rows than SQLite assumes an account has.
  for (let n = 1; n <= 20; n += 1) {
    await store.listings.createListing(buildListing(mine, { draft: true, digest: `${n}` }), 0);
  }
  const count = listPrepared().length;
  const { total } = await store.listings.listListings(mine, { limit: 24, offset: 0, ...filter });
  expect(total).toBe(20);
  const plan = listPrepared().slice(count).flatMap(explain).join('\n');
  expect(plan).toMatch(/SEARCH (ended|listing_terms) USING PRIMARY KEY/);
  expect(plan).not.toMatch(/SCAN/);
  // All listings of an account are read only to count frequent words.
  expect(plan).not.toMatch(/SEARCH listing(s|_words) .*\(account_id=\?\)/);
});

it('counts jobs of each status in an index', async () => {
  const { store, explain, listPrepared } = await openCounted();
  await store.getFigures();
  const plan = listPrepared()
    .filter((sql) => sql.includes('from "jobs"'))
    .flatMap(explain);
  expect(plan).toEqual(['SCAN jobs USING COVERING INDEX jobs_by_status']);
});

it('finds updates that were in flight in a restored backup by an index', async () => {
  const { store, mine, explain, listPrepared } = await openCounted();
  await store.listings.listRestoredUpdates(mine, 100);
  const plan = listPrepared()
    .filter((sql) => sql.includes('is_restored'))
    .flatMap(explain);
  expect(plan).toEqual([expect.stringContaining('USING INDEX jobs_restored ')]);
});

it('saves any number of received orders with the same statements', async () => {
  const { store, mine, listPrepared } = await openCounted();
  const shop = { account_id: mine, shop_id: 1 };
  const tokens = { access_token: 'a', refresh_token: 'r', access_expires_at: START };
  await store.tokens.saveTokens(shop, { ...tokens, scopes: ['transactions_r'] });
  await store.shops.saveShop(buildShop(mine, 1));
  const saveSome = (count: number) =>
    store.orders.saveRecorded(
      shop,
      Array.from({ length: count }, (_, receipt_id) => ({
        receipt_id,
        created_at_s: 1,
        changes: ['paid'],
        summary: { updated_at_s: 1, total: null, items: [] },
      })),
    );
  await saveSome(1);
  const before = listPrepared();
  expect(before).not.toEqual([]);
  for (const count of [2, 3, 50]) await saveSome(count);
  expect(listPrepared()).toEqual(before);
  expect(await store.orders.listRecorded(shop, [0, 49])).toHaveLength(2);
});

it('sweeps any number of old deliveries with the same statements', async () => {
  const { store, clock, mine, listPrepared } = await openCounted();
  await store.webhooks.changeEndpoint(mine, () => ({
    account_id: mine,
    url: 'https://example.com/hook',
    events: ['order.paid'],
    ...WELL,
    secret: 'whsec_new',
    previous_secrets: [],
  }));
  clock.advance(2 * DAY_MS);
  const sweepSome = async (count: number) => {
    for (let n = 0; n < count; n += 1) await deliverOne(store, mine);
    const known = listPrepared();
    expect(await store.retention.sweepDeliveries(DAY_MS, 300)).toBe(count);
    return listPrepared().slice(known.length);
  };
  expect(await sweepSome(1)).not.toEqual([]);
  for (const count of [2, 3, 20]) expect(await sweepSome(count)).toEqual([]);
});

const SHOP = 101;
const range = (length: number) => Array.from({ length }, (_, n) => n + 1);

it.each<[string, (store: Store, account_id: string, length: number) => Promise<unknown>]>([
  [
    'creating and changing a listing with this many words, shops and uploads',
    async (store, account_id, length) => {
      const build = (word: string) => {
        const title = range(length)
          .map((n) => `${word}${n}`)
          .join(' ');
        const images = range(length).map((n) => ({ url: `service-upload://upl_${n}/photo.jpg` }));
        const request = buildRequest(range(length));
        return { ...request, listing: { ...request.listing, title, images } };
      };
      const job_id = `job_${length}`;
      const listing = buildListing(account_id, { digest: job_id });
      const plan = buildPlan(range(length));
      const job = { job_id, plan, state: 'publish' } as const;
      await store.listings.createListing({ ...listing, request: build('oak'), job }, 0);
      const claim = await store.listings.claimJob(account_id, job_id, CLAIM_MS);
      const end = { status: 'completed' as const, results: [], error_message: null };
      await store.listings.finishJob(claim!, { ...end, request: build('ash') });
    },
  ],
  [
    'a page of this many',
    (store, account_id, length) => store.listings.listListings(account_id, { limit: length, offset: 0 }),
  ],
  [
    'a search for this many words',
    async (store, account_id, length) => {
      if (length === 1) await createDraft(store, account_id);
      const keywords = Array<string>(length).fill('oak').join(' ');
      const { total } = await store.listings.listListings(account_id, { limit: 1, offset: 0, keywords });
      expect(total).toBe(1);
    },
  ],
  [
    'a search with this many matches',
    async (store, account_id, length) => {
      while ((await countDrafts(store, account_id)) < length) await createDraft(store, account_id);
      return store.listings.listListings(account_id, { limit: 1, offset: 0, keywords: 'oak' });
    },
  ],
  ['marking this many as stale', (store, _, length) => store.refreshes.markStale(SHOP, range(length), 0)],
  [
    'looking up this many known ids',
    (store, _, length) => store.listings.listKnownListingIds(SHOP, range(length)),
  ],
  [
    'looking up this many ordered listings',
    (store, account_id, length) => {
      return store.orders.listListingPks({ account_id, shop_id: SHOP }, range(length));
    },
  ],
  [
    'looking up this many recorded orders',
    (store, account_id, length) => store.orders.listRecorded({ account_id, shop_id: SHOP }, range(length)),
  ],
  [
    'looking up this many uploads',
    (store, account_id, length) => {
      const upload_ids = range(length).map((n) => `upl_${n}`);
      return store.uploads.findUploads(account_id, upload_ids);
    },
  ],
])('prepares few statements, whatever the number: %s', async (_what, act) => {
  const { store, mine, listPrepared } = await openCounted();
  for (let length = 1; length <= 40; length += 1) await act(store, mine, length);
  const counts = new Map<string, number>();
  for (const sql of listPrepared()) {
    const statement = sql
      .replaceAll(/\?(, \?)+/g, '?')
      .replaceAll(/\(\?\)(, \(\?\))+/g, '(?)')
      .replaceAll(/(and \S+ LIKE \? ESCAPE \S+ ?)+/gi, 'and LIKE ');
    counts.set(statement, (counts.get(statement) ?? 0) + 1);
  }
  // 1, 2, 4 and so on to 64; for word endings up to 256.
  expect([...counts].filter(([, count]) => count > 9)).toEqual([]);
  expect(listPrepared().length).toBeLessThan(200);
});

let drafts = 0;

async function createDraft(store: Store, account_id: string): Promise<void> {
  drafts += 1;
  await store.listings.createListing(buildListing(account_id, { draft: true, digest: `${drafts}` }), 0);
}

async function countDrafts(store: Store, account_id: string): Promise<number> {
  return (await store.listings.listListings(account_id, { limit: 1, offset: 0 })).total;
}

let events = 0;

/** An event at START, delivered. */
async function deliverOne(store: Store, account_id: string): Promise<void> {
  events += 1;
  const event_id = `evt_${events}`;
  await store.webhooks.recordEvent({
    account_id,
    event_id,
    event_type: 'order.paid',
    payload: '{}',
    created_at: START,
    subject: null,
    change_key: event_id,
  });
  const [delivery] = await store.webhooks.claimDue(account_id, CLAIM_MS, 1);
  const end = { status: 'success', response_status_code: 200, error: null, completed_at: START } as const;
  await store.webhooks.endDelivery(delivery!, end, () => ({ health: WELL, next: null }));
}
