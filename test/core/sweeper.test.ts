import type { ImportJobResult, ListingJobResult } from '../answers.js';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { z } from 'zod/v3';
import type { listingDetail } from '../../schemas/listing.js';
import { createBlobFolder } from '../../src/blobs/index.js';
import { createSweeper } from '../../src/core/sweeper.js';
import type { Clock } from '../../src/core/ports/index.js';
import { createMedia } from '../../src/media/index.js';
import { makeMedia } from '../media/sample.js';
import { systemClock } from '../../src/world/clock.js';
import { buildMug, CLAY, listTargets, startService, upload, type TestService } from '../service.js';

type ListingDetail = z.output<typeof listingDetail>;

const DAY_MS = 24 * 60 * 60 * 1000;
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Shared by the service and its sweeper, which must see what the database accepts for now. */
let days_ahead = 0;
const clock = { ...systemClock, now: () => new Date(Date.now() + days_ahead * DAY_MS) };

let service: TestService;
beforeEach(async () => {
  service = await startService({}, { clock });
});
afterEach(() => service.close());

const retention = { deliveries_days: 90, orders_days: 400, plans_days: 90 };
const NOTHING = {
  uploads: 0,
  blobs: 0,
  staged: 0,
  thumbnails: 0,
  payloads: 0,
  hints: 0,
  deliveries: 0,
  events: 0,
  orders: 0,
  plans: 0,
  job_parts: 0,
  batches: 0,
  sheets: 0,
  edit_licenses: 0,
  kept_files: 0,
  bindings: 0,
  sessions: 0,
};

/** The sweeper of this service as it would run this many days from now. */
async function sweepInDays(days: number) {
  days_ahead = days;
  try {
    return await sweep(clock);
  } finally {
    days_ahead = 0;
  }
}

/** @param own_clock of the sweeping computer; the database has that of the service */
function sweep(own_clock: Clock) {
  const blobs = createBlobFolder(join(service.data_dir, 'blobs'));
  const media = createMedia({
    blobs,
    staging_dir: join(service.data_dir, 'staging'),
    thumbnail_dir: join(service.data_dir, 'thumbnails'),
    egress_allow_cidrs: [],
    user_agent: 'test',
  });
  const sweeper = createSweeper(
    { store: service.app.store, media, blobs, clock: own_clock, log },
    { retention },
  );
  return sweeper.sweep();
}

it('starts ten seconds after the start, repeats daily, and stops', async () => {
  const slept: { duration_ms: number; is_idle: boolean | undefined }[] = [];
  let wake: (() => void) | undefined;
  const now = new Date();
  const clock = {
    now: () => now,
    monotonic: () => performance.now(),
    sleep: (duration_ms: number, signal?: AbortSignal, options?: { is_idle?: boolean }) => {
      slept.push({ duration_ms, is_idle: options?.is_idle });
      return new Promise<void>((resolve, reject) => {
        wake = resolve;
        signal?.addEventListener('abort', () => reject(new Error('stopped')));
      });
    },
  };
  let sweeps = 0;
  const counting = { ...log, debug: () => void (sweeps += 1) };
  const { media, blobs } = await makeMedia({});
  const sweeper = createSweeper(
    { store: service.app.store, media, blobs, clock, log: counting },
    { retention },
  );
  sweeper.start();
  await expect.poll(() => slept).toEqual([{ duration_ms: 10_000, is_idle: true }]);
  expect(sweeps).toBe(0);
  wake?.();
  await expect.poll(() => slept).toEqual([slept[0], { duration_ms: DAY_MS, is_idle: true }]);
  expect(sweeps).toBe(1);
  await sweeper.stop();
  expect(slept).toHaveLength(2);
});

it('keeps uploads for 30 days, and longer while a saved listing references them', async () => {
  const [kept = '', unused = ''] = await Promise.all(
    ['photo-01.jpg', 'photo-02.jpg'].map((name) => upload(service, name)),
  );
  const targets = await listTargets(service);
  const draft = await service.call<ListingJobResult>(
    'listing_create',
    buildMug(targets, { images: [{ url: kept }] }),
  );

  // The digest of the draft's body, which recognizes a repeat within minutes.
  expect(await sweepInDays(29)).toEqual({ ...NOTHING, bindings: 1 });
  expect(await sweepInDays(31)).toEqual({ ...NOTHING, uploads: 1, blobs: 1 });
  const { message } = await service.refuse(
    'listing_create',
    buildMug(targets, { images: [{ url: unused }] }),
  );
  expect(message).toBe(
    'images[0].url: refers to an upload that no longer exists; upload the file again and use the new url',
  );
  const published = await service.call<ListingJobResult>('listing_publish', {
    listing_pk: draft.listing_pk,
    state: 'publish',
  });
  expect(published.results?.map(({ status }) => status)).toEqual(['ok', 'ok']);
});

/** Delivers this many due deliveries. */
async function endDue(account_id: string, count: number): Promise<void> {
  const { webhooks } = service.app.store;
  const completed_at = new Date().toISOString();
  for (const delivery of await webhooks.claimDue(account_id, 60_000, count)) {
    const end = { status: 'success', response_status_code: 200, error: null, completed_at } as const;
    await webhooks.endDelivery(delivery, end, (endpoint) => ({ health: endpoint, next: null }));
  }
}

it('keeps the payloads of events for 30 days, and longer while they still have to be sent', async () => {
  const { core, store } = service.app;
  const { account_id } = await core.accounts.getDefault();
  const record = (n: number) =>
    core.events.record({
      account_id,
      event_type: 'order.paid',
      data: { n },
      subject: `etsy:1:${n}`,
      change_key: `change:${n}`,
    });
  await core.endpoints.set(account_id, { url: 'https://shop.example/hooks' });
  for (let n = 0; n < 501; n += 1) await record(n);
  await endDue(account_id, 501);
  await record(501);

  expect(await sweepInDays(29)).toMatchObject({ payloads: 0 });
  expect(await sweepInDays(31)).toMatchObject({ payloads: 501 });
  expect(await store.webhooks.findDelivery(account_id, 502)).toMatchObject({
    status: 'pending',
    payload: { data: { n: 501 } },
  });
});

it("keeps the marketplace's messages until they are handled, and a week longer", async () => {
  const { orders } = service.app.store;
  for (const webhook_id of ['msg_1', 'msg_2']) {
    await orders.saveHint({ webhook_id, shop_id: 1, receipt_id: 2, told: 'paid' });
  }
  const claimed = await orders.claimHint(0);
  await orders.finishHint(claimed!);
  expect(await sweepInDays(6)).toMatchObject({ hints: 0 });
  expect(await sweepInDays(8)).toMatchObject({ hints: 1 });
  expect(await orders.findNextHint()).toBe(0);
});

it('keeps plans for 90 days, and longer if something is left to do; the history of a listing remains', async () => {
  const targets = await listTargets(service);
  const create = (more: Record<string, unknown>) =>
    service.call<ListingJobResult>('listing_create', buildMug(targets, more));
  const done = await create({ state: 'publish' });
  await service.control('POST', '/faults', {
    rules: [{ operation: 'createDraftListing', times: 1, action: { type: 'status', status: 400 } }],
  });
  const open = await create({ state: 'publish', idempotency_key: 'one-that-is-left-open' });
  expect(open.results?.map(({ status }) => status).toSorted()).toEqual(['error', 'ok']);
  const getHistory = async ({ listing_pk }: ListingJobResult) =>
    (await service.call<ListingDetail>('listing_get', { listing_pk, history: true })).history;
  const before = await getHistory(done);

  expect(await sweepInDays(89)).toMatchObject({ plans: 0 });
  expect(await sweepInDays(91)).toMatchObject({ plans: 1 });
  expect(await getHistory(done)).toEqual(before);
  const status = await service.call<ListingJobResult>('listing_create_status', { job_id: done.job_id });
  expect(status).toMatchObject({ status: 'completed', shops_count: 2, message: done.message });
  const again = await service.call<ListingJobResult>('listing_publish', {
    listing_pk: done.listing_pk,
    state: 'publish',
  });
  expect(again).toMatchObject({
    status: 'unchanged',
    results: done.results?.map(({ shop_id, listing_id }) => ({ shop_id, listing_id, status: 'unchanged' })),
  });
  expect(again).not.toHaveProperty('warnings');
  const finished = await service.call<ListingJobResult>('listing_publish', {
    listing_pk: open.listing_pk,
    state: 'publish',
  });
  expect(finished.results?.map(({ status: each }) => each)).toEqual(['ok', 'ok']);
});

it('drops plans of imports after 90 days, and still reports their outcome', async () => {
  const { listing_ids } = await service.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
  });
  const imported = await service.call<ImportJobResult>('listing_import', {
    shop_id: CLAY.shop_id,
    listing_ids,
  });
  expect(await sweepInDays(89)).toMatchObject({ plans: 0 });
  expect(await sweepInDays(91)).toMatchObject({ plans: 1 });
  const { job_id, results } = imported;
  const result = await service.call<ImportJobResult>('listing_create_status', { job_id });
  expect([result.status, result.results]).toEqual(['completed', results]);
});

it('activates a listing whose plan is gone', async () => {
  const targets = await listTargets(service);
  const { listing_pk } = await service.call<ListingJobResult>(
    'listing_create',
    buildMug(targets, { state: 'publish', images: [{ url: await upload(service, 'photo-01.jpg') }] }),
  );
  expect(await sweepInDays(91)).toMatchObject({ plans: 1, uploads: 0 });
  const live = await service.call<ListingJobResult>(
    'listing_publish',
    { listing_pk, state: 'active' },
    { askConsent: () => Promise.resolve('accepted' as const) },
  );
  expect(live.results?.map(({ activated }) => activated)).toEqual([true, true]);
});

it('keeps idempotency keys for 30 days, and digests of bodies for a day', async () => {
  const targets = await listTargets(service);
  const draft = buildMug(targets, { idempotency_key: 'a-mug-of-May' });
  const { listing_pk } = await service.call<ListingJobResult>('listing_create', draft);
  expect(await sweepInDays(0.9)).toMatchObject({ bindings: 0 });
  expect(await sweepInDays(29)).toMatchObject({ bindings: 1 });
  expect(await service.call('listing_create', draft)).toMatchObject({ listing_pk });
  expect(await sweepInDays(31)).toMatchObject({ bindings: 1 });
});

it('removes sessions that were not used for a week, and sign-in links', async () => {
  const { accounts, sessions } = service.app.core;
  const { account_id } = await accounts.getDefault();
  const { token } = await sessions.create(account_id);
  await sessions.createLink(account_id);
  expect(await sweepInDays(6)).toMatchObject({ sessions: 1 });
  expect(await sessions.find(token)).toBeDefined();
  expect(await sweepInDays(8)).toMatchObject({ sessions: 1 });
  expect(await sessions.find(token)).toBeUndefined();
});

it('keeps events and deliveries for 90 days, and longer while one of them still has to be sent', async () => {
  const { core } = service.app;
  const { account_id } = await core.accounts.getDefault();
  const record = (n: number) =>
    core.events.record({
      account_id,
      event_type: 'order.paid',
      data: { n },
      subject: `etsy:1:${n}`,
      change_key: `change:${n}`,
    });
  await record(0);
  await core.endpoints.set(account_id, { url: 'https://shop.example/hooks' });
  for (let n = 1; n <= 3; n += 1) await record(n);
  await endDue(account_id, 2);
  // An unsent event still needs its payload.
  expect(await sweepInDays(89)).toMatchObject({ payloads: 2, deliveries: 0, events: 0 });
  expect(await sweepInDays(91)).toMatchObject({ deliveries: 2, events: 3 });
  const { total, deliveries } = await service.call<{ total: number; deliveries: { id: number }[] }>(
    'webhooks_deliveries',
  );
  expect([total, deliveries.map(({ id }) => id)]).toEqual([1, [3]]);
});

it("removes nothing too early on a computer whose clock is ahead of the database's", async () => {
  const { core, store } = service.app;
  const { account_id } = await core.accounts.getDefault();
  await upload(service, 'photo-01.jpg');
  await service.call('listing_create', buildMug(await listTargets(service), { state: 'publish' }));
  await core.sessions.createLink(account_id);
  const hint = { webhook_id: 'msg_1', shop_id: 1, receipt_id: 2, told: 'paid' } as const;
  await store.orders.saveHint(hint);
  await store.orders.finishHint((await store.orders.claimHint(0))!);
  await core.events.record({
    account_id,
    event_type: 'order.paid',
    data: {},
    subject: 'etsy:1:1',
    change_key: 'change:1',
  });

  const ahead = { ...systemClock, now: () => new Date(Date.now() + 3650 * DAY_MS) };
  // The upload is still there, and needs its bytes.
  expect(await sweep(ahead)).toEqual(NOTHING);
});
