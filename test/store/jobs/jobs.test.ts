import { describe, expect, it } from 'vitest';
import {
  ListingTakenError,
  type JobClaim,
  type Store,
  buildEmptyProgress,
} from '../../../src/core/ports/index.js';
import { buildListing, buildPlan } from '../samples/listing_samples.js';
import { createTwoAccounts, openWorld, type World } from '../world.js';

const REPLAY_MS = 600_000;
const MINUTE_MS = 60_000;
const CLAIM_MS = MINUTE_MS;
const AT_1_MIN = '2026-11-20T10:01:00.000Z';
const AT_2_MIN = '2026-11-20T10:02:00.000Z';
const END_OF_JOB = {
  status: 'completed' as const,
  publications: [],
  results: [{ shop_id: '101', status: 'ok' as const, listing_id: 5001 }],
  error_message: null,
  listing_status: 'published' as const,
};

it('are counted as they are created, finished and deleted, with their listings', async () => {
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

  const claimed = await claim(store, mine);
  await listings.finishJob(claimed, END_OF_JOB);
  expect(await listings.deleteDraft(mine, draft.listing.listing_pk)).toBe(true);
  expect(await count()).toEqual({
    jobs: { processing: 0, completed: 1, failed: 0 },
    listings: 1,
    published: 1,
  });
});

describe('finishJob', () => {
  it('ends the job and sets the status of its listing', async () => {
    const { store, clock, mine } = await createWorldWithJob();
    const claimed = await claim(store, mine);
    clock.advance(MINUTE_MS);
    const ended = await store.listings.finishJob(claimed, END_OF_JOB);

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
    expect(await store.listings.claimJob(mine, 'job_1', CLAIM_MS)).toBeUndefined();
    expect(await store.listings.listClaimableJobs()).toEqual([]);
  });

  it("saves the job's outcome and its remaining publications in one transaction", async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    const { listings } = store;
    await listings.createListing(buildListing(mine), REPLAY_MS);
    await listings.createListing(buildListing(other), REPLAY_MS);
    const theirs = await claim(store, other);
    await listings.savePublication(theirs, {
      shop_id: 102,
      listing_id: 5002,
      progress: buildEmptyProgress(),
    });
    const claimed = await claim(store, mine);
    const done = { ...buildEmptyProgress(), done: ['verify' as const] };
    const publish = (shop_id: number, listing_id: number) => ({ shop_id, listing_id, progress: done });
    const before = await listings.listPublications(mine, 1);

    const taken = { ...END_OF_JOB, publications: [publish(101, 5001), publish(102, 5002)] };
    await expect(listings.finishJob(claimed, taken)).rejects.toThrow(ListingTakenError);
    expect(await listings.findJob(mine, 'job_1')).toMatchObject({ status: 'processing', results: null });
    expect(await listings.listPublications(mine, 1)).toEqual(before);

    const end = { ...END_OF_JOB, publications: [publish(101, 5001), publish(102, 5003)] };
    expect(await listings.finishJob(claimed, end)).toMatchObject({ status: 'completed' });
    expect(await listings.listPublications(mine, 1)).toEqual(end.publications);

    await listings.finishJob(claimed, { ...END_OF_JOB, publications: [publish(101, 5009)] });
    expect(await listings.listPublications(mine, 1)).toEqual(end.publications);
  });

  it('keeps the first outcome of a job', async () => {
    const { store, mine } = await createWorldWithJob();
    const claimed = await claim(store, mine);
    const ended = await store.listings.finishJob(claimed, END_OF_JOB);

    expect(
      await store.listings.finishJob(claimed, {
        ...END_OF_JOB,
        status: 'failed',
        listing_status: 'incomplete',
      }),
    ).toEqual(ended);
    expect(await store.listings.findListing(mine, 1)).toMatchObject({ status: 'published' });
  });
});

describe('createJob', () => {
  it('returns the running job instead of creating a second one', async () => {
    const { store, mine } = await createWorldWithJob();
    const again = await store.listings.createJob(buildJob(mine, 'job_2'));

    expect(again).toMatchObject({ created: false, job: { job_id: 'job_1' } });
    expect(await store.listings.findJob(mine, 'job_2')).toBeUndefined();
  });

  it('returns an earlier job with the same job_id, even if it has ended', async () => {
    const { store, mine } = await createWorldWithJob();
    const claimed = await claim(store, mine);
    const ended = await store.listings.finishJob(claimed, { ...END_OF_JOB, listing_status: 'incomplete' });
    const again = await store.listings.createJob(buildJob(mine, 'job_1'));

    expect(again).toEqual({ created: false, job: ended });
    expect(await store.listings.findListing(mine, 1)).toMatchObject({ status: 'incomplete' });
  });

  it('continues from the progress of earlier jobs, and adds new shops', async () => {
    const { store, clock, mine } = await createWorldWithJob();
    const claimed = await claim(store, mine);
    const progress = {
      ...buildEmptyProgress(),
      done: ['create' as const],
      listing_url: 'https://example.com/1',
    };
    await store.listings.savePublication(claimed, { shop_id: 101, listing_id: 5001, progress });
    await store.listings.finishJob(claimed, { ...END_OF_JOB, listing_status: 'incomplete' });

    clock.advance(2 * MINUTE_MS);
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

async function createWorldWithJob(): Promise<World & { mine: string }> {
  const world = await openWorld();
  const { mine } = await createTwoAccounts(world.store);
  await world.store.listings.createListing(buildListing(mine), REPLAY_MS);
  return { ...world, mine };
}

async function claim(store: Store, account_id: string): Promise<JobClaim> {
  const claimed = await store.listings.claimJob(account_id, 'job_1', CLAIM_MS);
  if (!claimed) throw new Error('the job could not be claimed');
  return claimed;
}

function buildJob(account_id: string, job_id: string) {
  return {
    kind: 'publish' as const,
    account_id,
    listing_pk: 1,
    job_id,
    state: 'active' as const,
    plan: buildPlan(),
  };
}
