import BetterSqlite3 from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { EndpointHealth, Store } from '../../src/core/ports/index.js';
import { buildListing } from './samples/listing_samples.js';
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

/** A store, and which texts of SQL it has prepared: each is kept for as long as the process lives. */
async function openCounted() {
  const prepare = vi.spyOn(BetterSqlite3.prototype, 'prepare');
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
])(
  'listings %s are found by an index, and never sorted or looked at one by one',
  async (_how, more, indexes) => {
    const { store, mine, explain, listPrepared } = await openCounted();
    const count = listPrepared().length;
    await store.listings.listListings(mine, { limit: 24, offset: 0, ...more });
    const found = listPrepared()
      .slice(count)
      .filter((sql) => sql.includes(' limit '));
    const plan = found.flatMap(explain).join('\n');
    for (const index of indexes) expect(plan).toContain(` ${index} `);
    expect(plan).not.toMatch(/SCAN|CORRELATED|TEMP B-TREE/);
  },
);

it.each<[string, ListOptions]>([
  ['words', { keywords: 'owl b' }],
  ['shop', { shop_id: 101 }],
  ['words, by title', { keywords: 'owl', sort: 'title' }],
  ['words, of a status', { keywords: 'owl', status: 'draft' }],
])('a search by %s reads what an index leads to', async (_how, filter) => {
  const { store, mine, explain, listPrepared } = await openCounted();
  await store.listings.createListing(buildListing(mine, { draft: true }), 0);
  const count = listPrepared().length;
  const { total } = await store.listings.listListings(mine, { limit: 24, offset: 0, ...filter });
  expect(total).toBe(1);
  const plan = listPrepared().slice(count).flatMap(explain).join('\n');
  expect(plan).toMatch(/SEARCH (ended|listing_terms) USING PRIMARY KEY/);
  expect(plan).not.toMatch(/SCAN/);
  // All of a text are read only to count what many have.
  expect(plan).not.toMatch(/SEARCH listing_words USING PRIMARY KEY \(account_id=\?\)/);
});

it('orders that were heard of are saved with the same statements, however many they are', async () => {
  const { store, mine, listPrepared } = await openCounted();
  const shop = { account_id: mine, shop_id: 1 };
  const tokens = { access_token: 'a', refresh_token: 'r', access_expires_at: START };
  await store.tokens.saveTokens(shop, { ...tokens, scopes: ['transactions_r'] });
  await store.shops.saveShop(buildShop(mine, 1));
  const saveSome = (count: number) =>
    store.orders.saveHeard(
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
  expect(await store.orders.listHeard(shop, [0, 49])).toHaveLength(2);
});

it('old deliveries are swept with the same statements, however many they are', async () => {
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

let events = 0;

/** An event of START, delivered. */
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
