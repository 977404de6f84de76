import { expect, it } from 'vitest';
import {
  ClaimLostError,
  type JobClaim,
  type Store,
  buildEmptyProgress,
} from '../../../src/core/ports/index.js';
import { buildListing } from '../samples/listing_samples.js';
import { createTwoAccounts, openWorld, type World } from '../world.js';

const REPLAY_MS = 600_000;
const MINUTE_MS = 60_000;

it('grants a claim to one process, and to another only after it is released or expires', async () => {
  const { store, clock, data_dir, mine } = await createWorldWithJob();
  const { listings } = store;
  const neighbour = await openWorld({ data_dir });
  const theirs = neighbour.store.listings;

  const claimed = { account_id: mine, job_id: 'job_1' };
  expect(await listings.claimJob(mine, 'job_1', MINUTE_MS)).toEqual({ ...claimed, fence: 1, is_alone: true });
  expect(await theirs.claimJob(mine, 'job_1', MINUTE_MS)).toBeUndefined();
  expect(await listings.claimJob(mine, 'job_1', MINUTE_MS)).toBeUndefined();
  neighbour.clock.advance(MINUTE_MS);
  expect(await theirs.claimJob(mine, 'job_1', MINUTE_MS)).toEqual({ ...claimed, fence: 2, is_alone: false });
  await theirs.releaseClaim({ ...claimed, fence: 2 });
  clock.advance(-MINUTE_MS);
  expect(await listings.claimJob(mine, 'job_1', MINUTE_MS)).toEqual({ ...claimed, fence: 3, is_alone: true });
  expect(await listings.claimJob(mine, 'job_9', MINUTE_MS)).toBeUndefined();
});

it('grants only one of several concurrent claims', async () => {
  const { store, data_dir, mine } = await createWorldWithJob();
  const stores = [store, (await openWorld({ data_dir })).store];
  const claims = await Promise.all(
    [...stores, ...stores].map(({ listings }) => listings.claimJob(mine, 'job_1', MINUTE_MS)),
  );

  expect(claims.filter((claimed) => claimed !== undefined)).toHaveLength(1);
});

it('refuses a job claimed by a running process, and frees it as soon as that process is gone', async () => {
  const { store, data_dir, mine } = await createWorldWithJob();
  await claim(store, mine);
  const neighbour = await openWorld({ data_dir });
  const { listings } = neighbour.store;

  expect(await store.listings.listClaimableJobs()).toEqual([]);
  expect(await listings.listClaimableJobs()).toEqual([]);
  expect(await listings.claimJob(mine, 'job_1', MINUTE_MS)).toBeUndefined();
  await store.close();
  expect(await listings.listClaimableJobs()).toEqual([{ account_id: mine, job_id: 'job_1' }]);
  expect(await listings.claimJob(mine, 'job_1', MINUTE_MS)).toMatchObject({ fence: 2, is_alone: true });
});

it('does not grant a renewed claim to another process', async () => {
  const { store, clock, mine } = await createWorldWithJob();
  const { listings } = store;
  const claimed = await claim(store, mine);
  await listings.renewClaim(claimed, 2 * MINUTE_MS);

  clock.advance(MINUTE_MS);
  expect(await listings.claimJob(mine, 'job_1', MINUTE_MS)).toBeUndefined();
  expect(await listings.listClaimableJobs()).toEqual([]);
  clock.advance(MINUTE_MS);
  expect(await listings.listClaimableJobs()).toEqual([{ account_id: mine, job_id: 'job_1' }]);
});

it('refuses every write under a lost claim, without affecting the new holder', async () => {
  const { store, clock, mine } = await createWorldWithJob();
  const { listings } = store;
  const lost = await claim(store, mine);
  clock.advance(MINUTE_MS);
  const held = await claim(store, mine);
  const progress = buildEmptyProgress();
  const sent = { ...progress, sending: { images: 0 } };
  const save = (claimed: JobClaim, listing_id: number | null, saved = progress) =>
    listings.savePublication(claimed, { shop_id: 101, listing_id, progress: saved });
  const end = { status: 'completed', publications: [], results: [], error_message: null } as const;

  await expect(listings.renewClaim(lost, MINUTE_MS)).rejects.toThrow(ClaimLostError);
  await expect(save(lost, 5001)).rejects.toThrow(ClaimLostError);
  await expect(save(lost, null, sent)).rejects.toThrow(ClaimLostError);
  await expect(
    listings.finishJob(lost, { ...end, results: [], publications: [], listing_status: 'published' }),
  ).rejects.toThrow(ClaimLostError);
  await listings.releaseClaim(lost);
  expect(await listings.listClaimableJobs()).toEqual([]);
  expect(await listings.listPublications(mine, 1)).toMatchObject([
    { listing_id: null, progress },
    { listing_id: null, progress },
  ]);
  await save(held, 5001);
  await save(held, 5001, sent);
  expect(await listings.listPublications(mine, 1)).toMatchObject([
    { listing_id: 5001, progress: sent },
    { listing_id: null, progress },
  ]);
});

it('lists claimable jobs oldest first, across all accounts', async () => {
  const { store, clock } = await openWorld();
  const { mine, other } = await createTwoAccounts(store);
  await store.listings.createListing(buildListing(other, { job_id: 'job_c' }), REPLAY_MS);
  clock.advance(MINUTE_MS);
  await store.listings.createListing(buildListing(mine, { job_id: 'job_b' }), REPLAY_MS);

  expect(await store.listings.listClaimableJobs()).toEqual([
    { account_id: other, job_id: 'job_c' },
    { account_id: mine, job_id: 'job_b' },
  ]);
});

async function createWorldWithJob(): Promise<World & { mine: string }> {
  const world = await openWorld();
  const { mine } = await createTwoAccounts(world.store);
  await world.store.listings.createListing(buildListing(mine), REPLAY_MS);
  return { ...world, mine };
}

async function claim({ listings }: Store, account_id: string): Promise<JobClaim> {
  const claimed = await listings.claimJob(account_id, 'job_1', MINUTE_MS);
  if (!claimed) throw new Error('the job could not be claimed');
  return claimed;
}
