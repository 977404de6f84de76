import type { ShopResult, UpdateResult } from '../../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShopChanges } from '../../../../src/core/ports/listing/changes.js';
import { startService, upload, type TestService } from '../../../service.js';
import { change, countCalls, edit, readListings, makeListing, type Made } from './rig.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
});
afterAll(() => service.close());

type Counted = { calls: Record<string, number> };

const VARIED = {
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    offerings: [
      { glaze: 'White', price: 20, quantity: 3, sku: 'W' },
      { glaze: 'Ochre', price: 22, quantity: 4, sku: 'O' },
    ],
  },
};
const WITH_PHOTOS = {
  variations: {
    ...VARIED.variations,
    variation_images: { property: 'Glaze', mapping: { White: 0, Ochre: 1 } },
  },
};

const setPrice = (price: number, sku = 'W'): ShopChanges => ({
  inventory: {
    kind: 'offerings',
    offerings: [{ path: 'changes.offerings[0]', match: { sku }, set: { price } }],
  },
});

const listStatuses = (results: readonly ShopResult[] | undefined) => results?.map(({ status }) => status);

describe('an update of an active listing', () => {
  it('with one SKU costs three calls per shop (read, write, read back), also when repeated', async () => {
    const made = await makeListing(service, { more: VARIED });
    for (const price of [25, 26]) {
      const calls = await countCalls(service, async () => {
        const { results } = await change(service, made, setPrice(price));
        expect(listStatuses(results)).toEqual(['ok', 'ok']);
        const [result] = results ?? [];
        const field = 'variations.offerings[Glaze: White].price';
        expect(result?.diff).toEqual([{ field, before: price === 25 ? 20 : 25, after: price }]);
      });
      expect(calls).toEqual({ getListingInventory: 4, updateListingInventory: 2 });
    }
  });

  it('writes nothing if the values are already there', async () => {
    const made = await makeListing(service, { more: VARIED });
    const calls = await countCalls(service, async () => {
      const { results } = await change(service, made, setPrice(20));
      expect(listStatuses(results)).toEqual(['unchanged', 'unchanged']);
    });
    expect(calls).toEqual({ getListingInventory: 2 });
  });

  it('with one SKU leaves photos of variations and sold stock unchanged', async () => {
    const made = await makeListing(service, { more: WITH_PHOTOS });
    const [shop] = made.shops;
    await service.control('POST', `/listings/${shop?.listing_id}/sell`, { sku: 'O', quantity: 2 });
    const { results } = await change(service, made, setPrice(25));
    expect(listStatuses(results)).toEqual(['ok', 'ok']);
    expect(results?.flatMap(({ warnings = [] }) => warnings.map(({ code }) => code))).toEqual([
      'sold_meanwhile',
    ]);
    const [there] = await readListings(service, made);
    expect(
      there?.inventory.products.map(({ sku, offering }) => [sku, offering.price_amount, offering.quantity]),
    ).toEqual([
      ['W', 2500, 3],
      ['O', 2200, 2],
    ]);
    expect(there?.variation_images.map(({ value }) => value).sort()).toEqual(['Ochre', 'White']);
  });

  it('keeps pieces sold that are sold while photos are sent or while a write is unanswered', async () => {
    const made = await makeListing(service, { more: VARIED });
    const [one] = made.shops;
    if (!one) throw new Error('there is one');
    const { listing_pk } = made;
    const photo = await upload(service, 'photo-08.jpg');
    const faults = {
      uploadListingImage: { type: 'slow', ms: 800 },
      updateListingInventory: { type: 'commit_then_reset' },
    };
    for (const [index, [operation, action]] of Object.entries(faults).entries()) {
      await service.control('POST', '/faults', { rules: [{ operation, times: 1, action }] });
      const { calls: before } = await service.control<Counted>('GET', '/state');
      const changes = { images: [{ url: photo }], offerings: [{ sku: 'W', price: 25 + index }] };
      const changed = service.call<UpdateResult>('listing_update', {
        listing_pk,
        shops: [one.shop_id],
        changes: index === 0 ? changes : { offerings: changes.offerings },
      });
      await expect
        .poll(async () => (await service.control<Counted>('GET', '/state')).calls[operation], { interval: 5 })
        .toBe((before[operation] ?? 0) + 1);
      await service.control('POST', `/listings/${one.listing_id}/sell`, { sku: 'O', quantity: 1 });
      expect(listStatuses((await changed).results)).toEqual(['ok']);
      const [there] = await readListings(service, made);
      expect(
        there?.inventory.products.map(({ sku, offering }) => [sku, offering.price_amount, offering.quantity]),
      ).toEqual([
        ['W', 2500 + 100 * index, 3],
        ['O', 2200, 3 - index],
      ]);
    }
  });

  it('does not claim that nothing was changed if it stops after photos were changed', async () => {
    const made = await makeListing(service);
    const [one] = made.shops;
    const images = [{ url: await upload(service, 'photo-08.jpg') }];
    const refuse = { operation: 'updateListing', times: 1, action: { type: 'status', status: 400 } };
    const update = async (changes: object) => {
      await service.control('POST', '/faults', { rules: [refuse] });
      const { listing_pk } = made;
      const shops = [one?.shop_id];
      const { results } = await service.call<UpdateResult>('listing_update', { listing_pk, shops, changes });
      return results?.[0];
    };
    const untouched = await update({ listing: { title: 'Stoneware cup' } });
    expect(untouched).toMatchObject({ status: 'error', details: { step: 'fields' } });
    expect(untouched?.error).toMatch(/^The listing was not changed: /);
    const begun = await update({ listing: { title: 'Stoneware cup' }, images });
    expect(begun).toMatchObject({ status: 'error', diff: [{ field: 'images' }] });
    expect(begun?.error).toMatch(/^Only the photos were changed: /);
    const [there] = await readListings(service, made);
    expect(there?.images).toHaveLength(3);
  });

  it('of the title restores the translations', async () => {
    const made = await makeListing(service);
    const de = { title: 'Becher', description: 'Ein Becher.', tags: ['becher'] };
    await edit(service, made, { translations: { de } });
    const { results } = await change(service, made, { fields: { title: 'Stoneware cup' } });
    expect(listStatuses(results)).toEqual(['ok', 'ok']);
    expect(results?.[0]?.diff).toEqual([
      { field: 'listing.title', before: 'Stoneware mug', after: 'Stoneware cup' },
    ]);
    const all = await readListings(service, made);
    expect(all.map((there) => there?.fields.title)).toEqual(['Stoneware cup', 'Stoneware cup']);
    expect(all[0]?.translations).toMatchObject([{ language: 'de', title: 'Becher', tags: ['becher'] }]);
  });

  it('refuses to overwrite manual edits, and shows both values, unless it is told to', async () => {
    const made = await makeListing(service, { more: VARIED });
    const [first] = made.shops;
    await edit(
      service,
      { ...made, shops: [first ?? never()] },
      { products: [{ sku: 'W', price: 31 }], title: 'By hand' },
    );
    const refused = await change(service, made, setPrice(25));
    expect(listStatuses(refused.results)).toEqual(['error', 'ok']);
    const field = 'variations.offerings[Glaze: White].price';
    expect(refused.results?.[0]?.details).toMatchObject({
      code: 'DRIFT',
      drift: [{ field, ours: 20, theirs: 31 }],
    });
    const [untouched] = await readListings(service, made);
    expect(untouched?.inventory.products[0]?.offering.price_amount).toBe(3100);
    const again = await change(service, made, setPrice(25));
    expect(listStatuses(again.results)).toEqual(['error', 'unchanged']);
    const forced = await change(service, made, setPrice(25), 'overwrite');
    expect(listStatuses(forced.results)).toEqual(['ok', 'unchanged']);
    const [there] = await readListings(service, made);
    expect(there?.inventory.products[0]?.offering.price_amount).toBe(2500);
    expect(there?.fields.title).toBe('By hand');
  });

  it('of photos removes, adds, reorders and captions them, and keeps those of variations', async () => {
    const made = await makeListing(service, { photos: 3, more: WITH_PHOTOS });
    const one = { ...made, shops: made.shops.slice(0, 1) };
    const [before] = await readListings(service, one);
    const [a, b, c] = (before?.images ?? []).map(({ listing_image_id }) => listing_image_id);
    const images = [
      { url: '', path: 'changes.images[0]', id: b ?? 0, file: null, alt_text: 'Second is first' },
      { url: '', path: 'changes.images[1]', id: a ?? 0, file: null },
    ];
    const calls = await countCalls(service, async () => {
      const { results } = await change(service, one, { images });
      expect(listStatuses(results)).toEqual(['ok']);
      expect(results?.[0]?.warnings?.map(({ code }) => code)).toEqual(['is_lost']);
    });
    const [there] = await readListings(service, one);
    expect(there?.images.map(({ listing_image_id, alt_text }) => [listing_image_id, alt_text])).toEqual([
      [b, 'Second is first'],
      [a, 'Photo 1'],
    ]);
    expect(c).toBeDefined();
    expect(there?.variation_images.map(({ value }) => value).sort()).toEqual(['Ochre', 'White']);
    expect(calls).toMatchObject({ uploadListingImage: 1, updateListing: 1 });
  });

  it('of an alt text at the maximum of photos finds a free place for it', async () => {
    const made = await makeListing(service, { photos: 10 });
    const one = { ...made, shops: made.shops.slice(0, 1) };
    const [before] = await readListings(service, one);
    const ids = (before?.images ?? []).map(({ listing_image_id }) => ({ listing_image_id }));
    await edit(service, one, { images: [...ids, ...Array.from({ length: 10 }, () => ({}))] });
    const [full] = await readListings(service, one);
    const images = (full?.images ?? []).map(({ listing_image_id, alt_text }, index) => ({
      url: '',
      path: `changes.images[${index}]`,
      id: listing_image_id,
      file: null,
      alt_text: index === 3 || index === 17 ? `Text ${index}` : alt_text,
    }));
    expect(images).toHaveLength(20);
    const { results } = await change(service, one, { images }, 'overwrite');
    expect(listStatuses(results)).toEqual(['ok']);
    const [there] = await readListings(service, one);
    expect(there?.images.map(({ listing_image_id, alt_text }) => [listing_image_id, alt_text])).toEqual(
      images.map(({ id, alt_text }) => [id, alt_text]),
    );
  });

  it('reaches attributes, questions, videos and fields', async () => {
    const made = await makeListing(service);
    const one: Made = { ...made, shops: made.shops.slice(0, 1) };
    const { results } = await change(service, one, {
      fields: { tags: ['clay', 'mug'], materials: ['stoneware'], item_weight: 300, item_weight_unit: 'g' },
      attributes: [
        { property_id: 357, attribute: { property_id: 357, value_ids: [2104], values: ['Stoneware'] } },
      ],
      personalization: { enabled: true, instructions: 'A name', max_chars: 20 },
    });
    expect(results?.[0]).toMatchObject({ status: 'ok', warnings: [] });
    const [there] = await readListings(service, one);
    expect(there?.fields).toMatchObject({
      tags: ['clay', 'mug'],
      materials: ['stoneware'],
      item_weight: 300,
    });
    expect(there?.properties).toMatchObject([{ property_id: 357 }]);
    expect(there?.personalization).toHaveLength(1);
  });
});

function never(): never {
  throw new Error('there is one');
}
