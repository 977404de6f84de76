import type { ListingJobResult, UpdateResult } from '../../../answers.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type TestService } from '../../../service.js';
import { edit, readListings, makeListing, type Made } from './rig.js';

/* A sold-out listing accepts no price: it is saved here, and written before the listing is activated. */

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
});
afterAll(() => service.close());

async function makeSoldOut(): Promise<Made> {
  const { listing_pk, shops } = await makeListing(service, { photos: 1, listing: { quantity: 3 } });
  const made = { listing_pk, shops: shops.slice(0, 1) };
  await service.control('POST', `/listings/${made.shops[0]?.listing_id}/sell`, { quantity: 3 });
  expect(await read(made)).toEqual(['sold_out', 2450, 0]);
  return made;
}

const read = async (made: Made) => {
  const [there] = await readListings(service, made);
  const { price_amount, quantity } = there?.inventory.products[0]?.offering ?? {};
  return [there?.state, price_amount, quantity];
};
const update = ({ listing_pk, shops }: Made, changes: object, more: object = {}) =>
  service.call<UpdateResult>('listing_update', {
    listing_pk,
    changes,
    shops: shops.map(({ shop_id }) => shop_id),
    ...more,
  });
const restock = ({ listing_pk, shops }: Made) =>
  service.call<ListingJobResult>('listing_publish', {
    listing_pk,
    state: 'active',
    stock: 3,
    shops: shops.map(({ shop_id }) => shop_id),
  });
const listPending = async ({ listing_pk, shops }: Made) => {
  const detail = await service.call<{ shops: { shop_id: string; pending?: unknown }[] }>('listing_get', {
    listing_pk,
  });
  return detail.shops.find(({ shop_id }) => shop_id === String(shops[0]?.shop_id))?.pending;
};
const PENDING = [{ field: 'listing.price', before: 24.5, after: 46 }];
const CHANGES = { listing: { price: 46 } };

it('keeps a price of a sold-out listing pending, and writes it before the listing is activated', async () => {
  const made = await makeSoldOut();
  const shown = await update(made, CHANGES, { dry_run: true });
  expect(shown.shops).toMatchObject([{ status: 'ok', diff: [], pending: PENDING }]);
  expect(shown.message).toContain('kept until the listing has stock');
  expect(await listPending(made)).toBeUndefined();
  const { results } = await update(made, CHANGES);
  expect(results).toMatchObject([{ status: 'ok', pending: PENDING }]);
  expect(results?.[0]?.warnings?.map(({ code }) => code)).toContain('pending');
  expect(await listPending(made)).toEqual(PENDING);
  expect(await read(made)).toEqual(['sold_out', 2450, 0]);
  await service.control('POST', '/faults', {
    rules: [
      { operation: 'updateListingInventory', after: 1, times: 9, action: { type: 'status', status: 400 } },
    ],
  });
  expect((await restock(made)).results).toMatchObject([{ status: 'error' }]);
  await service.control('DELETE', '/faults');
  // The stock could not be set; the seller's price applies as soon as the listing is active.
  expect(await read(made)).toEqual(['active', 4600, 1]);
});

it('writes a pending value once, with the stock, after which it is no longer pending', async () => {
  const made = await makeSoldOut();
  await update(made, CHANGES);
  const { results } = await restock(made);
  expect(results).toMatchObject([{ status: 'ok', activation_cost_usd: 0.2 }]);
  expect(await read(made)).toEqual(['active', 4600, 3]);
  expect(await listPending(made)).toBeUndefined();
});

it('writes a pending value with the next update of a listing that has stock again', async () => {
  const made = await makeSoldOut();
  await update(made, CHANGES);
  const { results } = await update(made, { offerings: [{ quantity: 5 }] });
  expect(results?.[0]?.diff).toMatchObject([
    { field: 'listing.price', after: 46 },
    { field: 'listing.quantity', after: 5 },
  ]);
  expect(await read(made)).toEqual(['sold_out', 4600, 5]);
  expect(await listPending(made)).toBeUndefined();
});

it('clears a pending value if the former price is requested', async () => {
  const made = await makeSoldOut();
  await update(made, CHANGES);
  await update(made, { listing: { price: 24.5 } });
  expect(await listPending(made)).toBeUndefined();
});

it('does not overwrite a later manual edit with a pending value', async () => {
  const made = await makeSoldOut();
  await update(made, CHANGES);
  await edit(service, made, { products: [{ price: 31 }] });
  const { results } = await restock(made);
  expect(results).toMatchObject([
    { status: 'ok', warnings: [{ code: 'pending_dropped' }, { code: 'taken_over' }] },
  ]);
  expect(await read(made)).toEqual(['active', 3100, 3]);
});

it('no longer treats a price as pending that was written before the activation failed', async () => {
  const made = await makeSoldOut();
  await update(made, CHANGES);
  await service.control('POST', '/faults', {
    rules: [{ operation: 'updateListing', times: 9, action: { type: 'status', status: 400 } }],
  });
  const { results } = await restock(made);
  await service.control('DELETE', '/faults');
  expect(results).toMatchObject([{ status: 'error', diff: [{ field: 'listing.price', after: 46 }, {}] }]);
  expect(await read(made)).toEqual(['sold_out', 4600, 3]);
  expect(await listPending(made)).toBeUndefined();
});

it('keeps a price pending if the activation failed before it was written', async () => {
  const made = await makeSoldOut();
  await update(made, CHANGES);
  await service.control('POST', '/faults', {
    rules: [{ operation: 'updateListingInventory', times: 9, action: { type: 'status', status: 400 } }],
  });
  expect((await restock(made)).results).toMatchObject([{ status: 'error' }]);
  await service.control('DELETE', '/faults');
  expect(await listPending(made)).toEqual(PENDING);
});

it("drops pending values when an import adopts the shop's prices, and reports so", async () => {
  const made = await makeSoldOut();
  await update(made, CHANGES);
  const [place] = made.shops;
  const { results } = await service.call<{ results: object[] }>('listing_import', {
    shop_id: place?.shop_id,
    listing_ids: [place?.listing_id],
  });
  expect(results).toMatchObject([
    {
      differences: [{ field: 'listing.price', ours: 46, theirs: 24.5 }, {}],
      warnings: [{ code: 'pending_dropped', fields: ['listing.price'] }],
    },
  ]);
  expect(await listPending(made)).toBeUndefined();
  await restock(made);
  expect(await read(made)).toEqual(['active', 2450, 3]);
});
