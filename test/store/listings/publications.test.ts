import { expect, it } from 'vitest';
import {
  ClaimLostError,
  ListingTakenError,
  type JobClaim,
  type Store,
  type Plan,
  type ChangeAction,
  buildEmptyChange,
  buildEmptyProgress,
} from '../../../src/core/ports/index.js';
import { buildListing } from '../samples/listing_samples.js';
import { createTwoAccounts, openWorld } from '../world.js';

const REPLAY_MS = 600_000;
const MINUTE_MS = 60_000;
const LONG_AGO = '2020-01-01T00:00:00.000Z';
const FUTURE = '2099-01-01T00:00:00.000Z';

it('refuses each of several concurrently saved publications for its own reason, and saves the rest', async () => {
  const { store, clock, mine, other } = await createWorldWithJobs();
  const { listings } = store;
  const lost = await claim(store, mine);
  clock.advance(MINUTE_MS);
  const held = await claim(store, mine);
  const theirs = await claim(store, other);

  const outcomes = await Promise.allSettled([
    save(store, held, 101, 5001),
    save(store, theirs, 101, 5001),
    save(store, lost, 102, 5002),
    save(store, theirs, 102, 5003),
  ]);
  const reasons = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.constructor);
  expect(reasons).toEqual([false, ListingTakenError, ClaimLostError, false]);
  const saved = [held, theirs].map(({ account_id }, index) =>
    listings.listPublications(account_id, index + 1),
  );
  expect((await Promise.all(saved)).flat()).toMatchObject([
    { shop_id: 101, listing_id: 5001 },
    { shop_id: 102, listing_id: null },
    { shop_id: 101, listing_id: null },
    { shop_id: 102, listing_id: 5003 },
  ]);
});

it('saves a publication as of the call, without later changes of the object', async () => {
  const { store, mine } = await createWorldWithJobs();
  const claimed = await claim(store, mine);
  const progress = buildEmptyProgress();
  const saving = store.listings.savePublication(claimed, { shop_id: 101, listing_id: 5001, progress });
  progress.is_active = true;
  await saving;

  expect(await store.listings.listPublications(mine, 1)).toMatchObject([
    { shop_id: 101, progress: { is_active: false } },
    { shop_id: 102 },
  ]);
});

it('finds the known listings of a shop across all accounts, each once', async () => {
  const { store, mine, other } = await createWorldWithJobs();
  await save(store, await claim(store, mine), 101, 5001);

  expect(await store.listings.listKnownListingIds(101, [5000, 5001])).toEqual([5001]);
  expect(await store.listings.listKnownListingIds(102, [5000, 5001])).toEqual([]);
  expect(await store.listings.listKnownListingIds(101, [])).toEqual([]);
  const claimed = await claim(store, other);
  await expect(save(store, claimed, 101, 5001)).rejects.toThrow(
    'Listing 5001 of shop 101 belongs to another listing of this service already.',
  );
  await save(store, claimed, 102, 5001);
  expect(await store.listings.listPublications(other, 1)).toEqual([]);
  expect(await store.listings.listPublications(other, 2)).toMatchObject([
    { shop_id: 101, listing_id: null },
    { shop_id: 102, listing_id: 5001 },
  ]);
});

it('deletes the values of a shop that a draft leaves, and keeps those of its other shops', async () => {
  const { store } = await openWorld();
  const { mine } = await createTwoAccounts(store);
  const made = await store.listings.createListing(buildListing(mine, { draft: true }), REPLAY_MS);
  if (made.match !== 'created') throw new Error('it was there');
  const { listing_pk, request, updated_at: as_of } = made.listing;
  const change = { account_id: mine, listing_pk, as_of, most: { drafts: 100, draft_bytes: 1_000_000 } };
  const own = [101, 102].map((shop_id) => ({ shop_id, changes: { listing: { title: `In ${shop_id}` } } }));
  await store.listings.replaceRequest({ ...change, request, own, binding: { key: null, digest: 'own' } });
  const { shops, ...product } = request;
  const left = { ...product, shops: shops.filter(({ shop_id }) => shop_id !== 102) };
  await store.listings.replaceRequest({ ...change, request: left, binding: { key: null, digest: 'left' } });

  expect(await store.listings.listPublications(mine, listing_pk)).toMatchObject([
    { shop_id: 101, progress: { changes: { listing: { title: 'In 101' } } } },
  ]);
});

it("counts a publication as an activation from when its intent was saved, by the store's clock", async () => {
  const { store, clock, mine, other } = await createWorldWithJobs();
  const claimed = await claim(store, mine);
  const intend = (shop_id: number, activation_intended_at: string | null) =>
    save(store, claimed, shop_id, null, { ...buildEmptyProgress(), activation_intended_at });
  const count = (window_ms: number) => store.listings.countActivations(mine, window_ms);
  // The publishing process has its own clock, which may be far off.
  await intend(101, LONG_AGO);
  await intend(103, null);
  clock.advance(MINUTE_MS);
  await intend(101, LONG_AGO);
  await intend(102, FUTURE);
  clock.advance(MINUTE_MS);

  expect(await count(2 * MINUTE_MS)).toBe(2);
  expect(await count(MINUTE_MS)).toBe(1);
  expect(await count(MINUTE_MS - 1)).toBe(0);
  expect(await store.listings.countActivations(other, 2 * MINUTE_MS)).toBe(0);
  await intend(101, null);
  expect(await count(2 * MINUTE_MS)).toBe(1);
  await intend(101, LONG_AGO);
  expect(await count(0)).toBe(1);
});

it('counts each planned activation of a running job once, from the creation of the job', async () => {
  const { store } = await openWorld();
  const { mine, other } = await createTwoAccounts(store);
  const listing = buildListing(mine);
  if (!listing.job) throw new Error('it has a job');
  const job = { ...listing.job, state: 'active' as const };
  const active = { ...listing, job, spending: { wanted: 2 } };
  await store.listings.createListing(active, REPLAY_MS);

  expect(await store.listings.countActivations(mine, MINUTE_MS)).toBe(2);
  const claimed = await claim(store, mine);
  const intended = { ...buildEmptyProgress(), activation_intended_at: LONG_AGO };
  await save(store, claimed, 101, null, intended);
  expect(await store.listings.countActivations(mine, MINUTE_MS)).toBe(2);
  expect(await store.listings.countActivations(other, MINUTE_MS)).toBe(0);
});

it('counts each activation of a listing, except those that were not done', async () => {
  const { store, clock, mine } = await createWorldWithJobs();
  const count = () => store.listings.countActivations(mine, 10 * MINUTE_MS);
  const claimed = await claim(store, mine);
  await save(store, claimed, 101, 5001, { ...buildEmptyProgress(), activation_intended_at: LONG_AGO });
  await store.listings.finishJob(claimed, { status: 'completed', results: [], error_message: null });
  expect(await count()).toBe(1);

  const plan: Plan<ChangeAction> = { purpose: 'on_sale', shops: [], warnings: [], request: null };
  const again = async (job_id: string) => {
    const job = { kind: 'update', account_id: mine, listing_pk: 1, job_id, plan } as const;
    await store.listings.createJob({ ...job, spending: { wanted: 1 } });
    const taken = await store.listings.claimJob(mine, job_id, MINUTE_MS);
    if (!taken) throw new Error('no other claim exists');
    return taken;
  };
  const intend = (taken: JobClaim, activation_intended_at: string | null) =>
    store.listings.saveJobPart(taken, {
      part_id: 101,
      progress: { ...buildEmptyChange(), activation_intended_at },
    });
  const second = await again('job_second');
  expect(await count()).toBe(2);
  await intend(second, LONG_AGO);
  await intend(second, LONG_AGO);
  expect(await count()).toBe(2);
  await store.listings.finishJob(second, { status: 'completed', results: [], error_message: null });
  clock.advance(MINUTE_MS);
  const third = await again('job_third');
  await intend(third, LONG_AGO);
  expect(await count()).toBe(3);
  await intend(third, null);
  await store.listings.finishJob(third, { status: 'completed', results: [], error_message: null });
  expect(await count()).toBe(2);
});

/** Listing 1 belongs to `mine`, listing 2 to the other account. */
async function createWorldWithJobs() {
  const world = await openWorld();
  const { mine, other } = await createTwoAccounts(world.store);
  for (const account_id of [mine, other]) {
    await world.store.listings.createListing(buildListing(account_id), REPLAY_MS);
  }
  return { ...world, mine, other };
}

async function claim({ listings }: Store, account_id: string): Promise<JobClaim> {
  const claimed = await listings.claimJob(account_id, 'job_1', MINUTE_MS);
  if (!claimed) throw new Error('the job could not be claimed');
  return claimed;
}

function save(
  { listings }: Store,
  claimed: JobClaim,
  shop_id: number,
  listing_id: number | null,
  progress = buildEmptyProgress(),
): Promise<void> {
  return listings.savePublication(claimed, { shop_id, listing_id, progress });
}
