import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ListingHistory } from '../../../../schemas/listing.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../../../service.js';

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

it('of a draft is empty, and is told only when it is asked for', async () => {
  const [target] = await listTargets(service);
  const { listing_pk } = await service.call<{ listing_pk: number }>(
    'listing_create',
    buildMug([target ?? {}]),
  );
  expect(await getHistory(listing_pk)).toEqual({ jobs: [], shops: [] });
  expect(await service.call('listing_get', { listing_pk })).not.toHaveProperty('history');
});

it('tells every job, and each step with its time, its failure, or that it is still to come', async () => {
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
