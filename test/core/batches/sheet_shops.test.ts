import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readListings, makeListing, type Made } from '../listings/update/rig.js';
import { listDiffs, listIssues, startSheets, writeRows, type Row, type SheetWorld } from './sheet_world.js';

/* Rows of one listing whose shops differ. */

let world: SheetWorld;
beforeAll(async () => {
  world = await startSheets();
});
afterAll(() => world.close());

const GLAZED = {
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre', 'Oat'] }],
    offerings: [
      { glaze: 'White', price: 20, quantity: 1, sku: 'W' },
      { glaze: 'Ochre', price: 22, quantity: 2, sku: 'O' },
      { glaze: 'Oat', price: 23, quantity: 3, sku: 'T' },
    ],
  },
};

const make = (listing: object = {}) => makeListing(world.service, { photos: 1, listing });
const inShop = ({ listing_pk, shops }: Made, at: number): Made => ({
  listing_pk,
  shops: shops.slice(at, at + 1),
});
const setState = ({ shops }: Made, state: string) =>
  Promise.all(
    shops.map(({ listing_id }) => world.service.control('POST', `/listings/${listing_id}/state`, { state })),
  );
const sell = ({ shops }: Made, body: object) =>
  Promise.all(
    shops.map(({ listing_id }) => world.service.control('POST', `/listings/${listing_id}/sell`, body)),
  );
const listStates = async (made: Made) =>
  (await readListings(world.service, made)).map((listing) => listing?.state);
const listStock = async (made: Made) =>
  (await readListings(world.service, made)).map((listing) =>
    listing?.inventory.products.map(({ offering }) => offering.quantity),
  );
const exportTwo = async (made: Made): Promise<[Row, Row]> => {
  const [first = {}, second = {}] = await world.exportRows(made);
  return [first, second];
};

describe('a state in a sheet', () => {
  it('changes only in the shop of its row', async () => {
    const made = await make();
    const [first, second] = await exportTwo(made);
    const planned = await world.plan(
      writeRows([
        { ...first, state: 'inactive' },
        { ...second, price: '30' },
      ]),
    );
    expect(listDiffs(planned)).toEqual([[['state', 'active', 'inactive']], [['listing.price', 24.5, 30]]]);
    expect((await world.start(planned)).counts).toMatchObject({ ok: 2, error: 0 });
    expect(await listStates(made)).toEqual(['inactive', 'active']);
  });

  it('is planned in any order of the rows', async () => {
    const made = await make();
    const [first, second] = await exportTwo(made);
    const planned = await world.plan(
      writeRows([
        { ...second, title: 'Mug in oat' },
        { ...first, state: 'inactive' },
      ]),
    );
    expect((await world.start(planned)).counts).toMatchObject({ ok: 2, error: 0 });
    expect(await listStates(made)).toEqual(['inactive', 'active']);
  });

  it('may differ between shops', async () => {
    const made = await make();
    await setState(inShop(made, 1), 'inactive');
    const [first, second] = await exportTwo(made);
    const planned = await world.plan(
      writeRows([
        { ...first, state: 'inactive' },
        { ...second, state: 'active' },
      ]),
    );
    expect((await world.start(planned)).counts).toMatchObject({ ok: 2, error: 0 });
    expect(await listStates(made)).toEqual(['inactive', 'active']);
  });

  it('incurs no fee in a shop whose row does not ask for it', async () => {
    const made = await make({ should_auto_renew: false });
    const listing_ids = made.shops.map(({ listing_id }) => listing_id);
    await world.service.control('POST', '/clock', { advance_ms: 120 * 24 * 60 * 60_000, listing_ids });
    const [first, second] = await exportTwo(made);
    const planned = await world.plan(
      writeRows([
        { ...first, state: 'active' },
        { ...second, title: 'Mug in oat' },
      ]),
    );
    expect(planned.cost_usd).toBe(0.2);
    expect((await world.start(planned)).counts).toMatchObject({ ok: 2, error: 0 });
    expect(await listStates(made)).toEqual(['active', 'expired']);
  });
});

describe('stock in a sheet', () => {
  it('is not overwritten if it sold after the plan, even if another shop changes something else', async () => {
    const made = await make({ quantity: 9 });
    const [first, second] = await exportTwo(made);
    const planned = await world.plan(
      writeRows([
        { ...first, title: 'Mug in oat' },
        { ...second, quantity: '12' },
      ]),
    );
    await sell(inShop(made, 1), { quantity: 2 });
    const done = await world.start(planned);
    expect(done.items?.map(({ status }) => status)).toEqual(['ok', 'error']);
    expect(await listStock(made)).toEqual([[9], [7]]);
  });

  it("is taken from the shop's own row if the listing is sold out", async () => {
    const made = await make({ quantity: 2 });
    await sell(made, { quantity: 2 });
    const [first, second] = await exportTwo(made);
    const planned = await world.plan(
      writeRows([
        { ...first, state: 'active', quantity: '5' },
        { ...second, state: 'active', quantity: '8' },
      ]),
    );
    expect((await world.start(planned)).counts).toMatchObject({ ok: 2, error: 0 });
    expect(await listStock(made)).toEqual([[5], [8]]);
  });

  it('is the same for all combinations of a sold-out listing, or is refused', async () => {
    const both = await makeListing(world.service, { photos: 1, more: GLAZED });
    const made = inShop(both, 0);
    for (const [at, sku] of ['W', 'O', 'T'].entries()) await sell(made, { sku, quantity: at + 1 });
    const rows = (await world.exportRows(both)).filter(({ shop }) => shop === 'ClayAndOak');
    const plan = (stocks: string[]) =>
      world.plan(writeRows(rows.map((row, at) => ({ ...row, state: 'active', quantity: stocks[at] ?? '' }))));
    for (const stocks of [['5', '3', '8'], ['5']]) {
      expect(listIssues(await plan(stocks))).toEqual([[['sheet_stock_mixed', 'row 2, state']]]);
    }
    expect((await world.start(await plan(['5', '5', '5']))).counts).toMatchObject({ ok: 1, error: 0 });
    expect(await listStock(made)).toEqual([[5, 5, 5]]);
  });
});
