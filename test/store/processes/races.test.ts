import { describe, expect, it } from 'vitest';
import {
  ListingTakenError,
  QuotaError,
  SpendingLimitError,
  type Store,
  buildEmptyProgress,
} from '../../../src/core/ports/index.js';
import { buildListing } from '../samples/listing_samples.js';
import { ask } from '../raw.js';
import { buildShop } from '../samples/shop_samples.js';
import { createTwoAccounts, openWorld, START } from '../world.js';

/*
 * Two instances that act at once, each on its own connections, must produce the same result as one after the
 * other.
 */

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ROUNDS = 15;
const TOKENS = { access_token: 'a', refresh_token: 'r', access_expires_at: START, scopes: ['listings_r'] };
const APPLICATION = { keystring: 'brought', shared_secret: 'shared', webhook_secret: null };

async function openTwo() {
  const first = await openWorld();
  const second = await openWorld({ data_dir: first.data_dir });
  const { mine, other } = await createTwoAccounts(first.store);
  const stores: readonly [Store, Store] = [first.store, second.store];
  return { ...first, stores, mine, other };
}

/** Runs the actions concurrently, alternating between the two stores. */
function atOnce<T>(
  [first, second]: readonly [Store, Store],
  count: number,
  work: (store: Store, n: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => work(n % 2 === 0 ? first : second, n)));
}

/** Counts how often each word occurs. */
function count(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/** The outcome of each: its value as text, or the name of the error it threw. */
async function tell<T>(work: Promise<T>): Promise<string> {
  try {
    return String(await work);
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

describe('listings created at once', () => {
  it('are one listing if they have the same key or the same body', async () => {
    const { stores, mine } = await openTwo();
    for (let round = 0; round < ROUNDS; round += 1) {
      const binding = round % 2 === 0 ? { key: `key-${round}` } : {};
      const made = await atOnce(stores, 6, async (store, n) => {
        const listing = buildListing(mine, {
          ...binding,
          digest: `digest-${round}`,
          job_id: `job_${round}_${n}`,
        });
        return (await store.listings.createListing(listing, MINUTE_MS)).match;
      });
      expect(count(made)).toEqual({ created: 1, same: 5 });
    }
    expect((await stores[0].getFigures()).jobs).toEqual({ processing: ROUNDS, completed: 0, failed: 0 });
  });

  it('spend no more than the limit', async () => {
    const { stores, mine } = await openTwo();
    const spending = { wanted: 1, limit: { most: 5, window_ms: DAY_MS } };
    const made = await atOnce(stores, 20, (store, n) => {
      const listing = { ...buildListing(mine, { digest: `digest-${n}`, job_id: `job_${n}` }), spending };
      return tell(store.listings.createListing(listing, 0).then(({ match }) => match));
    });
    expect(count(made)).toEqual({ created: 5, [new SpendingLimitError('').name]: 15 });
  });

  it('stay within the limit of drafts, and are all counted', async () => {
    const { stores, mine } = await openTwo();
    const most = { drafts: 7, draft_bytes: 1_000_000 };
    const made = await atOnce(stores, 20, (store, n) => {
      const listing = { ...buildListing(mine, { digest: `digest-${n}`, draft: true }), most };
      return tell(store.listings.createListing(listing, 0).then(({ match }) => match));
    });
    expect(count(made)).toEqual({ created: 7, [new QuotaError('drafts').name]: 13 });
    expect(await stores[1].usage.getUsage(mine)).toMatchObject({ drafts: 7 });
  });

  it('adopt a listing of the marketplace only once', async () => {
    const { stores, mine } = await openTwo();
    for (let n = 0; n < ROUNDS; n += 1) {
      const saved = await atOnce(stores, 2, async (store, turn) => {
        const job_id = `job_${n}_${turn}`;
        await store.listings.createListing(buildListing(mine, { digest: job_id, job_id }), 0);
        const claim = await store.listings.claimJob(mine, job_id, MINUTE_MS);
        const publication = { shop_id: 101, listing_id: 5000 + n, progress: buildEmptyProgress() };
        return tell(store.listings.savePublication(claim!, { ...publication, sighting: undefined }));
      });
      expect(count(saved)).toEqual({ undefined: 1, [new ListingTakenError('').name]: 1 });
    }
  });
});

describe('concurrent claims', () => {
  it('give a job to one process', async () => {
    const { stores, mine } = await openTwo();
    for (let n = 0; n < ROUNDS; n += 1) {
      const job_id = `job_${n}`;
      await stores[0].listings.createListing(buildListing(mine, { digest: job_id, job_id }), 0);
      const claims = await atOnce(stores, 6, (store) => store.listings.claimJob(mine, job_id, MINUTE_MS));
      expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
    }
  });

  it('give each delivery, check and poll to one process', async () => {
    const { stores, mine } = await openTwo();
    const [first] = stores;
    await setEndpoint(first, mine);
    const events = 30;
    for (let n = 0; n < events; n += 1) await record(first, mine, { event_id: `evt_${n}`, subject: null });
    const claimed = (await atOnce(stores, 12, (store) => store.webhooks.claimDue(mine, MINUTE_MS, 4))).flat();
    const rest = await first.webhooks.claimDue(mine, MINUTE_MS, events);
    const ids = [...claimed, ...rest].map(({ id }) => id);
    expect(ids).toHaveLength(events);
    expect(new Set(ids).size).toBe(events);

    await first.tokens.saveTokens({ account_id: mine, shop_id: 101 }, TOKENS);
    await first.shops.saveShop(buildShop(mine, 101));
    const polls = await atOnce(stores, 6, (store) => store.orders.claimPoll(101, MINUTE_MS));
    expect(polls.filter((poll) => poll !== undefined)).toHaveLength(1);
    const claims = await atOnce(stores, 6, (store) =>
      store.refreshes.claimRefresh({ account_id: mine, shop_id: 101 }, MINUTE_MS),
    );
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
  });

  it('give each hint of an order to one process', async () => {
    const { stores } = await openTwo();
    const hints = 20;
    const saved = await atOnce(stores, 2 * hints, (store, n) => store.orders.saveHint(buildHint(n >> 1)));
    expect(saved.filter(Boolean)).toHaveLength(hints);
    const claimed = await atOnce(stores, hints, (store) => store.orders.claimHint(MINUTE_MS));
    while (claimed.filter(Boolean).length < hints) claimed.push(await stores[0].orders.claimHint(MINUTE_MS));
    expect(new Set(claimed.flatMap((hint) => hint?.webhook_id ?? [])).size).toBe(hints);
    expect(await stores[0].orders.claimHint(MINUTE_MS)).toBeUndefined();
  });

  it('give each single-use secret to one process', async () => {
    const { stores, mine } = await openTwo();
    const [first] = stores;
    await first.sessions.createSignInLink('link', { account_id: mine, life_ms: DAY_MS });
    const link = { account_id: mine, type: 'image' as const, filename: null, life_ms: DAY_MS };
    await first.uploads.createUploadLink('upload', link);
    const takes: ((store: Store) => Promise<unknown>)[] = [
      (store: Store) => store.sessions.takeSignInLink('link'),
      (store: Store) => store.uploads.takeUploadLink('upload'),
      (store: Store) => store.continuations.take(mine, 'continuation', DAY_MS),
    ];
    for (const take of takes) {
      const taken = await atOnce(stores, 8, take);
      expect(taken.filter(Boolean)).toHaveLength(1);
    }
  });
});

describe('events recorded at once', () => {
  it('are one event if they report the same change', async () => {
    const { stores, mine } = await openTwo();
    await setEndpoint(stores[0], mine);
    const answer = await atOnce(stores, 10, (store, n) =>
      record(store, mine, { event_id: `evt_${n}`, subject: null, change_key: 'receipt:1:paid' }),
    );
    expect(count(answer)).toEqual({ recorded: 1, known: 9 });
    expect(await stores[0].webhooks.claimDue(mine, MINUTE_MS, 10)).toHaveLength(1);
  });

  it('wait for each other if they have the same subject', async () => {
    const { stores, mine } = await openTwo();
    await setEndpoint(stores[0], mine);
    for (let round = 0; round < ROUNDS; round += 1) {
      const subject = `receipt:${round}`;
      await atOnce(stores, 4, (store, n) => record(store, mine, { event_id: `evt_${round}_${n}`, subject }));
      const due = await stores[0].webhooks.claimDue(mine, MINUTE_MS, 10);
      expect(due).toHaveLength(1);
    }
  });
});

describe('concurrent creation and cleanup', () => {
  it('keeps an application for as long as a shop needs it', async () => {
    const { stores, mine } = await openTwo();
    const [leaving, coming] = [101, 102].map((shop_id) => ({ account_id: mine, shop_id }));
    for (let round = 0; round < ROUNDS; round += 1) {
      await stores[0].tokens.replaceTokens(leaving!, TOKENS, APPLICATION);
      await Promise.all([
        stores[0].tokens.deleteTokens(leaving!),
        stores[1].tokens.replaceTokens(coming!, TOKENS, APPLICATION),
      ]);
      expect(await stores[0].applications.findShopApplication(coming!)).toEqual(APPLICATION);
      await stores[0].tokens.deleteTokens(coming!);
    }
  });

  it('counts swept rows correctly', async () => {
    const { stores, mine, clock } = await openTwo();
    const [first] = stores;
    for (let round = 0; round < ROUNDS; round += 1) {
      await setEndpoint(first, mine);
      for (let n = 0; n < 6; n += 1)
        await record(first, mine, { event_id: `evt_${round}_${n}`, subject: null });
      // Pending deliveries end, and there is no row of an endpoint that the sweepers could lock.
      await first.webhooks.deleteEndpoint(mine);
      clock.advance(2 * DAY_MS);
      const swept = await atOnce(stores, 2, (store) => store.retention.sweepDeliveries(DAY_MS / 24, 100));
      expect(swept[0]! + swept[1]!).toBe(6);
      expect((await first.getFigures()).deliveries).toEqual({ pending: 0, success: 0, failed: 0 });
    }
  });

  it('counts the bytes of uploads correctly', async () => {
    const { stores, mine } = await openTwo();
    const taken = await atOnce(stores, 20, (store, n) =>
      tell(
        store.uploads
          .createUpload(
            {
              account_id: mine,
              upload_id: `up_${n}`,
              sha256: 'f'.repeat(64),
              filename: 'a.png',
              size_bytes: 10,
              content_type: 'image/png',
              type: 'image',
              life_ms: DAY_MS,
            },
            { upload_bytes: 55 },
          )
          .then(() => 'created'),
      ),
    );
    expect(count(taken)).toEqual({ created: 5, [new QuotaError('upload_bytes').name]: 15 });
    await atOnce(stores, 20, (store, n) => store.uploads.deleteUnusedUpload(mine, `up_${n >> 1}`));
    await atOnce(stores, 20, (store, n) => store.uploads.deleteUnusedUpload(mine, `up_${n}`));
    expect(await stores[0].usage.getUsage(mine)).toMatchObject({ upload_bytes: 0 });
  });

  it('keeps the mark on a listing that is marked while a check ends', async () => {
    const { stores, mine, data_dir } = await openTwo();
    const [first, second] = stores;
    const shop = { account_id: mine, shop_id: 101 };
    await first.tokens.saveTokens(shop, TOKENS);
    await first.shops.saveShop(buildShop(mine, 101));
    await first.listings.createListing(buildListing(mine), 0);
    const job = await first.listings.claimJob(mine, 'job_1', DAY_MS);
    const sighting = { state: 'active', ends_at: null, shown: null, getAge_ms: () => 0 } as const;
    for (let round = 0; round < ROUNDS; round += 1) {
      await first.listings.savePublication(job!, {
        shop_id: 101,
        listing_id: 5001,
        progress: buildEmptyProgress(),
        sighting,
      });
      await ask(data_dir, 'UPDATE publications SET stale_since = NULL');
      await ask(data_dir, 'DELETE FROM listing_looks');
      const claim = await first.refreshes.claimRefresh(shop, MINUTE_MS);
      await Promise.all([
        first.refreshes.finishRefresh(claim!, { whole_in_ms: DAY_MS }),
        second.refreshes.markStale(101, [5001], MINUTE_MS),
      ]);
      const [{ due_in_ms } = { due_in_ms: Infinity }] = await first.refreshes.listRefreshes();
      expect(due_in_ms).toBeLessThanOrEqual(MINUTE_MS);
    }
  });
});

function setEndpoint(store: Store, account_id: string) {
  return store.webhooks.changeEndpoint(account_id, () => ({
    account_id,
    url: 'https://example.com/hook',
    events: ['order.paid'],
    is_enabled: true,
    switched_off_at: null,
    switch_off_reason: null,
    failing_since: null,
    last_failed_at: null,
    secret: 'whsec_new',
    previous_secrets: [],
  }));
}

function record(
  store: Store,
  account_id: string,
  event: { event_id: string; subject: string | null; change_key?: string },
) {
  return store.webhooks.recordEvent({
    account_id,
    event_type: 'order.paid',
    payload: '{}',
    created_at: START,
    change_key: event.event_id,
    ...event,
  });
}

function buildHint(n: number) {
  return { webhook_id: `hint_${n}`, shop_id: 101, receipt_id: n, told: 'paid' as const };
}
