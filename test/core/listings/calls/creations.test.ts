import type { ListingJobResult } from '../../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildMug, listTargets, startService, upload, type TestService } from '../../../service.js';

/*
 * Every call counts towards the marketplace's limits, and most cost a round trip: these are exact counts.
 */

type Calls = Record<string, number>;

let service: TestService;
let targets: Awaited<ReturnType<typeof listTargets>>;
let photos: { url: string }[];
let requests = 0;

beforeAll(async () => {
  service = await startService();
  targets = await listTargets(service);
  photos = [];
  for (const name of ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10']) {
    photos.push({ url: await upload(service, `photo-${name}.jpg`) });
  }
});
afterAll(() => service.close());

/** The marketplace calls of one operation, which must succeed in every shop. */
async function count(operation: string, input: object): Promise<Calls> {
  const before = await readCalls();
  const { results } = await service.call<ListingJobResult>(operation, input);
  expect(results?.map(({ status }) => status) ?? []).not.toContain('error');
  const after = Object.entries(await readCalls());
  return Object.fromEntries(
    after.map(([name, calls]) => [name, calls - (before[name] ?? 0)]).filter(([, calls]) => calls !== 0),
  );
}

/** A separate listing, although it looks like another. */
function buildRequest(shops: readonly object[], more: Record<string, unknown>): object {
  requests += 1;
  return buildMug(shops, { idempotency_key: `calls-${requests}`, ...more });
}

async function readCalls(): Promise<Calls> {
  return (await service.control<{ calls: Calls }>('GET', '/state')).calls;
}

async function predictCalls(request: object): Promise<number> {
  const { marketplace_calls } = await service.call<{ marketplace_calls: number }>('listing_create', {
    ...request,
    dry_run: true,
  });
  return marketplace_calls;
}

const sum = (calls: Calls) => Object.values(calls).reduce((total, made) => total + made, 0);

const EXTRAS = {
  category_attributes: {
    357: { value_ids: [2104], values: ['Stoneware'] },
    358: { value_ids: [2140], values: ['Yes'] },
  },
  personalization: { enabled: true, instructions: 'A name' },
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    variation_images: { property: 'Glaze', mapping: { White: 0, Ochre: 1 } },
  },
};

describe('the marketplace calls', () => {
  it.each([
    { name: 'one image', shops: 1, images: 1 },
    { name: 'ten images', shops: 1, images: 10 },
    { name: 'ten images in two shops', shops: 2, images: 10 },
  ])('of a new listing are the draft, $name, and one read of all of it', async ({ shops, images }) => {
    const request = buildRequest(targets.slice(0, shops), {
      state: 'publish',
      images: photos.slice(0, images),
    });
    const predicted = await predictCalls(request);
    const calls = await count('listing_create', request);
    expect(calls).toEqual({
      createDraftListing: shops,
      uploadListingImage: shops * images,
      getListing: shops,
    });
    expect(predicted).toBe(sum(calls));
  });

  it('of a new listing with everything include one read of the inventory, for the ids its photos are linked to', async () => {
    const video = { url: await upload(service, 'clip.mp4', 'video') };
    const request = buildRequest(targets, {
      state: 'publish',
      images: photos.slice(0, 2),
      videos: [video],
      ...EXTRAS,
    });
    const predicted = await predictCalls(request);
    const calls = await count('listing_create', request);
    expect(calls).toEqual({
      createDraftListing: 2,
      uploadListingImage: 4,
      uploadListingVideo: 2,
      updateListingInventory: 2,
      getListingInventory: 2,
      updateListingProperty: 4,
      updateVariationImages: 2,
      getListingVariationImages: 2,
      updateListingPersonalization: 2,
      getListing: 2,
    });
    expect(predicted).toBe(sum(calls));
  });

  it('of a digital listing include a separate list of its files', async () => {
    const file = { url: await upload(service, 'pattern.pdf', 'digital') };
    const request = buildRequest(targets.slice(0, 1), { state: 'publish', digital_files: [file] }) as {
      listing: object;
    };
    Object.assign(request.listing, { listing_type: 'digital', when_made: '2020_2026' });
    const predicted = await predictCalls(request);
    const calls = await count('listing_create', request);
    expect(calls).toEqual({
      createDraftListing: 1,
      uploadListingFile: 1,
      getListing: 1,
      getAllListingFiles: 1,
    });
    expect(predicted).toBe(sum(calls));
  });

  it('of an immediate activation include one more', async () => {
    const request = buildRequest(targets.slice(0, 1), { state: 'active', images: photos.slice(0, 1) });
    const predicted = await predictCalls(request);
    const calls = await count('listing_create', request);
    expect(calls).toEqual({
      createDraftListing: 1,
      uploadListingImage: 1,
      getListing: 1,
      updateListing: 1,
    });
    expect(predicted).toBe(sum(calls));
  });

  it('of activating a draft later are one read and the activation', async () => {
    const request = buildRequest(targets.slice(0, 1), { state: 'publish', images: photos, ...EXTRAS });
    const { listing_pk } = await service.call<ListingJobResult>('listing_create', request);
    expect(await count('listing_publish', { listing_pk, state: 'active', dry_run: true })).toEqual({});
    expect(await count('listing_publish', { listing_pk, state: 'active' })).toEqual({
      getListing: 1,
      getListingVariationImages: 1,
      updateListing: 1,
    });
  });

  it('of an unchanged listing are one read per shop, and none to answer a repeated creation', async () => {
    const request = buildRequest(targets, { state: 'publish', images: photos.slice(0, 2), ...EXTRAS });
    const { listing_pk } = await service.call<ListingJobResult>('listing_create', request);
    expect(await count('listing_publish', { listing_pk, state: 'publish' })).toEqual({ getListing: 2 });
    expect(await count('listing_create', request)).toEqual({});
  });

  it('of a failed shop are only the missing parts, and a read before and after, in that shop', async () => {
    const [clay, linen] = targets;
    const rule = {
      operation: 'updateListingInventory',
      shop_id: linen?.shop_id,
      action: { type: 'status', status: 400, body: { error: 'No' } },
    };
    await service.control('POST', '/faults', { rules: [{ ...rule, times: 1 }] });
    const request = buildRequest([clay, linen] as object[], { state: 'publish', images: photos, ...EXTRAS });
    const { listing_pk } = await service.call<ListingJobResult>('listing_create', request);
    expect(await count('listing_publish', { listing_pk, state: 'publish', dry_run: true })).toEqual({});
    expect(await count('listing_publish', { listing_pk, state: 'publish' })).toEqual({
      updateListingInventory: 1,
      getListingInventory: 1,
      updateVariationImages: 1,
      getListingVariationImages: 1,
      getListing: 2,
    });
  });

  it('of photos of variations include a second read if the early one failed', async () => {
    const fault = { type: 'status', status: 404, body: { error: 'Not here yet' } };
    await service.control('POST', '/faults', {
      rules: [{ operation: 'getListingInventory', times: 1, action: fault }],
    });
    const request = buildRequest(targets.slice(0, 1), {
      state: 'publish',
      images: photos.slice(0, 2),
      ...EXTRAS,
    });
    expect(await count('listing_create', request)).toMatchObject({
      getListingInventory: 2,
      updateVariationImages: 1,
    });
  });
});
