import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ListingJobResult } from '../../../answers.js';
import { buildMug, startService, TARGETS, upload, type TestService } from '../../../service.js';
import { countCalls } from '../update/rig.js';

/* The dry run of a copy reports the calls the copy makes, and makes none itself. */

let service: TestService;
let photos: { url: string }[];
let made = 0;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  photos = [
    { url: await upload(service, 'photo-01.jpg') },
    { url: await upload(service, 'photo-02.jpg') },
    { url: await upload(service, 'photo-03.jpg') },
  ];
  // A category is read once.
  await makeListing({});
});
afterAll(() => service.close());

async function makeListing(more: object): Promise<number> {
  made += 1;
  const request = buildMug([TARGETS.clay], { state: 'publish', idempotency_key: `copied-${made}`, ...more });
  const { listing_pk = 0 } = await service.call<ListingJobResult>('listing_create', request);
  return listing_pk;
}

const EXTRAS = {
  category_attributes: { 358: { value_ids: [2140], values: ['Yes'] } },
  personalization: { enabled: true, instructions: 'A name' },
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    variation_images: { property: 'Glaze', mapping: { White: 0, Ochre: 1 } },
  },
};
const PLAIN = { createDraftListing: 1, uploadListingImage: 3, getListing: 1 };

it.each<{ name: string; more: object; input: object; wanted: Record<string, number> }>([
  { name: 'as a draft of ours', more: {}, input: {}, wanted: {} },
  { name: 'as a draft of the marketplace', more: {}, input: { state: 'publish' }, wanted: PLAIN },
  { name: 'that goes live', more: {}, input: { state: 'active' }, wanted: { ...PLAIN, updateListing: 1 } },
  {
    name: 'with another title and price',
    more: {},
    input: { state: 'publish', changes: { listing: { title: 'Another mug', price: 31 } } },
    wanted: PLAIN,
  },
  {
    name: 'with all there is',
    more: EXTRAS,
    input: { state: 'active' },
    wanted: {
      ...PLAIN,
      updateListingInventory: 1,
      getListingInventory: 1,
      updateListingProperty: 1,
      updateVariationImages: 1,
      getListingVariationImages: 1,
      updateListingPersonalization: 1,
      updateListing: 1,
    },
  },
])('match a copy $name', async ({ more, input, wanted }) => {
  const listing_pk = await makeListing({ images: photos, ...more });
  const copy = { listing_pk, shops: [{ ...TARGETS.linen, price: 31 }], ...input };
  let predicted: number | undefined;
  const dry = await countCalls(service, async () => {
    const shown = await service.call<ListingJobResult>('listing_copy', { ...copy, dry_run: true });
    predicted = shown.marketplace_calls;
  });
  let done: ListingJobResult | undefined;
  const calls = await countCalls(service, async () => {
    done = await service.call<ListingJobResult>('listing_copy', copy);
  });
  expect(done?.results?.map(({ status }) => status) ?? ['ok']).toEqual(['ok']);
  expect({ dry, calls }).toEqual({ dry: {}, calls: wanted });
  expect(predicted).toBe(Object.values(wanted).reduce((sum, count) => sum + count, 0));
});
