import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ListingJobResult } from '../../schemas/job.js';
import { createSweeper } from '../../src/core/sweeper.js';
import { createMedia } from '../../src/media/index.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../service.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let service: TestService;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

/** The sweeper of this service as it would run so many days from now. */
function sweepInDays(days: number) {
  const media = createMedia({
    blob_dir: join(service.data_dir, 'blobs'),
    staging_dir: join(service.data_dir, 'staging'),
    thumbnail_dir: join(service.data_dir, 'thumbnails'),
    egress_allow_cidrs: [],
    user_agent: 'test',
  });
  const clock = {
    now: () => new Date(Date.now() + days * DAY_MS),
    monotonic: () => performance.now(),
    sleep: () => Promise.resolve(),
  };
  return createSweeper({ store: service.app.store, media, clock, log }).sweep();
}

it('keeps uploads 30 days, and longer while a saved listing names them', async () => {
  const [kept = '', unused = ''] = await Promise.all(
    ['photo-01.jpg', 'photo-02.jpg'].map((name) => upload(service, name)),
  );
  const targets = await listTargets(service);
  const draft = await service.call<ListingJobResult>(
    'listing_create',
    buildMug(targets, { images: [{ url: kept }] }),
  );

  const nothing = { uploads: 0, blobs: 0, staged: 0, thumbnails: 0, payloads: 0, hints: 0 };
  expect(await sweepInDays(29)).toEqual(nothing);
  expect(await sweepInDays(31)).toEqual({ ...nothing, uploads: 1, blobs: 1 });
  const { message } = await service.refuse(
    'listing_create',
    buildMug(targets, { images: [{ url: unused }] }),
  );
  expect(message).toBe(
    'images[0].url: this upload is no longer here; upload the file again and use the new url',
  );
  const published = await service.call<ListingJobResult>('listing_publish', {
    listing_pk: draft.listing_pk,
    state: 'publish',
  });
  expect(published.results?.map(({ status }) => status)).toEqual(['ok', 'ok']);
});

it('keeps the payloads of events 30 days, and longer while they have to be sent', async () => {
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
  for (let n = 0; n < 501; n += 1) await record(n);
  await core.endpoints.set(account_id, { url: 'https://shop.example/hooks' });
  await record(501);

  expect(await sweepInDays(29)).toMatchObject({ payloads: 0 });
  expect(await sweepInDays(31)).toMatchObject({ payloads: 501 });
  expect(await store.webhooks.findDelivery(account_id, 1)).toMatchObject({
    status: 'pending',
    payload: { data: { n: 501 } },
  });
});

it("keeps what the marketplace's messages said until it is done, and a week longer", async () => {
  const { orders } = service.app.store;
  const now = new Date().toISOString();
  for (const webhook_id of ['msg_1', 'msg_2']) {
    await orders.saveHint({ webhook_id, shop_id: 1, receipt_id: 2, told: 'paid' }, now);
  }
  await orders.finishHint('msg_1', now);
  expect(await sweepInDays(6)).toMatchObject({ hints: 0 });
  expect(await sweepInDays(8)).toMatchObject({ hints: 1 });
  expect(await orders.findNextHintAt()).toBe(now);
});
