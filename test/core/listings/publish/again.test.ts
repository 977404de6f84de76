import type { ListingJobResult } from '../../../answers.js';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildMug, listTargets, startService, upload, type TestService } from '../../../service.js';

type World = {
  listings: { state: string; images: unknown[] }[];
  fees: unknown[];
  calls: Record<string, number>;
};

let service: TestService;
let targets: Awaited<ReturnType<typeof listTargets>>;

beforeEach(async () => {
  service = await startService();
  targets = (await listTargets(service)).slice(0, 1);
});
afterEach(() => service.close());

const readState = () => service.control<World>('GET', '/state');
const strike = (rule: object) => service.control('POST', '/faults', { rules: [rule] });
const create = (body: object) => service.call<ListingJobResult>('listing_create', body);
const publish = (listing_pk: number | undefined, state: string) =>
  service.call<ListingJobResult>('listing_publish', { listing_pk, state });

it('answers the request of a draft that was published since with the outcome', async () => {
  const body = buildMug(targets);
  const { listing_pk } = await create(body);
  await publish(listing_pk, 'publish');
  const again = await create(body);
  expect(again).toMatchObject({ status: 'completed', listing_pk });
  expect(again.warnings?.map(({ code }) => code)).toEqual(['replayed']);
  expect((await readState()).listings).toHaveLength(1);
});

it('treats a request as the same with dry_run: false and without it, and tries one whose key was used for it', async () => {
  const body = buildMug(targets, { state: 'publish' });
  const { listing_pk } = await create({ ...body, dry_run: false });
  expect(await create(body)).toMatchObject({ listing_pk, warnings: [{ code: 'replayed' }] });
  expect((await readState()).listings).toHaveLength(1);
  const named = { ...body, idempotency_key: 'mug-1' };
  const made = await create(named);
  expect(await create({ ...named, dry_run: true })).toMatchObject({ status: 'valid' });
  expect(await create({ ...named, dry_run: false })).toMatchObject({ listing_pk: made.listing_pk });
  const other = { ...named, state: 'draft', dry_run: true };
  expect((await service.refuse('listing_create', other)).code).toBe('IDEMPOTENCY_KEY_REUSED');
});

it('activates after a running publish, instead of answering with it', async () => {
  const image = await upload(service, 'photo-01.jpg');
  const { listing_pk } = await create(buildMug(targets, { images: [{ url: image }] }));
  await strike({ operation: 'uploadListingImage', action: { type: 'slow', ms: 500 } });
  const [published, live] = await Promise.all([
    publish(listing_pk, 'publish'),
    new Promise((resolve) => {
      setTimeout(resolve, 200);
    }).then(() => publish(listing_pk, 'active')),
  ]);
  expect(published.results?.[0]?.status).toBe('ok');
  expect(live.results?.[0]).toMatchObject({ status: 'ok', activated: true });
  const { listings, fees } = await readState();
  expect(listings.map(({ state }) => state)).toEqual(['active']);
  expect(fees).toHaveLength(1);
});

it('sends a photo that failed before when asked to publish again', async () => {
  const image = await upload(service, 'photo-02.jpg');
  await strike({
    operation: 'uploadListingImage',
    action: { type: 'status', status: 400, body: { error: 'not now' } },
  });
  const first = await create(buildMug(targets, { state: 'publish', images: [{ url: image }] }));
  expect(first.results?.[0]?.warnings?.map(({ code }) => code)).toContain('image_failed');
  const second = await publish(first.listing_pk, 'publish');
  expect(second.results?.[0]?.images).toHaveLength(1);
  expect((await readState()).listings[0]?.images).toHaveLength(1);
});

it('deletes a listing that was never created on the marketplace', async () => {
  await strike({
    operation: 'createDraftListing',
    action: { type: 'status', status: 400, body: { error: 'not in this house' } },
  });
  const { listing_pk, results } = await create(buildMug(targets, { state: 'publish' }));
  expect(results?.[0]).toMatchObject({ status: 'error', details: { step: 'create' } });
  expect(await service.call('listing_delete', { listing_pk })).toEqual({ listing_pk, deleted: true });
});

it('counts the time a caller waits from the arrival of the call', async () => {
  await strike({ operation: 'createDraftListing', action: { type: 'slow', ms: 1_500 } });
  const body = buildMug(targets, { state: 'publish' });
  const answer = await service.call<ListingJobResult>('listing_create', body, { wait_ms: 300 });
  expect(answer).toMatchObject({ status: 'processing', results: [{ status: 'processing' }] });
  expect(answer.message).toContain(answer.job_id);
  const ended = await create(body);
  expect(ended).toMatchObject({ status: 'completed', job_id: answer.job_id });
});

it('answers a repeat with the earlier answer, even if the bytes of its photo are gone', async () => {
  const image = await upload(service, 'photo-01.jpg');
  const body = buildMug(targets, { state: 'publish', images: [{ url: image }], idempotency_key: 'mug-1' });
  const { job_id } = await create(body);
  await rm(join(service.data_dir, 'blobs'), { recursive: true });
  const again = await create(body);
  expect(again).toMatchObject({ status: 'completed', job_id });
  expect((await readState()).listings).toHaveLength(1);
});

it('finds a draft that appears only after the job reported that the marketplace has none', async () => {
  await service.control('POST', '/settings', { draft_list_lag_ms: 3_600_000 });
  await strike({
    operation: 'createDraftListing',
    times: 2,
    action: { type: 'commit_then_status', status: 500 },
  });
  const first = await create(buildMug(targets, { state: 'publish' }));
  expect(first.results?.[0]?.error).toContain(
    'the marketplace did not return a result for either of two attempts',
  );
  await service.control('POST', '/settings', { draft_list_lag_ms: 0 });
  const second = await publish(first.listing_pk, 'publish');
  expect(second.results?.[0]?.status).toBe('ok');
  expect(second.results?.[0]?.warnings?.map(({ code }) => code)).toContain('several_drafts_match');
  expect((await readState()).listings).toHaveLength(2);
});

it('creates again after a job that twice found nothing, if nothing has appeared', async () => {
  await strike({ operation: 'createDraftListing', times: 4, action: { type: 'status', status: 500 } });
  const first = await create(buildMug(targets, { state: 'publish' }));
  const second = await publish(first.listing_pk, 'publish');
  for (const { results } of [first, second]) {
    expect(results?.[0]?.error).toContain(
      'the marketplace did not return a result for either of two attempts',
    );
  }
  expect((await publish(first.listing_pk, 'publish')).results?.[0]?.status).toBe('ok');
  const { listings, calls } = await readState();
  expect([listings.length, calls['createDraftListing']]).toEqual([1, 5]);
});
