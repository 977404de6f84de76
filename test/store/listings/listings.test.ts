import { describe, expect, it } from 'vitest';
import { type JobClaim, type Store, buildEmptyProgress } from '../../../src/core/ports/index.js';
import { buildListing, buildPlan, buildRequest } from '../samples/listing_samples.js';
import { createTwoAccounts, openWorld, START } from '../world.js';

const REPLAY_MS = 600_000;
const CLAIM_MS = 60_000;

describe('createListing', () => {
  it('saves a draft without a job', async () => {
    const { store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const created = await store.listings.createListing(buildListing(mine, { draft: true }), REPLAY_MS);

    expect(created).toEqual({
      match: 'created',
      listing: {
        account_id: mine,
        listing_pk: 1,
        title: 'Oak bowl',
        status: 'draft',
        state: 'draft',
        request: buildRequest(),
        warnings: [
          {
            code: 'ignored_field',
            fields: ['listing.sku'],
            reason: { code: 'stored_text', params: { text: 'for the test' } },
          },
        ],
        job_id: null,
        created_at: START,
        updated_at: START,
      },
      job: undefined,
    });
    expect(await store.listings.listPublications(mine, 1)).toEqual([]);
  });

  it('saves the listing, its job and one publication per shop', async () => {
    const { store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const created = await store.listings.createListing(buildListing(mine), REPLAY_MS);

    expect(created).toMatchObject({
      match: 'created',
      listing: { listing_pk: 1, status: 'processing', state: 'publish', job_id: 'job_1' },
    });
    expect(await store.listings.findJob(mine, 'job_1')).toEqual({
      account_id: mine,
      job_id: 'job_1',
      kind: 'publish',
      listing_pk: 1,
      state: 'publish',
      status: 'processing',
      plan: buildPlan(),
      results: null,
      error_message: null,
      created_at: START,
      completed_at: null,
      is_restored: false,
    });
    expect(await store.listings.listPublications(mine, 1)).toEqual([
      { shop_id: 101, listing_id: null, progress: buildEmptyProgress() },
      { shop_id: 102, listing_id: null, progress: buildEmptyProgress() },
    ]);
  });

  it('leaves nothing behind if it fails halfway', async () => {
    const { store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    await store.listings.createListing(buildListing(mine), REPLAY_MS);
    const sameJobId = buildListing(mine, { digest: 'digest-2' });

    await expect(store.listings.createListing(sameJobId, REPLAY_MS)).rejects.toThrow(/unique/i);
    expect(await store.listings.listListings(mine, { limit: 10, offset: 0 })).toMatchObject({ total: 1 });
    expect(await store.listings.findBinding(mine, sameJobId.binding, REPLAY_MS)).toEqual({
      match: 'none',
    });
  });
});

describe('accounts', () => {
  it('see nothing of each other', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    await store.listings.createListing(buildListing(mine, { key: 'k' }), REPLAY_MS);
    await claim(store, mine, 'job_1');
    const { listings } = store;

    expect(await listings.findListing(other, 1)).toBeUndefined();
    expect(await listings.findJob(other, 'job_1')).toBeUndefined();
    expect(await listings.listPublications(other, 1)).toEqual([]);
    expect(await listings.listListings(other, { limit: 10, offset: 0 })).toEqual({ total: 0, items: [] });
    expect(await listings.findBinding(other, { key: 'k', digest: 'digest-1' }, REPLAY_MS)).toEqual({
      match: 'none',
    });
    expect(await listings.findBinding(other, { key: null, digest: 'digest-1' }, REPLAY_MS)).toEqual({
      match: 'none',
    });
    expect(await listings.claimJob(other, 'job_1', CLAIM_MS)).toBeUndefined();
    expect(await listings.deleteDraft(other, 1)).toBe(false);
    const foreignClaim = { account_id: other, job_id: 'job_1', fence: 1 };
    await expect(savePublication(store, foreignClaim, 7)).rejects.toThrow(
      'Another process has taken over job job_1.',
    );
  });

  it('may use the same job id and the same key', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    const first = await store.listings.createListing(buildListing(mine, { key: 'k' }), REPLAY_MS);
    const second = await store.listings.createListing(buildListing(other, { key: 'k' }), REPLAY_MS);

    expect([first.match, second.match]).toEqual(['created', 'created']);
  });
});

describe('listListings', () => {
  it('pages newest first, with a total that matches the filter', async () => {
    const { store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    for (let n = 1; n <= 5; n += 1) {
      const draft = n % 2 === 0;
      const listing = buildListing(mine, { digest: `digest-${n}`, job_id: `job_${n}`, draft });
      await store.listings.createListing(listing, REPLAY_MS);
    }
    const list = async (page: Parameters<Store['listings']['listListings']>[1]) => {
      const { total, items } = await store.listings.listListings(mine, page);
      return { total, pks: items.map((item) => item.listing_pk) };
    };

    expect(await list({ limit: 2, offset: 0 })).toEqual({ total: 5, pks: [5, 4] });
    expect(await list({ limit: 2, offset: 4 })).toEqual({ total: 5, pks: [1] });
    expect(await list({ limit: 2, offset: 9 })).toEqual({ total: 5, pks: [] });
    expect(await list({ status: 'draft', limit: 9, offset: 0 })).toEqual({ total: 2, pks: [4, 2] });
    const { items } = await store.listings.listListings(mine, { limit: 1, offset: 0 });
    expect(items[0]?.places.map(({ shop_id }) => shop_id)).toEqual([101, 102]);
  });

  it('finds listings by words of titles and SKUs, by shop and by state there, sorted', async () => {
    const { store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const make = async (title: string, sku: string, shop_ids: number[]) => {
      const request = buildRequest(shop_ids);
      const listing = { ...request.listing, title, sku };
      await store.listings.createListing(
        {
          ...buildListing(mine, { digest: title, draft: true }),
          title,
          request: { ...request, listing },
        },
        REPLAY_MS,
      );
    };
    await make('Walnut bowl', 'B_1', [101]);
    await make('ash Bowl', 'B21', [102, 1011]);
    await make('Plate', 'B%3', [101, 102]);
    const find = async (filter: Partial<Parameters<Store['listings']['listListings']>[1]>) => {
      const { total, items } = await store.listings.listListings(mine, { limit: 9, offset: 0, ...filter });
      expect(total).toBe(items.length);
      return items.map(({ title }) => title);
    };
    expect(await find({ keywords: 'BOWL' })).toEqual(['ash Bowl', 'Walnut bowl']);
    expect(await find({ keywords: 'bowl wal' })).toEqual(['Walnut bowl']);
    expect(await find({ keywords: 'b_1' })).toEqual(['Walnut bowl']);
    expect(await find({ keywords: '%' })).toEqual(['Plate']);
    expect(await find({ shop_id: 101 })).toEqual(['Plate', 'Walnut bowl']);
    expect(await find({ shop_id: 101, keywords: 'bowl' })).toEqual(['Walnut bowl']);
    expect(await find({ shop_state: 'sold_out' })).toEqual([]);
    expect(await find({ sort: 'title' })).toEqual(['ash Bowl', 'Plate', 'Walnut bowl']);
    const paged = { sort: 'title', keywords: 'bowl', limit: 1, offset: 1 } as const;
    const { total, items } = await store.listings.listListings(mine, paged);
    expect([total, items.map(({ title }) => title)]).toEqual([2, ['Walnut bowl']]);
  });

  it('leaves out abandoned listings unless asked for them, and lists them again once they are finished', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    const created = await store.listings.createListing(buildListing(mine, { job_id: 'job_1' }), REPLAY_MS);
    expect(created.match).toBe('created');
    expect(await store.listings.giveUp(mine, 1)).toBe(false);
    const claimed = await claim(store, mine, 'job_1');
    const intent = {
      step: 'activate',
      digest: 'd',
      started_at: START,
      deadline_at: START,
      attempt: 1,
    } as const;
    await savePublication(store, claimed, 5001, { ...buildEmptyProgress(), intent });
    await store.listings.finishJob(claimed, {
      status: 'completed',
      results: [],
      error_message: null,
      listing_status: 'incomplete',
    });
    expect(await store.listings.giveUp(other, 1)).toBe(false);
    // It may be active, with its fee paid.
    expect(await store.listings.giveUp(mine, 1)).toBe(false);
    await savePublication(store, claimed, 5001);
    expect(await store.listings.giveUp(mine, 1)).toBe(true);
    expect(await store.listings.giveUp(mine, 1)).toBe(false);
    const count = async (status?: 'given_up' | 'processing') =>
      (await store.listings.listListings(mine, { limit: 1, offset: 0, ...(status && { status }) })).total;
    expect([await count(), await count('given_up')]).toEqual([0, 1]);
    await store.listings.createJob({
      kind: 'publish',
      account_id: mine,
      listing_pk: 1,
      job_id: 'job_2',
      state: 'publish',
      plan: buildPlan(),
    });
    expect([await count(), await count('given_up'), await count('processing')]).toEqual([1, 0, 1]);
  });
});

describe('deleteDraft', () => {
  it('deletes a draft with its bindings, so that its key can be reused', async () => {
    const { store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const draft = buildListing(mine, { draft: true, key: 'k' });
    await store.listings.createListing(draft, REPLAY_MS);

    expect(await store.listings.deleteDraft(mine, 1)).toBe(true);
    expect(await store.listings.deleteDraft(mine, 1)).toBe(false);
    expect(await store.listings.findListing(mine, 1)).toBeUndefined();
    const again = await store.listings.createListing(draft, REPLAY_MS);
    expect(again).toMatchObject({ match: 'created', listing: { listing_pk: 2 } });
  });

  it('keeps listings that are running, published, or possibly on their way to the marketplace', async () => {
    const { store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const { listings } = store;
    await listings.createListing(buildListing(mine), REPLAY_MS);
    expect(await listings.deleteDraft(mine, 1)).toBe(false);

    const claimed = await claim(store, mine, 'job_1');
    const intent = {
      step: 'create',
      digest: 'd',
      started_at: START,
      deadline_at: START,
      attempt: 1,
    } as const;
    await savePublication(store, claimed, null, { ...buildEmptyProgress(), intent });
    await listings.finishJob(claimed, {
      status: 'failed',
      publications: [],
      results: [],
      error_message: { code: 'stored_text', params: { text: 'gone' } },
      listing_status: 'draft',
    });
    expect(await listings.deleteDraft(mine, 1)).toBe(false);

    await savePublication(store, claimed, 5001);
    expect(await listings.deleteDraft(mine, 1)).toBe(false);

    await savePublication(store, claimed, null);
    expect(await listings.deleteDraft(mine, 1)).toBe(true);
    expect(await listings.findJob(mine, 'job_1')).toBeUndefined();
  });
});

async function claim(store: Store, account_id: string, job_id: string) {
  const claimed = await store.listings.claimJob(account_id, job_id, CLAIM_MS);
  if (!claimed) throw new Error('the job could not be claimed');
  return claimed;
}

function savePublication(
  store: Store,
  claimed: JobClaim,
  listing_id: number | null,
  progress = buildEmptyProgress(),
): Promise<void> {
  return store.listings.savePublication(claimed, { shop_id: 101, listing_id, progress });
}
