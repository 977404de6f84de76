import type { UpdateResult } from '../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readListings, makeListing, type Made } from '../core/listings/update/rig.js';
import type { TestService } from '../service.js';
import { createFinder } from '../wrapped/crash_point.js';
import { watchPorts } from '../wrapped/ports.js';
import { BOTH, startBoth, type Caller } from './both_faces.js';

/* Buyers buy while a listing is being updated: sold pieces stay sold, also when the update is undone. */

let both: Awaited<ReturnType<typeof startBoth>>;
let service: TestService;
let api: Caller;
/** Runs once, when a job reaches a point. */
let moment: { isReached: ReturnType<typeof createFinder>; work: () => void } | undefined;
beforeAll(async () => {
  both = await startBoth(
    { MAX_ACTIVATIONS_PER_DAY: 'unlimited' },
    {
      wrapPorts: (ports) =>
        watchPorts(ports, (...seen) => {
          if (!moment?.isReached(...seen)) return;
          const { work } = moment;
          moment = undefined;
          work();
        }),
    },
  );
  ({ service } = both);
  // Opens the second entry point, which answers requests at once from then on.
  await service.control('GET', '/state');
});
afterAll(() => both.close());

const VARIED = {
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    offerings: [
      { glaze: 'White', price: 20, quantity: 3, sku: 'W' },
      { glaze: 'Ochre', price: 22, quantity: 4, sku: 'O' },
    ],
  },
};
const WHITE = 'variations.offerings[Glaze: White]';

async function make(): Promise<Made & { listing_id: number }> {
  const { listing_pk, shops } = await makeListing(service, { photos: 1, more: VARIED });
  const [shop] = shops;
  if (!shop) throw new Error('there is one');
  return { listing_pk, shops: [shop], listing_id: shop.listing_id };
}

const sell = ({ listing_id }: { listing_id: number }, sold: Record<string, number>) => {
  for (const [sku, quantity] of Object.entries(sold)) {
    void service.control('POST', `/listings/${listing_id}/sell`, { sku, quantity });
  }
};
const update = ({ listing_pk, shops }: Made, changes: object) =>
  api.call<UpdateResult>('listing_update', {
    listing_pk,
    changes,
    shops: shops.map(({ shop_id }) => shop_id),
  });
const undo = ({ listing_pk, shops }: Made) =>
  api.call<UpdateResult>('listing_undo', { listing_pk, shops: shops.map(({ shop_id }) => shop_id) });
const readStock = async (made: Made) => {
  const [there] = await readListings(service, made);
  return Object.fromEntries(
    (there?.inventory.products ?? []).map(({ sku, offering }) => [
      sku,
      `${offering.quantity} at ${offering.price_amount}`,
    ]),
  );
};
const listCodes = ({ results }: UpdateResult) => results?.[0]?.warnings?.map(({ code }) => code);

describe.each(BOTH)('over %s, pieces bought during an update', (name) => {
  beforeAll(() => {
    api = both[name];
  });

  it('are neither reported as a change nor given back by undoing a price', async () => {
    const made = await make();
    moment = {
      isReached: createFinder('after marketplace.updateInventory'),
      work: () => sell(made, { W: 2, O: 1 }),
    };
    const changed = await update(made, { offerings: [{ sku: 'W', price: 25 }] });
    expect(changed.results).toMatchObject([{ status: 'ok' }]);
    expect(changed.results?.[0]?.diff).toEqual([{ field: `${WHITE}.price`, before: 20, after: 25 }]);
    expect(await readStock(made)).toEqual({ W: '1 at 2500', O: '3 at 2200' });
    expect((await undo(made)).results).toMatchObject([{ status: 'ok' }]);
    expect(await readStock(made)).toEqual({ W: '1 at 2000', O: '3 at 2200' });
  });

  it('are not part of the difference of a quantity that was set, and stay sold when it is undone', async () => {
    const made = await make();
    moment = {
      isReached: createFinder('after marketplace.updateInventory'),
      work: () => sell(made, { W: 2 }),
    };
    const changed = await update(made, { offerings: [{ sku: 'W', quantity: 9 }] });
    expect(changed.results?.[0]?.diff).toEqual([{ field: `${WHITE}.quantity`, before: 3, after: 9 }]);
    expect(listCodes(changed)).toEqual(['sold_meanwhile']);
    expect(await readStock(made)).toMatchObject({ W: '7 at 2000' });
    const undone = await undo(made);
    expect(listCodes(undone)).toEqual(['not_undone']);
    expect(await readStock(made)).toMatchObject({ W: '1 at 2000' });
  });

  it('stay sold when an earlier change of the quantity is undone', async () => {
    const made = await make();
    moment = { isReached: createFinder('after marketplace.updateListing'), work: () => sell(made, { W: 1 }) };
    await update(made, { listing: { title: 'Stoneware cup' }, offerings: [{ sku: 'W', quantity: 9 }] });
    expect(await readStock(made)).toMatchObject({ W: '9 at 2000' });
    await undo(made);
    expect(await readStock(made)).toMatchObject({ W: '2 at 2000' });
  });

  it('leave the listing sold out when its other fields are undone', async () => {
    const made = await make();
    moment = {
      isReached: createFinder('after marketplace.updateListing'),
      work: () => sell(made, { W: 3, O: 4 }),
    };
    const changed = await update(made, { listing: { title: 'Stoneware cup' } });
    expect(changed.results?.[0]?.diff).toMatchObject([{ field: 'listing.title' }]);
    const undone = await undo(made);
    expect(undone.results).toMatchObject([{ status: 'ok' }]);
    expect(undone.results?.[0]?.diff).toMatchObject([{ field: 'listing.title' }]);
    expect(listCodes(undone)).toEqual([]);
    expect((await readListings(service, made))[0]?.state).toBe('sold_out');
  });
});
