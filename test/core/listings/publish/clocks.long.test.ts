import type { ListingJobResult } from '../../../answers.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/world/clock.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../../../service.js';

type World = { listings: { listing_id: number; state: string; images: unknown[] }[]; fees: unknown[] };

const HOUR_MS = 3_600_000;
const SETTINGS = { RECONCILE_SETTLE_MS: '300' };

let ahead_ms = 0;
const clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };

let service: TestService;
let target: object;
let url: string;

beforeEach(async () => {
  ahead_ms = 0;
  service = await startService(SETTINGS, { clock });
  [target = {}] = await listTargets(service);
  url = await upload(service, 'photo-01.jpg');
  await service.call('listing_schema', { category_id: 1062 });
});
afterEach(() => service.close());

const readState = () => service.control<World>('GET', '/state');
const countImages = async () => (await readState()).listings[0]?.images.length;
const strike = (...rules: object[]) => service.control('POST', '/faults', { rules });
const create = (state = 'publish', more: object = {}) =>
  service.call<ListingJobResult>('listing_create', buildMug([target], { state, images: [{ url }], ...more }));
const publish = (listing_pk: number | undefined, state: string) =>
  service.call<ListingJobResult>('listing_publish', { listing_pk, state });

async function restart(): Promise<void> {
  const { data_dir } = service;
  await service.close({ keep: true });
  service = await startService(SETTINGS, { clock, data_dir });
}

describe("the service's clock", () => {
  it.each([-HOUR_MS, HOUR_MS])(
    'creates no second draft if it is set by %i ms while a create is unresolved',
    async (step_ms) => {
      await strike(
        { operation: 'createDraftListing', action: { type: 'commit_then_reset' } },
        { operation: 'getListingsByShop', action: { type: 'slow', ms: 400 } },
      );
      const answer = create();
      await expect.poll(async () => (await readState()).listings).toHaveLength(1);
      ahead_ms += step_ms;
      const { results } = await answer;
      const { listings } = await readState();
      expect(listings).toHaveLength(1);
      expect(results?.[0]).toMatchObject({ status: 'ok', listing_id: listings[0]?.listing_id });
    },
  );

  it('creates no second draft either if that of the next process differs', async () => {
    await strike(
      { operation: 'createDraftListing', action: { type: 'commit_then_reset' } },
      { operation: 'getListingsByShop', times: 1_000, action: { type: 'status', status: 503 } },
    );
    const { listing_pk, results: first } = await create();
    expect(first?.[0]).toMatchObject({ status: 'error', details: { step: 'create' } });
    await service.control('DELETE', '/faults');
    ahead_ms = -HOUR_MS;
    await restart();
    const { results } = await publish(listing_pk, 'publish');
    expect(results?.[0]?.status).toBe('ok');
    expect((await readState()).listings).toHaveLength(1);
  });

  it('does not make a caller wait longer than requested if it is set back', async () => {
    await strike({ operation: 'uploadListingImage', action: { type: 'slow', ms: 3_000 } });
    const body = buildMug([target], { state: 'publish', images: [{ url }] });
    const answer = service.call<ListingJobResult>('listing_create', body, { wait_ms: 500 });
    await expect.poll(async () => (await readState()).listings).toHaveLength(1);
    ahead_ms -= HOUR_MS;
    expect((await answer).status).toBe('processing');
  });

  it('does not hide the reported fee if it is set back before the activation', async () => {
    await strike({ operation: 'uploadListingImage', action: { type: 'slow', ms: 300 } });
    const answer = create('active');
    await expect.poll(async () => (await readState()).listings).toHaveLength(1);
    ahead_ms -= HOUR_MS;
    const { results } = await answer;
    expect(results?.[0]).toMatchObject({ status: 'ok', activated: true, activation_cost_usd: 0.2 });
    expect((await readState()).fees).toHaveLength(1);
  });
});

describe('a process whose monotonic clock stopped while it slept for days', () => {
  const DAYS_MS = 72 * HOUR_MS;

  it('recognizes the draft whose answer was lost, by the time that has passed on the wall clock', async () => {
    ahead_ms = -DAYS_MS;
    await service.control('POST', '/settings', { date_ahead_ms: -DAYS_MS });
    await service.call('store_sync', target);
    await service.control('POST', '/settings', { date_ahead_ms: 0 });
    ahead_ms = 0;
    await strike({ operation: 'createDraftListing', action: { type: 'commit_then_reset' } });
    const { results } = await create();
    const { listings } = await readState();
    expect(listings).toHaveLength(1);
    expect(results?.[0]).toMatchObject({ status: 'ok', listing_id: listings[0]?.listing_id });
  });
});

describe('a photo whose answer is lost', () => {
  it('is attached once if the clock was set ahead while the previous one was sent', async () => {
    const images = await Promise.all(
      ['photo-01.jpg', 'photo-02.jpg'].map(async (name) => ({ url: await upload(service, name) })),
    );
    await strike(
      { operation: 'uploadListingImage', action: { type: 'commit_then_slow', ms: 400 } },
      { operation: 'uploadListingImage', action: { type: 'commit_then_reset' } },
    );
    const answer = create('publish', { images });
    await expect.poll(countImages).toBe(1);
    ahead_ms += HOUR_MS;
    const { results } = await answer;
    expect(results?.[0]?.status).toBe('ok');
    expect(await countImages()).toBe(2);
  });
});

describe('a fee', () => {
  it('is reported by the job that finds it charged, after one that could not check its activation', async () => {
    await strike(
      { operation: 'updateListing', action: { type: 'commit_then_reset' } },
      { operation: 'getListing', after: 1, action: { type: 'status', status: 400, body: { error: 'no' } } },
    );
    const first = await create('active');
    expect(first.results?.[0]).toMatchObject({ status: 'error' });
    const second = await publish(first.listing_pk, 'active');
    expect(second.results?.[0]).toMatchObject({ status: 'ok', activated: true, activation_cost_usd: 0.2 });
    const third = await publish(first.listing_pk, 'active');
    expect(third).toMatchObject({ status: 'unchanged', results: [{ status: 'unchanged' }] });
    const result = await service.call<ListingJobResult>('listing_create_status', { job_id: second.job_id });
    expect(result.results?.[0]).toMatchObject({ status: 'ok', activated: true, activation_cost_usd: 0.2 });
    expect((await readState()).fees).toHaveLength(1);
  });

  it('is not reported for a listing the seller activated manually', async () => {
    const first = await create();
    const [listing] = (await readState()).listings;
    await service.control('POST', `/listings/${listing?.listing_id}/state`, { state: 'active' });
    const { results } = await publish(first.listing_pk, 'active');
    expect(results?.[0]).toMatchObject({ status: 'ok', activated: true, activation_cost_usd: 0 });
    expect(results?.[0]?.warnings?.map(({ code }) => code)).toContain('live_already');
    expect((await readState()).fees).toHaveLength(0);
  });
});

describe('a Date header that an intermediary has written', () => {
  beforeEach(async () => {
    await service.control('POST', '/settings', { date_ahead_ms: HOUR_MS });
    await service.call('store_sync', target);
  });

  it('does not cause another create for a listing with the right texts and the wrong time', async () => {
    await strike({ operation: 'createDraftListing', action: { type: 'commit_then_reset' } });
    const { results, listing_pk } = await create();
    const [listing, ...more] = (await readState()).listings;
    expect(more).toEqual([]);
    expect(results?.[0]?.error).toContain(
      `Listing ${listing?.listing_id} in the shop has the same text as this one`,
    );
    // As the seller is told to.
    await service.control('POST', `/listings/${listing?.listing_id}/state`, { state: 'removed' });
    const second = await publish(listing_pk, 'publish');
    expect(second.results?.[0]?.status).toBe('ok');
    expect((await readState()).listings).toHaveLength(2);
  });

  it('does not cause a photo to be sent again whose answer was lost', async () => {
    await strike({ operation: 'uploadListingImage', action: { type: 'commit_then_reset' } });
    const { results } = await create();
    expect(results?.[0]?.status).toBe('ok');
    expect((await readState()).listings.map(({ images }) => images.length)).toEqual([1]);
  });

  it('is noticed at the first created listing, and ignored from then on', async () => {
    await create('publish', { idempotency_key: 'first' });
    await strike({ operation: 'createDraftListing', action: { type: 'commit_then_reset' } });
    const { results } = await create('publish', { idempotency_key: 'second' });
    expect(results?.[0]?.status).toBe('ok');
    expect((await readState()).listings).toHaveLength(2);
  });
});
