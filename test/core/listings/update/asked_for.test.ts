import type { UpdateResult, Warning } from '../../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { startService, type TestService } from '../../../service.js';
import { edit, readListings, makeListing, type Made } from './rig.js';

/* An update writes the requested values, saves the same, and reports what it does not do. */

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
});
afterAll(() => service.close());

const update = ({ listing_pk }: Made, changes: object, more: object = {}) =>
  service.call<UpdateResult>('listing_update', { listing_pk, changes, ...more });
const getRequest = async ({ listing_pk }: Made) =>
  (await service.call<{ request: ListingRequest }>('listing_get', { listing_pk })).request;
const listWarnings = ({ results }: UpdateResult, at = 0): Warning[] => results?.[at]?.warnings ?? [];
const listOffers = async (made: Made) =>
  (await readListings(service, made)).map((there) =>
    there?.inventory.products.map(({ offering: { price_amount, quantity } }) => [
      price_amount / 100,
      quantity,
    ]),
  );

describe('personalization that is not enabled', () => {
  it('removes no question, and is reported as ignored, as in creation', async () => {
    const made = await makeListing(service);
    const dropdown = {
      question_text: 'Which size?',
      question_type: 'dropdown',
      required: true,
      options: [{ label: 'Small' }, { label: 'Large' }],
    };
    await edit(service, made, { personalization: [dropdown] });
    for (const { shop_id, listing_id } of made.shops) {
      const { job_id } = await service.call('listing_import', { shop_id, listing_ids: [listing_id] });
      const isEnded = async () => (await service.call('listing_create_status', { job_id }))['status'];
      await expect.poll(isEnded).toBe('completed');
    }
    const result = await update(made, { personalization: { instructions: 'A name' } });
    expect(result.results?.map(({ status }) => status)).toEqual(['unchanged', 'unchanged']);
    expect(listWarnings(result)).toMatchObject([
      { code: 'ignored_field', fields: ['changes.personalization.instructions'] },
    ]);
    for (const there of await readListings(service, made)) expect(there?.personalization).toHaveLength(1);

    const off = await update(made, { personalization: { enabled: false } });
    expect(listWarnings(off)).toMatchObject([
      { code: 'is_lost', reason: expect.stringContaining('Which size?') as string },
    ]);
    for (const there of await readListings(service, made)) expect(there?.personalization).toHaveLength(0);
  });
});

describe('a listing without variations', () => {
  it("also saves a shop's own price if its offering is changed", async () => {
    const made = await makeListing(service);
    const [first, second] = made.shops.map(({ shop_id }) => shop_id);
    const readPrices = async () => {
      const { listing, shops } = await getRequest(made);
      return [listing.price, ...shops.map(({ price }) => price)];
    };
    await update(made, { shops: [{ shop_id: second, price: 30 }] });
    await update(made, { offerings: [{ price: 12 }] });
    expect(await listOffers(made)).toEqual([[[12, 4]], [[12, 4]]]);
    expect(await readPrices()).toEqual([12, undefined, 12]);

    await update(made, { offerings: [{ price: 14 }] }, { shops: [first] });
    expect(await listOffers(made)).toEqual([[[14, 4]], [[12, 4]]]);
    expect(await readPrices()).toEqual([12, 14, 12]);
  });

  it.each([
    ['quantity', { offerings: [{ quantity: 0, price: 12, sku_new: 'Z' }] }],
    ['listing', { offerings: [{ enabled: false }], listing: { price: 12, sku: 'Z' } }],
  ])(
    'keeps its stock when it is deactivated, and gets the other values of the update (%s)',
    async (_where, changes) => {
      const made = await makeListing(service);
      const before = await getRequest(made);
      const result = await update(made, changes);
      expect(result.results).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
      const there = await readListings(service, made);
      expect(there.map((listing) => listing?.state)).toEqual(['inactive', 'inactive']);
      expect(there.map((listing) => listing?.inventory.products[0]?.sku)).toEqual(['Z', 'Z']);
      expect(await listOffers(made)).toEqual([[[12, 4]], [[12, 4]]]);
      expect(await getRequest(made)).toEqual({
        ...before,
        listing: { ...before.listing, price: 12, sku: 'Z' },
      });
    },
  );

  it('keeps its stock when it is deactivated, even if the update has another quantity', async () => {
    const made = await makeListing(service);
    const before = await getRequest(made);
    await update(made, { offerings: [{ quantity: 0 }], listing: { quantity: 9 } });
    expect((await readListings(service, made)).map((there) => there?.state)).toEqual([
      'inactive',
      'inactive',
    ]);
    expect(await listOffers(made)).toEqual([[[24.5, 4]], [[24.5, 4]]]);
    expect(await getRequest(made)).toEqual(before);
  });

  it('gets the rest of the update when it is deactivated', async () => {
    const made = await makeListing(service);
    await update(made, { listing: { title: 'Off sale', price: 12 }, offerings: [{ quantity: 0 }] });
    expect((await getRequest(made)).listing).toMatchObject({ title: 'Off sale', price: 12 });
    expect((await readListings(service, made)).map((there) => there?.fields.title)).toEqual([
      'Off sale',
      'Off sale',
    ]);
  });
});

const buildVaried = (ochre: object) => ({
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    offerings: [
      { glaze: 'White', price: 20, quantity: 3, sku: 'W' },
      { glaze: 'Ochre', price: 20, sku: 'O', enabled: false, ...ochre },
    ],
  },
});

describe('a combination that is enabled', () => {
  const enable = { offerings: [{ sku: 'O', enabled: true }] };

  it('gets its saved stock if it has none there', async () => {
    const made = await makeListing(service, { more: buildVaried({ quantity: 5 }) });
    const [first, second] = made.shops;
    await edit(
      service,
      { ...made, shops: second ? [second] : [] },
      { products: [{ sku: 'O', quantity: 8 }] },
    );
    expect(listWarnings(await update(made, enable))).toEqual([]);
    expect(first && (await listOffers(made))).toEqual([
      [
        [20, 3],
        [20, 5],
      ],
      [
        [20, 3],
        [20, 8],
      ],
    ]);
    expect((await getRequest(made)).variations?.offerings?.[1]).toMatchObject({ enabled: true, quantity: 5 });
  });

  it('causes a warning if it has no stock anywhere', async () => {
    const made = await makeListing(service, { more: buildVaried({ quantity: 0 }) });
    expect(listWarnings(await update(made, enable))).toMatchObject([
      { code: 'no_stock', fields: ['changes.offerings[0]'] },
    ]);
    const result = await update(made, { offerings: [{ sku: 'O', quantity: 2 }] });
    expect(listWarnings(result)).toEqual([]);
    expect((await listOffers(made))[0]?.[1]).toEqual([20, 2]);
  });
});

describe('a warning of creation', () => {
  it('is also given for fields an update names, and for no others', async () => {
    const made = await makeListing(service, { listing: { title: 'Mug &amp; cup' } });
    const untouched = await update(made, { listing: { materials: ['clay'] } });
    expect(listWarnings(untouched)).toEqual([]);
    const result = await update(made, {
      listing: {
        title: 'Cup &amp; mug',
        tags: ['mug', 'cup', 'Mug'],
        processing_min: 200,
        processing_max: 210,
      },
    });
    const warnings = listWarnings(result).map(({ code, fields }) => [code, ...fields]);
    expect(warnings).toEqual([
      ['html_entity', 'changes.listing.title'],
      ['ignored_field', 'changes.listing.tags[2]'],
      [
        'processing_profile_mismatch',
        'shops[0].processing_profile_id',
        'changes.listing.processing_min',
        'changes.listing.processing_max',
      ],
    ]);
  });

  it('is given once for a SKU that variations leave unused', async () => {
    const variations = { properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }] };
    const made = await makeListing(service, { more: { variations } });
    const result = await update(made, { listing: { sku: 'Z' } });
    expect(listWarnings(result)).toMatchObject([{ code: 'ignored_field', fields: ['changes.listing.sku'] }]);
  });
});
