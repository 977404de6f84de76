import { expect, it } from 'vitest';
import { QuotaError, SpendingLimitError, type NewListing } from '../../../src/core/ports/index.js';
import { buildListing, buildPlan, buildRequest } from '../samples/listing_samples.js';
import { createTwoAccounts, openWorld } from '../world.js';

const CLAIM_MS = 60_000;
const DAY_MS = 86_400_000;
const BYTES = Buffer.byteLength(JSON.stringify(buildRequest()));
const END = {
  status: 'failed' as const,
  publications: [],
  results: [],
  error_message: { code: 'stored_text' as const, params: { text: 'gone' } },
};

it('counts drafts with their bytes until they are published or deleted, and jobs until their listing is deleted', async () => {
  const { store } = await openWorld();
  const { mine, other } = await createTwoAccounts(store);
  const { listings } = store;
  const save = (digest: string) => listings.createListing(buildListing(mine, { draft: true, digest }), 0);
  const inspect = async () => {
    const { drafts, draft_bytes } = await store.usage.getUsage(mine);
    return { drafts, draft_bytes, jobs: (await store.getFigures()).jobs };
  };
  await save('one');
  await save('other');
  expect(await inspect()).toEqual({
    drafts: 2,
    draft_bytes: 2 * BYTES,
    jobs: { processing: 0, completed: 0, failed: 0 },
  });

  const job = {
    kind: 'publish',
    account_id: mine,
    listing_pk: 1,
    job_id: 'job_1',
    state: 'publish',
  } as const;
  await listings.createJob({ ...job, plan: buildPlan() });
  expect(await inspect()).toEqual({
    drafts: 1,
    draft_bytes: BYTES,
    jobs: { processing: 1, completed: 0, failed: 0 },
  });

  const claimed = await listings.claimJob(mine, 'job_1', CLAIM_MS);
  if (!claimed) throw new Error('the job is not free');
  await listings.finishJob(claimed, { ...END, listing_status: 'incomplete' });
  expect((await inspect()).jobs).toEqual({ processing: 0, completed: 0, failed: 1 });
  expect(await listings.deleteDraft(mine, 1)).toBe(true);
  expect(await listings.deleteDraft(mine, 2)).toBe(true);
  expect(await inspect()).toEqual({
    drafts: 0,
    draft_bytes: 0,
    jobs: { processing: 0, completed: 0, failed: 0 },
  });
  expect(await store.usage.getUsage(other)).toMatchObject({ drafts: 0, draft_bytes: 0 });
});

it('saves no more drafts than an account may have when two processes create them at once', async () => {
  const most = { drafts: 3, draft_bytes: 1_000_000 };
  const outcomes = await createAtOnce((listing) => ({ ...listing, job: undefined, most }));

  expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(3);
  expect(outcomes.filter((outcome) => outcome === QuotaError)).toHaveLength(5);
});

it('creates no more fee-paying jobs than the limit allows when two processes create them at once', async () => {
  const spending = { wanted: 2, limit: { most: 4, window_ms: DAY_MS } };
  const outcomes = await createAtOnce((listing) => ({
    ...listing,
    job: { job_id: listing.binding.digest, plan: buildPlan(), state: 'active' },
    spending,
  }));

  expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(2);
  expect(outcomes.filter((outcome) => outcome === SpendingLimitError)).toHaveLength(6);
});

const spend = (wanted: number, most: number) => ({ wanted, limit: { most, window_ms: DAY_MS } });

it('allows free jobs even if more was spent than a lowered limit allows', async () => {
  const { store } = await openWorld();
  const { mine } = await createTwoAccounts(store);
  const job = { job_id: 'job-1', plan: buildPlan(), state: 'active' } as const;
  const [paid, free] = ['a', 'b'].map((digest) => buildListing(mine, { draft: true, digest }));
  if (!paid || !free) throw new Error('there are two');
  await store.listings.createListing({ ...paid, job, spending: spend(2, 2) }, 0);
  const next = { ...free, job: { ...job, job_id: 'job-2' } };
  await expect(store.listings.createListing({ ...next, spending: spend(1, 0) }, 0)).rejects.toThrow(
    SpendingLimitError,
  );
  expect(await store.listings.createListing({ ...next, spending: spend(0, 0) }, 0)).toMatchObject({
    match: 'created',
  });
});

/** Creates eight listings, alternating between two processes. */
async function createAtOnce(change: (listing: NewListing) => object): Promise<unknown[]> {
  const { store, data_dir } = await openWorld();
  const { mine } = await createTwoAccounts(store);
  const { store: neighbour } = await openWorld({ data_dir });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => {
      const listing = buildListing(mine, { draft: true, digest: `digest-${n}` });
      const { listings } = n % 2 === 0 ? store : neighbour;
      return listings.createListing({ ...listing, ...change(listing) }, 0);
    }),
  );
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value.match : outcome.reason.constructor,
  );
}
