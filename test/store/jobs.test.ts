import { describe, expect, it } from 'vitest';
import { buildEmptyProgress } from '../../src/core/listings/progress.js';
import { LeaseLostError, ListingTakenError, type JobLease, type Store } from '../../src/core/ports/index.js';
import { buildListing, buildPlan } from './listing_samples.js';
import { createTwoAccounts, openWorld, START } from './world.js';

const REPLAY_MS = 600_000;
const AT_1_MIN = '2026-11-20T10:01:00.000Z';
const AT_2_MIN = '2026-11-20T10:02:00.000Z';
const END_OF_JOB = {
  status: 'completed' as const,
  publications: [],
  results: [{ shop_id: '101', status: 'ok' as const, listing_id: 5001 }],
  error_message: null,
  listing_status: 'published' as const,
  now: AT_1_MIN,
};

it('are counted as they come, end and go, with their listings', async () => {
  const { store, mine } = await createWorldWithJob();
  const { listings } = store;
  const count = async () => ({
    jobs: (await store.getFigures()).jobs,
    listings: (await listings.listListings(mine, { limit: 1, offset: 0 })).total,
    published: (await listings.listListings(mine, { status: 'published', limit: 1, offset: 0 })).total,
  });
  const draft = await listings.createListing(
    buildListing(mine, { draft: true, digest: 'digest-2' }),
    REPLAY_MS,
  );
  if (draft.match !== 'created') throw new Error('the draft was known already');
  expect(await count()).toEqual({
    jobs: { processing: 1, completed: 0, failed: 0 },
    listings: 2,
    published: 0,
  });

  const lease = await listings.claimJob(mine, 'job_1', 'a', AT_1_MIN, START);
  if (!lease) throw new Error('the job is not free');
  await listings.finishJob(lease, END_OF_JOB);
  expect(await listings.deleteDraft(mine, draft.listing.listing_pk)).toBe(true);
  expect(await count()).toEqual({
    jobs: { processing: 0, completed: 1, failed: 0 },
    listings: 1,
    published: 1,
  });
});

describe('leases', () => {
  it('go to one, and to another only when released or run out', async () => {
    const { store, mine } = await createWorldWithJob();
    const { listings } = store;

    expect(await listings.claimJob(mine, 'job_1', 'a', AT_1_MIN, START)).toEqual({
      account_id: mine,
      job_id: 'job_1',
      fence: 1,
      is_alone: true,
    });
    expect(await listings.claimJob(mine, 'job_1', 'b', AT_2_MIN, START)).toBeUndefined();
    expect(await listings.claimJob(mine, 'job_1', 'b', AT_2_MIN, AT_1_MIN)).toMatchObject({
      fence: 2,
      is_alone: false,
    });
    await listings.releaseLease({ account_id: mine, job_id: 'job_1', fence: 2 });
    expect(await listings.claimJob(mine, 'job_1', 'c', AT_2_MIN, START)).toMatchObject({
      fence: 3,
      is_alone: true,
    });
    expect(await listings.claimJob(mine, 'job_9', 'c', AT_2_MIN, START)).toBeUndefined();
  });

  it('are there from the start where a job is created with one', async () => {
    const { store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const { listings } = store;
    const term = { owner: 'a', expires_at: AT_1_MIN };
    const created = await listings.createListing(buildListing(mine, { lease: term }), REPLAY_MS);

    const lease = { account_id: mine, job_id: 'job_1', fence: 1, is_alone: true };
    expect(created).toMatchObject({ match: 'created', lease });
    expect(await listings.listClaimableJobs(START)).toEqual([]);
    expect(await listings.claimJob(mine, 'job_1', 'b', AT_2_MIN, START)).toBeUndefined();
    await listings.savePublication(lease, 101, 5001, buildEmptyProgress());
    expect(await listings.claimJob(mine, 'job_1', 'b', AT_2_MIN, AT_1_MIN)).toMatchObject({
      fence: 2,
      is_alone: false,
    });
    await expect(listings.savePublication(lease, 101, 5001, buildEmptyProgress())).rejects.toThrow(
      LeaseLostError,
    );
  });

  it.each([
    { taken: 'later', term: undefined },
    { taken: 'with the job', term: { owner: 'worker', expires_at: AT_1_MIN } },
  ])('of a process that is there stay, whoever asks: taken $taken', async ({ term }) => {
    const { store, data_dir } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    await store.listings.createListing(buildListing(mine, term && { lease: term }), REPLAY_MS);
    if (!term) await claim(store, mine, START);
    const neighbour = await openWorld({ data_dir });

    await store.listings.releaseDeadLeases();
    await neighbour.store.listings.releaseDeadLeases();
    expect(await neighbour.store.listings.listClaimableJobs(START)).toEqual([]);
    await store.close();
    await neighbour.store.listings.releaseDeadLeases();
    expect(await neighbour.store.listings.claimJob(mine, 'job_1', 'b', AT_2_MIN, START)).toMatchObject({
      is_alone: true,
    });
  });

  it('that are renewed are not claimable', async () => {
    const { store, mine } = await createWorldWithJob();
    const lease = await claim(store, mine, START);
    await store.listings.renewLease(lease, AT_2_MIN);

    expect(await store.listings.claimJob(mine, 'job_1', 'b', AT_2_MIN, AT_1_MIN)).toBeUndefined();
    expect(await store.listings.listClaimableJobs(AT_1_MIN)).toEqual([]);
    expect(await store.listings.listClaimableJobs(AT_2_MIN)).toEqual([{ account_id: mine, job_id: 'job_1' }]);
  });

  it('that were lost refuse every write, and leave the new holder alone', async () => {
    const { store, mine } = await createWorldWithJob();
    const { listings } = store;
    const lost = await claim(store, mine, START);
    const held = await claim(store, mine, AT_1_MIN);

    await expect(listings.renewLease(lost, AT_2_MIN)).rejects.toThrow(LeaseLostError);
    await expect(listings.savePublication(lost, 101, 5001, buildEmptyProgress())).rejects.toThrow(
      LeaseLostError,
    );
    const sent = { ...buildEmptyProgress(), sending: { images: 0 } };
    await expect(listings.savePublication(lost, 101, null, sent)).rejects.toThrow(LeaseLostError);
    await expect(listings.finishJob(lost, END_OF_JOB)).rejects.toThrow(LeaseLostError);
    await listings.releaseLease(lost);
    expect(await listings.listClaimableJobs(START)).toEqual([]);
    const progress = buildEmptyProgress();
    expect(await listings.listPublications(mine, 1)).toMatchObject([
      { listing_id: null, progress },
      { listing_id: null, progress },
    ]);
    await listings.savePublication(held, 101, 5001, progress);
    await listings.savePublication(held, 101, 5001, sent);
    expect(await listings.listPublications(mine, 1)).toMatchObject([
      { listing_id: 5001, progress: sent },
      { listing_id: null, progress },
    ]);
  });

  it('are listed oldest job first, over all accounts', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    await store.listings.createListing(buildListing(mine, { job_id: 'job_b', now: AT_1_MIN }), REPLAY_MS);
    await store.listings.createListing(buildListing(other, { job_id: 'job_c', now: START }), REPLAY_MS);

    expect(await store.listings.listClaimableJobs(AT_2_MIN)).toEqual([
      { account_id: other, job_id: 'job_c' },
      { account_id: mine, job_id: 'job_b' },
    ]);
  });
});

describe('finishJob', () => {
  it('ends the job and sets the status of its listing', async () => {
    const { store, mine } = await createWorldWithJob();
    const lease = await claim(store, mine, START);
    const ended = await store.listings.finishJob(lease, END_OF_JOB);

    expect(ended).toMatchObject({
      status: 'completed',
      results: END_OF_JOB.results,
      error_message: null,
      completed_at: AT_1_MIN,
    });
    expect(await store.listings.findJob(mine, 'job_1')).toEqual(ended);
    expect(await store.listings.findListing(mine, 1)).toMatchObject({
      status: 'published',
      updated_at: AT_1_MIN,
    });
    expect(await store.listings.claimJob(mine, 'job_1', 'b', AT_2_MIN, AT_2_MIN)).toBeUndefined();
    expect(await store.listings.listClaimableJobs(AT_2_MIN)).toEqual([]);
  });

  it('saves with the end of the job what is left of its publications, or nothing of either', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    const { listings } = store;
    await listings.createListing(buildListing(mine), REPLAY_MS);
    await listings.createListing(buildListing(other), REPLAY_MS);
    const theirs = await claim(store, other, START);
    await listings.savePublication(theirs, 102, 5002, buildEmptyProgress());
    const lease = await claim(store, mine, START);
    const done = { ...buildEmptyProgress(), done: ['verify' as const] };
    const publish = (shop_id: number, listing_id: number) => ({ shop_id, listing_id, progress: done });
    const before = await listings.listPublications(mine, 1);

    const taken = { ...END_OF_JOB, publications: [publish(101, 5001), publish(102, 5002)] };
    await expect(listings.finishJob(lease, taken)).rejects.toThrow(ListingTakenError);
    expect(await listings.findJob(mine, 'job_1')).toMatchObject({ status: 'processing', results: null });
    expect(await listings.listPublications(mine, 1)).toEqual(before);

    const end = { ...END_OF_JOB, publications: [publish(101, 5001), publish(102, 5003)] };
    expect(await listings.finishJob(lease, end)).toMatchObject({ status: 'completed' });
    expect(await listings.listPublications(mine, 1)).toEqual(end.publications);

    await listings.finishJob(lease, { ...END_OF_JOB, publications: [publish(101, 5009)] });
    expect(await listings.listPublications(mine, 1)).toEqual(end.publications);
  });

  it('leaves a job as it ended first', async () => {
    const { store, mine } = await createWorldWithJob();
    const lease = await claim(store, mine, START);
    const ended = await store.listings.finishJob(lease, END_OF_JOB);

    expect(
      await store.listings.finishJob(lease, {
        ...END_OF_JOB,
        status: 'failed',
        listing_status: 'incomplete',
      }),
    ).toEqual(ended);
    expect(await store.listings.findListing(mine, 1)).toMatchObject({ status: 'published' });
  });
});

describe('createJob', () => {
  it('gives the running job instead of a second one', async () => {
    const { store, mine } = await createWorldWithJob();
    const again = await store.listings.createJob(buildJob(mine, 'job_2'));

    expect(again).toMatchObject({ created: false, job: { job_id: 'job_1' } });
    expect(await store.listings.findJob(mine, 'job_2')).toBeUndefined();
  });

  it('gives the job that had this job_id before, also when it has ended', async () => {
    const { store, mine } = await createWorldWithJob();
    const lease = await claim(store, mine, START);
    const ended = await store.listings.finishJob(lease, { ...END_OF_JOB, listing_status: 'incomplete' });
    const again = await store.listings.createJob(buildJob(mine, 'job_1'));

    expect(again).toEqual({ created: false, job: ended });
    expect(await store.listings.findListing(mine, 1)).toMatchObject({ status: 'incomplete' });
  });

  it('goes on from what earlier jobs did, and adds shops that are new', async () => {
    const { store, mine } = await createWorldWithJob();
    const lease = await claim(store, mine, START);
    const progress = {
      ...buildEmptyProgress(),
      done: ['create' as const],
      listing_url: 'https://example.com/1',
    };
    await store.listings.savePublication(lease, 101, 5001, progress);
    await store.listings.finishJob(lease, { ...END_OF_JOB, listing_status: 'incomplete' });

    const next = await store.listings.createJob({
      ...buildJob(mine, 'job_2'),
      plan: buildPlan([101, 102, 103]),
    });
    expect(next).toMatchObject({
      created: true,
      job: { job_id: 'job_2', status: 'processing', state: 'active' },
    });
    expect(await store.listings.findListing(mine, 1)).toMatchObject({
      status: 'processing',
      state: 'active',
      job_id: 'job_2',
      updated_at: AT_2_MIN,
    });
    expect(await store.listings.listPublications(mine, 1)).toEqual([
      { shop_id: 101, listing_id: 5001, progress },
      { shop_id: 102, listing_id: null, progress: buildEmptyProgress() },
      { shop_id: 103, listing_id: null, progress: buildEmptyProgress() },
    ]);
  });
});

describe('publications', () => {
  it('that are saved in the same moment are refused each for its own reason, and the others are kept', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    const { listings } = store;
    await listings.createListing(buildListing(mine), REPLAY_MS);
    await listings.createListing(buildListing(other), REPLAY_MS);
    const lost = await claim(store, mine, START);
    const held = await claim(store, mine, AT_1_MIN);
    const theirs = await claim(store, other, START);
    const progress = buildEmptyProgress();

    const outcomes = await Promise.allSettled([
      listings.savePublication(held, 101, 5001, progress),
      listings.savePublication(theirs, 101, 5001, progress),
      listings.savePublication(lost, 102, 5002, progress),
      listings.savePublication(theirs, 102, 5003, progress),
    ]);
    const reasons = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.constructor);
    expect(reasons).toEqual([false, ListingTakenError, LeaseLostError, false]);
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

  it('know the listings of a shop over all accounts, and each listing once', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    await store.listings.createListing(buildListing(mine), REPLAY_MS);
    await store.listings.createListing(buildListing(other), REPLAY_MS);
    await store.listings.savePublication(await claim(store, mine, START), 101, 5001, buildEmptyProgress());

    expect(await store.listings.listKnownListingIds(101, [5000, 5001])).toEqual([5001]);
    expect(await store.listings.listKnownListingIds(102, [5000, 5001])).toEqual([]);
    expect(await store.listings.listKnownListingIds(101, [])).toEqual([]);
    const lease = await claim(store, other, START);
    await expect(store.listings.savePublication(lease, 101, 5001, buildEmptyProgress())).rejects.toThrow(
      'Listing 5001 of shop 101 belongs to another listing of this service already.',
    );
    await store.listings.savePublication(lease, 102, 5001, buildEmptyProgress());
    expect(await store.listings.listPublications(other, 1)).toEqual([]);
    expect(await store.listings.listPublications(other, 2)).toMatchObject([
      { shop_id: 101, listing_id: null },
      { shop_id: 102, listing_id: 5001 },
    ]);
  });

  it('count as activations from when their intent was written', async () => {
    const { store, mine, other } = await createWorldWithJob();
    const lease = await claim(store, mine, START);
    const save = (shop_id: number, activation_intended_at: string | null) =>
      store.listings.savePublication(lease, shop_id, null, {
        ...buildEmptyProgress(),
        activation_intended_at,
      });
    await save(101, AT_1_MIN);
    await save(102, AT_2_MIN);
    await save(103, null);

    expect(await store.listings.countActivations(mine, START)).toBe(2);
    expect(await store.listings.countActivations(mine, AT_2_MIN)).toBe(1);
    expect(await store.listings.countActivations(mine, '2026-11-20T10:02:00.001Z')).toBe(0);
    expect(await store.listings.countActivations(other, START)).toBe(0);
  });
});

async function createWorldWithJob(): Promise<{ store: Store; mine: string; other: string }> {
  const { store } = await openWorld();
  const { mine, other } = await createTwoAccounts(store);
  await store.listings.createListing(buildListing(mine), REPLAY_MS);
  return { store, mine, other };
}

async function claim(store: Store, account_id: string, now: string): Promise<JobLease> {
  const lease = await store.listings.claimJob(account_id, 'job_1', 'worker', AT_1_MIN, now);
  if (!lease) throw new Error('the job could not be claimed');
  return lease;
}

function buildJob(account_id: string, job_id: string) {
  return { account_id, listing_pk: 1, job_id, state: 'active' as const, plan: buildPlan(), now: AT_2_MIN };
}
