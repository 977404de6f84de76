import type { ListingJobResult, UpdateResult } from '../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListingRequest } from '../../../schemas/listing_request.js';
import { buildMug, startService, TARGETS, type TestService } from '../../service.js';

/* shops[].overrides: values of only one shop, as callers give them. */

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const { clay, linen } = TARGETS;
const glazes = {
  properties: [{ property_id: 513, name: 'Glaze', values: ['Sand', 'Moss'] }],
  offerings: ['Sand', 'Moss'].map((glaze, at) => ({
    glaze,
    price: 20 + at,
    quantity: 5,
    sku: `US-${glaze}`,
  })),
};
const OVERRIDES = {
  listing: { title: 'Linen mug', tags: ['linen'] },
  offerings: [{ sku: 'US-Moss', price: 33, quantity: 2 }],
};
const build = (overrides: object | null | undefined, more: object = {}) =>
  buildMug([clay, { ...linen, ...(overrides === undefined ? {} : { overrides }) }], {
    variations: glazes,
    ...more,
  });
const getRequest = async (listing_pk: number | undefined) =>
  (await service.call<{ request: ListingRequest }>('listing_get', { listing_pk })).request;
type World = {
  listings: {
    shop_id: number;
    listing_id: number;
    fields: { title: string };
    inventory: { products: { offering: { price_amount: number; quantity: number } }[] };
  }[];
};
const readState = async (results: ListingJobResult['results'] = []) => {
  expect(results.map(({ status, error }) => [status, error])).toEqual(results.map(() => ['ok', undefined]));
  const { listings } = await service.control<World>('GET', '/state');
  return results.map(({ listing_id }) => {
    const listing = listings.find((one) => one.listing_id === listing_id);
    return [
      listing?.fields.title,
      ...(listing?.inventory.products ?? []).map(({ offering }) => offering.price_amount / 100),
    ];
  });
};

describe('listing_create', () => {
  it('creates the listing with the values of each shop, and listing_get shows them', async () => {
    const { listing_pk, results } = await service.call<ListingJobResult>(
      'listing_create',
      build(OVERRIDES, { state: 'publish' }),
    );
    expect(await readState(results)).toEqual([
      ['Stoneware mug', 20, 21],
      ['Linen mug', 20, 33],
    ]);
    const request = await getRequest(listing_pk);
    expect(request.listing.title).toBe('Stoneware mug');
    expect(request.shops.map(({ overrides }) => overrides)).toEqual([
      undefined,
      { listing: OVERRIDES.listing, offerings: [{ glaze: 'Moss', price: 33, quantity: 2 }] },
    ]);
  });

  it('knows the options that an override names', async () => {
    const { warnings = [] } = await service.call<ListingJobResult>(
      'listing_create',
      build({ offerings: [{ glaze: 'Moss', price: 34 }] }, { dry_run: true }),
    );
    expect(warnings.filter(({ code }) => code === 'unknown_field')).toEqual([]);
  });

  it('keeps them with a draft until it is published', async () => {
    const { listing_pk, status } = await service.call<ListingJobResult>('listing_create', build(OVERRIDES));
    expect(status).toBe('draft');
    const { results } = await service.call<ListingJobResult>('listing_publish', {
      listing_pk,
      state: 'publish',
    });
    expect(await readState(results)).toEqual([
      ['Stoneware mug', 20, 21],
      ['Linen mug', 20, 33],
    ]);
  });

  it.each(['draft', 'publish'])('applies the limits to their values, for %s', async (state) => {
    const wrong = {
      listing: { title: 'x'.repeat(141), tags: ['a'.repeat(21)] },
      offerings: [{ glaze: 'Moss', price: 0.1 }],
    };
    const { code, message } = await service.refuse('listing_create', build(wrong, { state }));
    expect(code).toBe('VALIDATION_FAILED');
    expect(message.split('\n').map((line) => line.split(': ')[0])).toEqual([
      'shops[1].overrides.listing.title',
      'shops[1].overrides.listing.tags[0]',
      'shops[1].overrides.offerings[0].price',
    ]);
  });

  it('refuses a combination that the listing does not have, and two prices for one shop', async () => {
    const { message } = await service.refuse(
      'listing_create',
      build({ offerings: [{ glaze: 'Snow', price: 9 }] }),
    );
    expect(message).toContain('shops[1].overrides.offerings[0]: no offering of this listing');
    const mug = buildMug([{ ...clay, price: 9, overrides: { listing: { price: 10 } } }]);
    const two = await service.refuse('listing_create', mug);
    expect(two.message).toContain('shops[0].overrides.listing.price: is 10, but shops[0].price is 9');
  });

  it('treats a price as that of the shop, and null as omitted', async () => {
    const mug = buildMug([{ ...clay, overrides: { listing: { price: 10, title: null }, offerings: null } }]);
    const { listing_pk } = await service.call<ListingJobResult>('listing_create', mug);
    const { shops, listing } = await getRequest(listing_pk);
    expect([listing.price, listing.title, shops[0]?.price]).toEqual([24.5, 'Stoneware mug', 10]);
    expect(shops[0]).not.toHaveProperty('overrides');
  });
});

describe('listing_update', () => {
  it('changes the values of one shop, and removes them with null', async () => {
    const { listing_pk, results } = await service.call<ListingJobResult>(
      'listing_create',
      build(undefined, { state: 'publish', idempotency_key: 'overrides-update' }),
    );
    const update = (changes: object, more: object = {}) =>
      service.call<UpdateResult>('listing_update', { listing_pk, changes, ...more });
    const { shop_id } = linen;
    const dry = await update({ shops: [{ shop_id, overrides: OVERRIDES }] }, { dry_run: true });
    expect(dry.shops?.map((shop) => [shop.shop_id, shop.diff.map(({ field }) => field)])).toEqual([
      [
        String(shop_id),
        [
          'listing.title',
          'listing.tags',
          'variations.offerings[Glaze: Moss].price',
          'variations.offerings[Glaze: Moss].quantity',
        ],
      ],
    ]);
    await update({ listing: { description: 'For all.' }, shops: [{ shop_id, overrides: OVERRIDES }] });
    expect(await readState(results)).toEqual([
      ['Stoneware mug', 20, 21],
      ['Linen mug', 20, 33],
    ]);
    const request = await getRequest(listing_pk);
    expect(request.listing).toMatchObject({ title: 'Stoneware mug', description: 'For all.' });
    expect(request.shops[1]?.overrides).toEqual({
      listing: OVERRIDES.listing,
      offerings: [{ glaze: 'Moss', price: 33, quantity: 2 }],
    });
    await update({ shops: [{ shop_id, overrides: { listing: { title: null } } }] });
    expect((await getRequest(listing_pk)).shops[1]?.overrides?.listing).toEqual({ tags: ['linen'] });
    await update({ shops: [{ shop_id, overrides: null }] });
    expect((await getRequest(listing_pk)).shops[1]).not.toHaveProperty('overrides');
    expect(await readState(results)).toEqual([
      ['Stoneware mug', 20, 21],
      ['Stoneware mug', 20, 21],
    ]);
  });

  it('applies the limits to their values', async () => {
    const { listing_pk } = await service.call<ListingJobResult>(
      'listing_create',
      build(undefined, { state: 'publish', idempotency_key: 'overrides-limits' }),
    );
    const overrides = { listing: { title: 'x'.repeat(141) }, offerings: [{ glaze: 'Snow', price: 9 }] };
    const changes = { shops: [{ shop_id: linen.shop_id, overrides }] };
    const { message } = await service.refuse('listing_update', { listing_pk, changes });
    expect(message.split('\n').map((line) => line.split(': ')[0])).toEqual([
      'changes.shops[0].overrides.listing.title',
    ]);
  });
});

describe('listing_copy', () => {
  it('accepts overrides for a new shop', async () => {
    const { listing_pk } = await service.call<ListingJobResult>(
      'listing_create',
      buildMug([clay], { idempotency_key: 'overrides-copy' }),
    );
    const overrides = { listing: { title: 'Copied mug', price: 31 } };
    await service.call('listing_copy', { listing_pk, shops: [{ ...linen, overrides }] });
    const { shops, listing } = await getRequest(listing_pk);
    expect(listing.title).toBe('Stoneware mug');
    expect(shops[1]).toMatchObject({ price: 31, overrides: { listing: { title: 'Copied mug' } } });
  });
});
