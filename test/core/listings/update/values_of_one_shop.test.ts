import type { ListingJobResult, UpdateResult } from '../../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { buildMug, startService, TARGETS, type TestService } from '../../../service.js';

/* Values that differ between the shops of a listing are saved and shown for each shop. */

type Detail = { request: ListingRequest; shops: { shop_id: string; price: number; differs?: unknown }[] };

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const { clay, linen } = TARGETS;
const glazes = (prices: [number, number], quantities = [5, 5]) => ({
  properties: [{ property_id: 513, name: 'Glaze', values: ['Sand', 'Moss'] }],
  offerings: ['Sand', 'Moss'].map((glaze, at) => ({
    glaze,
    price: prices[at],
    quantity: quantities[at],
    sku: `US-${glaze}`,
  })),
});

let names = 0;
/** A draft of the marketplace in both shops. */
async function make(more: object = {}, listing: object = {}): Promise<number> {
  const mug = buildMug([clay, linen], { state: 'publish', ...more });
  const title = `Mug number ${(names += 1)}`;
  const { listing_pk = 0, results } = await service.call<ListingJobResult>('listing_create', {
    ...mug,
    listing: { ...mug.listing, title, price: 20, ...listing },
  });
  expect(results?.map(({ status }) => status)).toEqual(['ok', 'ok']);
  return listing_pk;
}
const get = (listing_pk: number) => service.call<Detail>('listing_get', { listing_pk });
const update = (listing_pk: number, changes: object, more: object = {}) =>
  service.call<UpdateResult>('listing_update', { listing_pk, changes, ...more });
const listOverrides = ({ request }: Detail) => request.shops.map(({ overrides }) => overrides);
const listProducts = async (listing_pk: number, shop: { shop_id: number }) => {
  const { account_id } = await service.app.core.accounts.getDefault();
  const publications = await service.app.store.listings.listPublications(account_id, listing_pk);
  const { listing_id } = publications.find(({ shop_id }) => shop_id === shop.shop_id) ?? {};
  const { listings } = await service.control<{
    listings: {
      listing_id: number;
      fields: { title: string };
      inventory: { products: { offering: { price_amount: number; quantity: number } }[] };
    }[];
  }>('GET', '/state');
  const listing = listings.find((one) => one.listing_id === listing_id);
  return {
    title: listing?.fields.title,
    prices: listing?.inventory.products.map(({ offering }) => offering.price_amount / 100),
    quantities: listing?.inventory.products.map(({ offering }) => offering.quantity),
  };
};

describe('an update limited to one shop', () => {
  it('saves its title for that shop, and reports no edit in the other one', async () => {
    const listing_pk = await make({}, { title: 'Mug of both shops' });
    await update(listing_pk, { listing: { title: 'Mug of one shop' } }, { shops: [clay.shop_id] });
    const detail = await get(listing_pk);
    expect(detail.request.listing.title).toBe('Mug of both shops');
    expect(listOverrides(detail)).toEqual([{ listing: { title: 'Mug of one shop' } }, undefined]);
    expect(detail.shops.map(({ differs }) => differs)).toEqual([undefined, undefined]);
  });

  it('saves the price of a combination for that shop', async () => {
    const listing_pk = await make({ variations: glazes([20, 21]) });
    await update(listing_pk, { offerings: [{ sku: 'US-Moss', price: 99 }] }, { shops: [linen.shop_id] });
    const detail = await get(listing_pk);
    expect(detail.request.variations?.offerings?.map(({ price }) => price)).toEqual([20, 21]);
    expect(listOverrides(detail)).toEqual([undefined, { offerings: [{ glaze: 'Moss', price: 99 }] }]);
  });

  it('saves its listing.price as the price of that shop', async () => {
    const listing_pk = await make();
    const dry = await update(
      listing_pk,
      { listing: { price: 31 } },
      { shops: [clay.shop_id], dry_run: true },
    );
    expect(dry.shops?.map(({ diff }) => diff)).toEqual([[{ field: 'listing.price', before: 20, after: 31 }]]);
    await update(listing_pk, { listing: { price: 31 } }, { shops: [clay.shop_id] });
    const { request, shops } = await get(listing_pk);
    expect([request.listing.price, ...request.shops.map(({ price }) => price)]).toEqual([20, 31, undefined]);
    expect(shops.map(({ price }) => price)).toEqual([31, 20]);
  });

  it('becomes the common value once it is made in the other shop, too', async () => {
    const listing_pk = await make();
    for (const { shop_id } of [clay, linen]) {
      await update(
        listing_pk,
        { listing: { title: 'Mug, shop by shop', tags: ['mug'] } },
        { shops: [shop_id] },
      );
    }
    const detail = await get(listing_pk);
    expect(detail.request.listing).toMatchObject({ title: 'Mug, shop by shop', tags: ['mug'] });
    expect(listOverrides(detail)).toEqual([undefined, undefined]);
  });

  it('is followed by an update of all shops that writes every quantity it asks for', async () => {
    const listing_pk = await make({ variations: glazes([20, 21], [31, 31]) });
    const third = glazes([20, 21], [3, 3]);
    await update(listing_pk, { variations: third }, { shops: [clay.shop_id] });
    await update(listing_pk, { variations: third });
    expect((await listProducts(listing_pk, clay)).quantities).toEqual([3, 3]);
    expect((await listProducts(listing_pk, linen)).quantities).toEqual([3, 3]);
  });
});

describe('an update that failed in one shop', () => {
  it("saves the old value as that shop's own, and is finished by the same call", async () => {
    const listing_pk = await make({}, { title: 'Mug before' });
    const rules = [
      {
        operation: 'updateListing',
        shop_id: linen.shop_id,
        times: 1,
        action: { type: 'status', status: 400 },
      },
    ];
    await service.control('POST', '/faults', { rules });
    const { results } = await update(listing_pk, { listing: { title: 'Mug after' } });
    await service.control('DELETE', '/faults');
    expect(results?.map(({ status }) => status)).toEqual(['ok', 'error']);
    const detail = await get(listing_pk);
    expect(detail.request.listing.title).toBe('Mug before');
    expect(listOverrides(detail)).toEqual([{ listing: { title: 'Mug after' } }, undefined]);
    expect(detail.shops.map(({ differs }) => differs)).toEqual([undefined, undefined]);
    await update(listing_pk, { listing: { title: 'Mug after' } });
    const finished = await get(listing_pk);
    expect(finished.request.listing.title).toBe('Mug after');
    expect(listOverrides(finished)).toEqual([undefined, undefined]);
  });
});

describe('an undo shop by shop', () => {
  it('ends with the saved listing as it was before', async () => {
    const listing_pk = await make({ variations: glazes([20, 21]) }, { tags: ['clay'] });
    const before = (await get(listing_pk)).request;
    await update(listing_pk, {
      listing: { title: 'Renamed', tags: ['mug'] },
      offerings: [{ sku: 'US-Moss', price: 30 }],
    });
    await service.call('listing_undo', { listing_pk, shops: [clay.shop_id] });
    const half = await get(listing_pk);
    expect(half.request.listing.title).toBe('Renamed');
    expect(listOverrides(half)).toEqual([
      {
        listing: { title: before.listing.title, tags: ['clay'] },
        offerings: [{ glaze: 'Moss', price: 21 }],
      },
      undefined,
    ]);
    await service.call('listing_undo', { listing_pk, shops: [linen.shop_id] });
    expect((await get(listing_pk)).request).toEqual(before);
  });

  it('ends with the price as it was before', async () => {
    const listing_pk = await make();
    await update(listing_pk, { listing: { price: 30 } });
    await service.call('listing_undo', { listing_pk, shops: [clay.shop_id] });
    expect(listOverrides(await get(listing_pk))).toEqual([{ listing: { price: 20 } }, undefined]);
    await service.call('listing_undo', { listing_pk, shops: [linen.shop_id] });
    const { request } = await get(listing_pk);
    expect([request.listing.price, ...request.shops.map(({ price }) => price)]).toEqual([
      20,
      undefined,
      undefined,
    ]);
  });
});
