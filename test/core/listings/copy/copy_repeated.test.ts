import type { ListingJobResult } from '../../../answers.js';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAddon } from '../../../../src/sqlite.js';
import { ENGINE } from '../../../postgres/world.js';
import { buildMug, startService, TARGETS, upload, type TestService } from '../../../service.js';

/* A copy saved as a draft and called again: the answer reflects the current state. */

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const { clay, linen } = TARGETS;
const copy = (listing_pk: number | undefined, more: object = {}) =>
  service.call<ListingJobResult>('listing_copy', { listing_pk, shops: [{ ...linen, price: 21 }], ...more });

async function makeLive(title: string): Promise<number | undefined> {
  const mug = buildMug([clay], {
    state: 'active',
    images: [{ url: await upload(service, 'photo-01.jpg') }],
  });
  const request = { ...mug, listing: { ...mug.listing, title } };
  return (await service.call<ListingJobResult>('listing_create', request)).listing_pk;
}

const SAVED = 'Saved for 1 more shop; nothing was sent. listing_publish makes it there.';

it('gives the same answer to a repeat with its key, without mentioning other shops where the listing is active', async () => {
  const listing_pk = await makeLive('Live mug');
  const keyed = { idempotency_key: 'saved-copy' };
  expect(await copy(listing_pk, keyed)).toMatchObject({ status: 'draft', message: SAVED });
  expect(await copy(listing_pk, keyed)).toMatchObject({
    status: 'draft',
    message: SAVED,
    warnings: [{ code: 'replayed' }],
  });
});

it('answers a repeat with its key with the job that has published it since', async () => {
  const listing_pk = await makeLive('Mug for later');
  const keyed = { idempotency_key: 'published-copy' };
  await copy(listing_pk, keyed);
  const { job_id } = await service.call<ListingJobResult>('listing_publish', {
    listing_pk,
    state: 'publish',
    shops: [linen.shop_id],
  });
  expect(await copy(listing_pk, keyed)).toMatchObject({
    status: 'completed',
    job_id,
    results: [{ shop_id: String(linen.shop_id), status: 'ok' }],
  });
  await service.call('listing_update', { listing_pk, changes: { listing: { quantity: 5 } } });
  const { job_id: later } = await service.call<ListingJobResult>('listing_publish', {
    listing_pk,
    state: 'active',
    shops: [linen.shop_id],
  });
  expect(await copy(listing_pk, keyed)).toMatchObject({ status: 'completed', job_id: later });
});

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

// The time is changed directly in SQLite.
it.skipIf(ENGINE === 'postgres')('treats a repeat without a key as one for ten minutes', async () => {
  const listing_pk = await makeLive('Old mug');
  const db = openAddon(join(service.data_dir, 'service.db'));
  db.prepare('UPDATE listings SET created_at = ? WHERE listing_pk = ?').run(ago(60), listing_pk);
  await copy(listing_pk);
  expect(await copy(listing_pk)).toMatchObject({
    status: 'draft',
    message: SAVED,
    warnings: [{ code: 'replayed' }],
  });
  db.prepare('UPDATE digest_bindings SET bound_at = ? WHERE listing_pk = ?').run(ago(11), listing_pk);
  db.close();
  const again = { listing_pk, shops: [{ ...linen, price: 21 }] };
  expect((await service.refuse('listing_copy', again)).code).toBe('ALREADY_IN_SHOP');
});
