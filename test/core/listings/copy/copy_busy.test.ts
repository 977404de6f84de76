import type { ListingJobResult, UpdateResult } from '../../../answers.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildMug, startService, TARGETS, type TestService } from '../../../service.js';
import { connectShop, FERN } from './connect_shop.js';

/* An answer names what a copy waits for. */

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const { clay, linen } = TARGETS;

async function make(title: string): Promise<number | undefined> {
  const mug = buildMug([clay], { state: 'publish' });
  const request = { ...mug, listing: { ...mug.listing, title } };
  return (await service.call<ListingJobResult>('listing_create', request)).listing_pk;
}

/** The listing's state in all shops, and its shops and jobs here. */
async function look(listing_pk: number | undefined) {
  type World = { listings: unknown[]; calls: Record<string, number> };
  const { listings, calls } = await service.control<World>('GET', '/state');
  const { account_id } = await service.app.core.accounts.getDefault();
  const store = service.app.store.listings;
  const [saved, jobs] = await Promise.all([
    store.findListing(account_id, listing_pk ?? 0),
    store.listJobs(account_id, listing_pk ?? 0),
  ]);
  return {
    listings: listings.length,
    created: calls['createDraftListing'],
    jobs: jobs.map((job) => job.job_id),
    shops: saved?.request.shops.map(({ shop_id }) => shop_id),
  };
}

it.each(['draft', 'publish'])('names the running job for a copy with state %s', async (state) => {
  const listing_pk = await make(`Mug for ${state}`);
  await service.control('POST', '/faults', {
    rules: [{ operation: 'updateListing', times: 1, action: { type: 'slow', ms: 1_500 } }],
  });
  const changing = service.call<UpdateResult>('listing_update', {
    listing_pk,
    changes: { listing: { title: `Changed mug for ${state}` } },
  });
  const countRunning = async () => (await service.app.store.getFigures()).jobs.processing;
  await expect.poll(countRunning).toBe(1);
  const copy = { listing_pk, shops: [{ ...linen, price: 21 }], state };
  // A dry run only reads, and waits for nothing.
  expect(await service.call('listing_copy', { ...copy, dry_run: true })).toMatchObject({ status: 'valid' });
  const before = await look(listing_pk);
  const { code, message } = await service.refuse('listing_copy', copy);
  const { job_id } = await changing;
  expect(code).toBe('LISTING_BUSY');
  expect(message).toContain(job_id);
  // Nothing was created for it, there or here, and no job.
  expect(await look(listing_pk)).toEqual(before);
  expect(before.shops).toEqual([clay.shop_id]);
  expect(await service.call('listing_copy', copy)).toMatchObject({ listing_pk });
});

it('names the job whose outcome is unknown', async () => {
  const listing_pk = await make('Open mug');
  const fern = await connectShop(service, FERN.shop_id);
  await service.control('POST', '/faults', {
    rules: [{ operation: 'createDraftListing', times: 2, action: { type: 'reset' } }],
  });
  const { job_id } = await service.call<ListingJobResult>('listing_copy', {
    listing_pk,
    shops: [{ ...linen, price: 21 }],
    state: 'publish',
  });
  const copy = { listing_pk, shops: [{ ...fern, price: 21 }], state: 'publish' };
  const { code, message } = await service.refuse('listing_copy', copy);
  expect(code).toBe('LISTING_BUSY');
  expect(message).toContain(job_id);
});
