import type { ListingJobResult } from '../../../answers.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod/v3';
import type { listingDetail, ListingHistory } from '../../../../schemas/listing.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../../../service.js';

type ListingDetail = z.output<typeof listingDetail>;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function getHistory(listing_pk: number): Promise<ListingHistory | undefined> {
  const { history } = await service.call<{ history?: ListingHistory }>('listing_get', {
    listing_pk,
    history: true,
  });
  return history;
}

it('is empty for a draft, and is included only on request', async () => {
  const [target] = await listTargets(service);
  const { listing_pk } = await service.call<{ listing_pk: number }>(
    'listing_create',
    buildMug([target ?? {}]),
  );
  expect(await getHistory(listing_pk)).toEqual({ jobs: [], shops: [], fees: [] });
  expect(await service.call('listing_get', { listing_pk })).not.toHaveProperty('history');
});

it('lists every job, and each step with its time, its failure, or that it is still to come', async () => {
  const targets = await listTargets(service);
  const refusal = { type: 'status', status: 400, body: { error: 'No.' } };
  await service.control('POST', '/faults', {
    rules: [{ operation: 'createDraftListing', shop_id: targets[1]?.shop_id, action: refusal }],
  });
  const { listing_pk, job_id } = await service.call<{ listing_pk: number; job_id: string }>(
    'listing_create',
    buildMug(targets, { state: 'publish', images: [{ url: await upload(service, 'mug-front.jpg') }] }),
  );
  const first = await getHistory(listing_pk);
  expect(first?.jobs).toMatchObject([{ job_id, state: 'publish', status: 'completed', error_message: null }]);
  const time = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(first?.shops[0]?.steps).toEqual([
    { step: 'create', status: 'done', done_at: time },
    { step: 'images', status: 'done', done_at: time },
    { step: 'verify', status: 'done', done_at: time },
  ]);
  expect(first?.shops[1]?.steps).toEqual([
    { step: 'create', status: 'failed', done_at: null },
    { step: 'images', status: 'open', done_at: null },
    { step: 'verify', status: 'open', done_at: null },
  ]);

  await service.call('listing_publish', { listing_pk, state: 'active' });
  const second = await getHistory(listing_pk);
  expect(second?.jobs.map(({ state, status }) => [state, status])).toEqual([
    ['publish', 'completed'],
    ['active', 'completed'],
  ]);
  for (const { steps } of second?.shops ?? []) {
    expect(steps.map(({ step, status }) => [step, status])).toEqual([
      ['create', 'done'],
      ['images', 'done'],
      ['verify', 'done'],
      ['activate', 'done'],
    ]);
  }
  expect(second?.shops[0]?.steps[0]).toEqual(first?.shops[0]?.steps[0]);
});

it('keeps the result and the steps of a shop that a later job did not touch', async () => {
  const targets = await listTargets(service);
  const [first, second] = targets.map(({ shop_id }) => String(shop_id));
  const refusal = { type: 'status', status: 400, body: { error: 'No.' } };
  const fault = { operation: 'createDraftListing', shop_id: targets[1]?.shop_id, times: 1, action: refusal };
  await service.control('POST', '/faults', { rules: [fault] });
  const images = [{ url: await upload(service, 'mug-front.jpg') }];
  const request = buildMug(targets, { state: 'active', images, idempotency_key: 'finished-elsewhere' });
  const made = await service.call<ListingJobResult>('listing_create', request);
  expect(made.results?.map(({ status }) => status)).toEqual(['ok', 'error']);
  const { listing_pk } = made;
  const finished = await service.call<ListingJobResult>('listing_publish', { listing_pk, state: 'active' });
  expect(finished.results?.map(({ shop_id }) => shop_id)).toEqual([second]);

  const shown = await service.call<ListingDetail>('listing_get', { listing_pk, history: true });
  expect(shown.results).toEqual([made.results?.[0], finished.results?.[0]]);
  expect(shown.results[0]?.listing_url).toContain('/listing/');
  expect(shown.history?.shops.map(({ shop_id, steps }) => [shop_id, steps.at(-1)])).toEqual([
    [first, { step: 'activate', status: 'done', done_at: expect.any(String) as string }],
    [second, { step: 'activate', status: 'done', done_at: expect.any(String) as string }],
  ]);
});
