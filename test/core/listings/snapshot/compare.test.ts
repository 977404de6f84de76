import { describe, expect, it } from 'vitest';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import { toLabel } from '../../../../src/core/listings/snapshot/field_refs.js';
import { compareSnapshots } from '../../../../src/core/listings/snapshot/compare.js';
import type { ListingSnapshot } from '../../../../src/core/ports/listing/snapshot.js';
import {
  buildImage,
  buildInventory,
  buildOnly,
  buildQuestion,
  buildSnapshot,
  withProduct,
} from '../update/pieces.js';

const { listing } = buildSnapshot();

/** The differences shown to callers, and which of them are sales. */
const compare = (...snapshots: Parameters<typeof compareSnapshots>) =>
  compareSnapshots(...snapshots).map(({ ref, before, after, kind }: FieldDifference) => ({
    field: toLabel(ref),
    before,
    after,
    ...(kind === 'sold' && { kind }),
  }));

/** The change, and the expected differences. */
const CASES: [string, Partial<ListingSnapshot>, object[]][] = [
  [
    'a title',
    { listing: { ...listing, title: 'B' } },
    [{ field: 'listing.title', before: 'A mug', after: 'B' }],
  ],
  [
    'tags in another order',
    { listing: { ...listing, tags: ['stoneware', 'mug'] } },
    [{ field: 'listing.tags', before: ['mug', 'stoneware'], after: ['stoneware', 'mug'] }],
  ],
  [
    'a shipping profile, by its name',
    { listing: { ...listing, shipping_profile_id: 99 } },
    [{ field: 'shops[].shipping_profile_id', before: 'Small parcel (12)', after: 99 }],
  ],
  [
    'a state',
    { listing: { ...listing, state: 'inactive' } },
    [{ field: 'state', before: 'active', after: 'inactive' }],
  ],
  [
    'the price of one combination',
    { inventory: withProduct(buildInventory(), 'B', { price: 31 }) },
    [{ field: 'variations.offerings[Glaze: Sand, Size: Large].price', before: 30, after: 31 }],
  ],
  [
    'a quantity that was sold',
    { inventory: withProduct(buildInventory(), 'C', { quantity: 4 }) },
    [{ field: 'variations.offerings[Glaze: Moss, Size: Small].quantity', before: 5, after: 4, kind: 'sold' }],
  ],
  [
    'a quantity that was raised',
    { inventory: withProduct(buildInventory(), 'C', { quantity: 6 }) },
    [{ field: 'variations.offerings[Glaze: Moss, Size: Small].quantity', before: 5, after: 6 }],
  ],
  [
    'what is hidden',
    { inventory: withProduct(buildInventory(), 'D', { is_enabled: false }) },
    [{ field: 'variations.offerings[Glaze: Moss, Size: Large].enabled', before: true, after: false }],
  ],
  [
    'the order of photos',
    { images: [buildImage(102, 1), buildImage(101, 2), buildImage(103, 3)] },
    [
      {
        field: 'images',
        before: ['https://img.example/101.jpg', 'https://img.example/102.jpg', 'https://img.example/103.jpg'],
        after: ['https://img.example/102.jpg', 'https://img.example/101.jpg', 'https://img.example/103.jpg'],
      },
    ],
  ],
  [
    'an alt text',
    { images: [buildImage(101, 1), { ...buildImage(102, 2), alt_text: 'Moss' }, buildImage(103, 3)] },
    [{ field: 'images[1].alt_text', before: 'Photo 102', after: 'Moss' }],
  ],
  [
    'an attribute, by its name',
    { attributes: [] },
    [{ field: 'category_attributes.Primary color', before: ['Blue'], after: null }],
  ],
  [
    'a translation that is gone',
    { translations: buildSnapshot().translations.slice(0, 1) },
    [
      { field: 'translations.fr.title', before: 'Becher fr', after: null },
      { field: 'translations.fr.description', before: 'Ein Becher fr', after: null },
      { field: 'translations.fr.tags', before: ['becher'], after: null },
    ],
  ],
  [
    'a question',
    { questions: [buildQuestion({ required: true })] },
    [
      { field: 'personalization.enabled', before: false, after: true },
      { field: 'personalization.is_required', before: null, after: true },
      { field: 'personalization.instructions', before: null, after: 'Your name' },
      { field: 'personalization.max_chars', before: null, after: 256 },
    ],
  ],
  [
    'a photo of a variation',
    { variation_images: buildSnapshot().variation_images.slice(1) },
    [
      {
        field: 'variations.variation_images.mapping.Sand',
        before: 'https://img.example/101.jpg',
        after: null,
      },
    ],
  ],
  [
    'the order of values',
    { inventory: { ...buildInventory(), products: buildInventory().products.toReversed() } },
    [
      { field: 'variations.properties[Glaze].values', before: ['Sand', 'Moss'], after: ['Moss', 'Sand'] },
      { field: 'variations.properties[Size].values', before: ['Small', 'Large'], after: ['Large', 'Small'] },
    ],
  ],
];

const names = { 'shipping_profile_id 12': 'Small parcel', 'category_attributes 200': 'Primary color' };

describe('differences', () => {
  it.each(CASES)('%s', (_name, other, told) => {
    expect(compare(buildSnapshot(), buildSnapshot(other), names)).toEqual(told);
  });

  it('of the only product are those of the listing', () => {
    const before = { inventory: buildOnly() };
    const after = { inventory: buildOnly({ price: 21, quantity: 4, sku: 'B', readiness_state_id: 8 }) };
    expect(compare(before, after)).toEqual([
      { field: 'listing.price', before: 20, after: 21 },
      { field: 'listing.quantity', before: 5, after: 4, kind: 'sold' },
      { field: 'listing.sku', before: 'A', after: 'B' },
      { field: 'shops[].processing_profile_id', before: 7, after: 8 },
    ]);
  });

  it('of several questions are reported one by one, with any ids', () => {
    const other = buildQuestion({ question_id: 2, question_text: 'Which dog?', add_on_price: 3 });
    const before = { questions: [buildQuestion(), other] };
    expect(compare(before, { questions: [buildQuestion({ question_id: 7 }), other] })).toEqual([]);
    expect(compare(before, { questions: [buildQuestion()] })).toMatchObject([
      { field: 'personalization.questions[1]', before: { question_text: 'Which dog?' }, after: null },
    ]);
  });
});

describe('no difference', () => {
  it('is reported for changes the marketplace makes by itself', () => {
    const inventory = buildInventory();
    const after = buildSnapshot({
      listing: { ...listing, updated_at_epoch_s: 99, ends_at_epoch_s: 98, url: 'https://shop.example/other' },
      images: buildSnapshot().images.map((image) => ({
        ...image,
        url_fullxfull: 'https://img.example/x',
        width: null,
      })),
      inventory: {
        ...inventory,
        products: inventory.products.map((product) => ({
          ...product,
          property_values: product.property_values.map((value) => ({ ...value, value_ids: [99] })),
        })),
      },
      variation_images: buildSnapshot().variation_images.map((image) => ({ ...image, value_id: 99 })),
    });
    expect(compare(buildSnapshot(), after)).toEqual([]);
  });

  it('is reported for parts that were not read', () => {
    expect(compare({ listing }, { inventory: buildInventory() })).toEqual([]);
  });
});
