import type { ListingJobResult } from '../../../answers.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ShopChanges } from '../../../../src/core/ports/listing/changes.js';
import { startService, type TestService } from '../../../service.js';
import { finish, readListings, makeJob, makeListing, type Made } from './rig.js';

/*
 * The marketplace's limits delay a write for minutes; changes of the listing in the meantime are not
 * overwritten.
 */

const INVENTORY = 'updateListingInventory';
/** More refusals than the client retries by itself. */
const REFUSALS = 4;

type One = Made & { listing_id: number };
type Counted = { calls: Record<string, number> };

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
});
afterAll(() => service.close());
afterEach(() => service.control('DELETE', '/faults'));

const VARIED = {
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    offerings: [
      { glaze: 'White', price: 20, quantity: 3, sku: 'W' },
      { glaze: 'Ochre', price: 22, quantity: 4, sku: 'O' },
    ],
  },
};

async function makeOne(): Promise<One> {
  const { listing_pk, shops } = await makeListing(service, { photos: 1, more: VARIED });
  const [shop] = shops;
  if (!shop) throw new Error('there is one');
  return { listing_pk, shops: [shop], listing_id: shop.listing_id };
}

/** Runs `work` while the operation is delayed for longer than the client waits by itself. */
async function meddleWhileHeldUp(
  made: One,
  operation: string,
  changes: ShopChanges,
  work: () => Promise<unknown>,
): Promise<ListingJobResult> {
  const count = async () => (await service.control<Counted>('GET', '/state')).calls[operation] ?? 0;
  const before = await count();
  const headers = { 'retry-after': '0.1' };
  const rules = [{ operation, times: REFUSALS, action: { type: 'status', status: 429, headers } }];
  await service.control('POST', '/faults', { rules });
  const { job_id } = await makeJob(service, made, { kind: 'change', changes, on_drift: 'refuse' });
  await service.app.core.listings.resume();
  await expect.poll(count, { interval: 5 }).toBe(before + 1);
  await work();
  return finish(service, job_id);
}

const setOffering = (set: { price?: number; quantity?: number }): ShopChanges => ({
  inventory: {
    kind: 'offerings',
    offerings: [{ path: 'changes.offerings[0]', match: { sku: 'W' }, set }],
  },
});
const listStock = async (made: Made) =>
  (await readListings(service, made))[0]?.inventory.products.map(({ offering }) => offering.quantity);
const describeOne = async (made: Made) => {
  const [there] = await readListings(service, made);
  return [there?.fields.title, there?.inventory.products.map(({ offering }) => offering.price_amount)];
};

const DRIFT = [{ status: 'error', details: { code: 'DRIFT' } }];

describe('an update that waits for the limits', () => {
  it('keeps pieces sold, of products it sets and of others', async () => {
    const made = await makeOne();
    const sell = (sku: string) =>
      service.control('POST', `/listings/${made.listing_id}/sell`, { sku, quantity: 2 });
    const { results } = await meddleWhileHeldUp(made, INVENTORY, setOffering({ price: 25 }), () =>
      Promise.all([sell('W'), sell('O')]),
    );
    expect(results).toMatchObject([{ status: 'ok' }]);
    expect(await listStock(made)).toEqual([1, 2]);
  });

  it('sets the requested stock even if pieces are sold, because none of it was set before', async () => {
    const made = await makeOne();
    const { results } = await meddleWhileHeldUp(made, INVENTORY, setOffering({ quantity: 9 }), () =>
      service.control('POST', `/listings/${made.listing_id}/sell`, { sku: 'W', quantity: 2 }),
    );
    expect(results).toMatchObject([{ status: 'ok' }]);
    expect(await listStock(made)).toEqual([9, 4]);
  });

  it.each<[string, ShopChanges, object]>([
    ['updateListingInventory', setOffering({ price: 25 }), { products: [{ sku: 'W', price: 31 }] }],
    ['updateListing', { fields: { title: 'Stoneware cup' } }, { title: 'By hand' }],
  ])('reports manual edits and does not overwrite them (%s)', async (operation, changes, by_hand) => {
    const made = await makeOne();
    let there: unknown;
    const { results } = await meddleWhileHeldUp(made, operation, changes, async () => {
      await service.control('POST', `/listings/${made.listing_id}/edit`, by_hand);
      there = await describeOne(made);
    });
    expect(results).toMatchObject(DRIFT);
    expect(await describeOne(made)).toEqual(there);
  });
});
