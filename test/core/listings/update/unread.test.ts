import type { UpdateResult } from '../../../answers.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startService, upload, type TestService } from '../../../service.js';
import { createPowerCut, edit, finish, readListings, makeJob, makeListing, type Made } from './rig.js';

/* A read that fails after a write proves nothing about the write. */

const cut = createPowerCut();
let service: TestService;
let photo: string;
let video: string;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' }, { wrapPorts: cut.wrapPorts });
  photo = await upload(service, 'photo-08.jpg');
  video = await upload(service, 'clip.mp4', 'video');
});
afterAll(() => service.close());
afterEach(() => service.control('DELETE', '/faults'));

const VARIED = {
  properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
  offerings: [
    { glaze: 'White', price: 20, quantity: 3, sku: 'W' },
    { glaze: 'Ochre', price: 22, quantity: 4, sku: 'O' },
  ],
};
const WITH_PHOTOS = { ...VARIED, variation_images: { property: 'Glaze', mapping: { White: 0, Ochre: 1 } } };

type Fault = { operation: string; action: object; after?: number; times?: number };

async function makeOne(variations: object = VARIED): Promise<Made> {
  const { listing_pk, shops } = await makeListing(service, { more: { variations } });
  return { listing_pk, shops: shops.slice(0, 1) };
}

const setFaults = (...rules: Fault[]) =>
  service.control('POST', '/faults', { rules: rules.map((rule) => ({ times: 1, ...rule })) });

async function call({ listing_pk, shops }: Made, changes?: object) {
  const input = { listing_pk, shops: shops.map(({ shop_id }) => shop_id) };
  const answer = changes
    ? await service.call<UpdateResult>('listing_update', { ...input, changes })
    : await service.call<UpdateResult>('listing_undo', input);
  return answer.results?.[0];
}

const price = (value: number) => ({ offerings: [{ sku: 'W', price: value }] });
const lose = (operation: string): Fault => ({ operation, action: { type: 'commit_then_reset' } });
const refuse = (operation: string, status: number, rule: Partial<Fault> = {}): Fault => ({
  operation,
  action: { type: 'status', status },
  ...rule,
});

describe('a price that was written', () => {
  it('counts as changed if only the first read after it fails, and keeps its photos of variations', async () => {
    const made = await makeOne(WITH_PHOTOS);
    await setFaults(refuse('getListingInventory', 400, { after: 1 }));
    expect(await call(made, price(25))).toMatchObject({ status: 'ok', diff: [{ before: 20, after: 25 }] });
    const [there] = await readListings(service, made);
    expect(there?.variation_images.map(({ value }) => value).sort()).toEqual(['Ochre', 'White']);
    expect(await call(made, price(26))).toMatchObject({ status: 'ok' });
  });

  it.each([400, 404, 500])(
    'is not reported as refused if every read after it fails with %i',
    { timeout: 20_000 },
    async (status) => {
      const made = await makeOne();
      await setFaults(refuse('getListingInventory', status, { after: 1, times: 20 }));
      const failed = await call(made, price(25));
      expect(failed).toMatchObject({ status: 'error', details: { step: 'read_back' } });
      expect(failed?.error).toMatch(/^The listing could not be read back: /);
      await service.control('DELETE', '/faults');
      expect(await call(made, price(26))).toMatchObject({ status: 'ok', diff: [{ before: 25, after: 26 }] });
    },
  );

  it('is not called a manual edit after an undo that could not be read back', async () => {
    const made = await makeOne();
    expect(await call(made, price(25))).toMatchObject({ status: 'ok' });
    await setFaults(refuse('getListingInventory', 400, { after: 1, times: 3 }));
    expect(await call(made)).toMatchObject({ status: 'error' });
    await service.control('DELETE', '/faults');
    expect(await call(made, price(26))).toMatchObject({ status: 'ok', diff: [{ before: 20, after: 26 }] });
  });

  it('is not called a manual edit after a restart that could not read the listing', async () => {
    const made = await makeOne();
    cut.setPoint('after marketplace.updateInventory');
    const { job_id } = await makeJob(service, made, {
      kind: 'change',
      changes: {
        inventory: {
          kind: 'offerings',
          offerings: [{ path: 'changes.offerings[0]', match: { sku: 'W' }, set: { price: 25 } }],
        },
      },
      on_drift: 'refuse',
    });
    await service.app.core.listings.resume();
    await cut.waitForJob(service);
    cut.setPoint(undefined);
    await setFaults(refuse('getListingInventory', 400));
    expect((await finish(service, job_id)).results).toMatchObject([
      { status: 'error', details: { step: 'decide' }, diff: [{ before: 20, after: 25 }] },
    ]);
    expect(await call(made, price(26))).toMatchObject({ status: 'ok', diff: [{ before: 25, after: 26 }] });
  });
});

describe('an unanswered write, after which a read fails', () => {
  it.each<[string, string, string, (urls: string[]) => object, (urls: string[]) => object]>([
    ['price', 'updateListingInventory', 'getListingInventory', () => price(25), () => price(26)],
    [
      'title',
      'updateListing',
      'getListing',
      () => ({ listing: { title: 'Cup' } }),
      () => ({ listing: { title: 'Bowl' } }),
    ],
    [
      'attribute',
      'updateListingProperty',
      'getListingProperties',
      () => ({ category_attributes: { 358: { value_ids: [2140], values: ['Yes'] } } }),
      () => ({ category_attributes: { 358: null } }),
    ],
    [
      'photo',
      'uploadListingImage',
      'getListingImages',
      () => ({ images: [{ url: photo }] }),
      () => ({ images: [{ url: photo, alt_text: 'Later' }] }),
    ],
    [
      'video',
      'uploadListingVideo',
      'getListingVideos',
      () => ({ videos: [{ url: video }] }),
      () => ({ videos: [] }),
    ],
    [
      'personalization',
      'updateListingPersonalization',
      'getListing',
      () => ({ personalization: { enabled: true, instructions: 'A name' } }),
      () => ({ personalization: { enabled: true, instructions: 'A date' } }),
    ],
    [
      'text of a photo',
      'uploadListingImage',
      'getListingImages',
      ([first, second]) => ({ images: [{ url: first, alt_text: 'Other' }, { url: second }] }),
      ([first, second]) => ({ images: [{ url: first, alt_text: 'Later' }, { url: second }] }),
    ],
  ])('is checked again, and is not a manual edit: %s', async (_, write, read, changes, later) => {
    const made = await makeOne();
    const { request } = await service.call<{ request: { images: { url: string }[] } }>('listing_get', {
      listing_pk: made.listing_pk,
    });
    const urls = request.images.map(({ url }) => url);
    const isReadBefore = read === 'getListingImages' || read === 'getListingVideos' ? 0 : 1;
    await setFaults(lose(write), refuse(read, 400, { after: isReadBefore }));
    const failed = await call(made, changes(urls));
    expect(failed).toMatchObject({ status: 'error', diff: expect.any(Array) as unknown });
    expect(failed?.error).not.toMatch(/not (accepted|changed)/);
    await service.control('DELETE', '/faults');
    expect((await call(made, later(urls)))?.error).toBeUndefined();
  });
});

it('reports a listing as active if it could not be read right after its activation', async () => {
  const made = await makeOne();
  await edit(service, made, { state: 'inactive' });
  await setFaults(lose('updateListing'), refuse('getListing', 400, { after: 1 }));
  const { job_id } = await makeJob(
    service,
    made,
    { kind: 'state', state: 'active', is_paid: false, seen_state: 'inactive' },
    'on_sale',
  );
  const { results } = await finish(service, job_id);
  expect(results).toMatchObject([
    { status: 'error', diff: [{ field: 'state', before: 'inactive', after: 'active' }] },
  ]);
  expect(results?.[0]?.error).toMatch(/^It is not known whether the listing was activated/);
});
