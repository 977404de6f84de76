import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ListingRequest } from '../../schemas/listing_request.js';
import { readListings, makeListing, type Made } from '../core/listings/update/rig.js';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { CLAY } from '../service.js';
import { openMcpStateless, openRest, type Face, type Output } from './faces.js';

/*
 * Manual edits of combinations whose option values make their labels ambiguous: drift, overwriting, undo, and
 * adopted values.
 */

let dashboard: TestDashboard;
let faces: { REST: Face; MCP: Face };
beforeAll(async () => {
  dashboard = await startDashboard({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  const { key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test');
  faces = { REST: openRest(dashboard.url, key), MCP: openMcpStateless(dashboard.url, key) };
});
afterAll(async () => {
  await faces.MCP.close();
  await dashboard.close();
});

const RAW = '"Raw"], Foot: Cut';
const SAND = 'Sand, Foot: "Raw"]';
const CUT_PRICE = 'Cut].price.x';
/** ONE and TWO have the same label. The label of THREE's price is a prefix of FOUR's. */
const variations = {
  properties: [
    { property_id: 513, name: 'Glaze', values: ['Sand', SAND] },
    { property_id: 514, name: 'Foot', values: [RAW, 'Cut', CUT_PRICE] },
  ],
  offerings: [
    { glaze: 'Sand', foot: RAW, price: 20, quantity: 5, sku: 'ONE' },
    { glaze: SAND, foot: 'Cut', price: 21, quantity: 5, sku: 'TWO' },
    { glaze: 'Sand', foot: 'Cut', price: 22, quantity: 5, sku: 'THREE' },
    { glaze: 'Sand', foot: CUT_PRICE, price: 23, quantity: 5, sku: 'FOUR' },
  ],
};
const SAME_LABEL = 'variations.offerings[Glaze: Sand, Foot: "Raw"], Foot: Cut]';

let made: Made;
beforeEach(async () => {
  made = await makeListing(dashboard.service, { more: { variations } });
});

const edit = (products: object[], shops = made.shops) =>
  Promise.all(
    shops.map(({ listing_id }) =>
      dashboard.service.control('POST', `/listings/${listing_id}/edit`, { products }),
    ),
  );

/** Price and stock by SKU, in each shop. */
const readShops = async () =>
  (await readListings(dashboard.service, made)).map((listing) =>
    Object.fromEntries(
      (listing?.inventory.products ?? [])
        .filter(({ sku }) => sku !== '')
        .map(({ sku, offering }) => [sku, [offering.price_amount / 100, offering.quantity]]),
    ),
  );
const START = { ONE: [20, 5], TWO: [21, 5], THREE: [22, 5], FOUR: [23, 5] };

type Result = {
  status: string;
  diff?: Output[];
  details?: { code: string; drift: Output[] };
  warnings?: { code: string; fields: string[] }[];
};

describe.each(['REST', 'MCP'] as const)('over %s', (name) => {
  const call = async (id: string, input: Output) => {
    const answer = await faces[name].call(id, { listing_pk: made.listing_pk, ...input });
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.output as { results: Result[]; shops: Result[]; job_id: string };
  };
  const update = (offerings: Output[], more: Output = {}) =>
    call('listing_update', { changes: { offerings }, ...more });
  const readSaved = async () => {
    const { request } = (await call('listing_get', {})) as unknown as { request: ListingRequest };
    const { offerings = [] } = request.variations ?? {};
    return Object.fromEntries(offerings.map(({ sku, price, quantity }) => [sku, [price, quantity]]));
  };

  it('a change of an edited combination is refused with the usual field name', async () => {
    await edit([{ sku: 'TWO', price: 31 }]);
    const drift = [{ field: `${SAME_LABEL}.price`, ours: 21, theirs: 31 }];
    const refused = { status: 'error', details: { code: 'DRIFT', drift } };
    expect((await update([{ sku: 'TWO', price: 41 }])).results).toMatchObject([refused, refused]);
    const edited = { ...START, TWO: [31, 5] };
    expect(await readShops()).toEqual([edited, edited]);
  });

  it('changing one combination adopts the edit of another one with the same label', async () => {
    await edit([{ sku: 'TWO', price: 31 }]);
    const { results } = await update([{ sku: 'ONE', price: 40 }]);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok']);
    for (const { diff, warnings = [] } of results) {
      expect(diff).toEqual([{ field: `${SAME_LABEL}.price`, before: 20, after: 40 }]);
      expect(warnings.map(({ code }) => code)).toEqual(['taken_over']);
    }
    const wanted = { ...START, ONE: [40, 5], TWO: [31, 5] };
    expect(await readShops()).toEqual([wanted, wanted]);
    expect(await readSaved()).toEqual(wanted);
  });

  it('changing the stock of a combination works although its label starts with the label of an edited price', async () => {
    await edit([{ sku: 'THREE', price: 32 }]);
    const { results } = await update([{ sku: 'FOUR', quantity: 9 }]);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok']);
    const wanted = { ...START, THREE: [32, 5], FOUR: [23, 9] };
    expect(await readShops()).toEqual([wanted, wanted]);
    expect(await readSaved()).toEqual(wanted);
  });

  it('a change overwrites only edits of the fields it changes, after a dry run that shows them', async () => {
    await edit([
      { sku: 'ONE', price: 30 },
      { sku: 'TWO', price: 31 },
    ]);
    const offerings = [{ sku: 'TWO', price: 41 }];
    const shown = await update(offerings, { dry_run: true });
    for (const { diff } of shown.shops) {
      expect(diff).toEqual([{ field: `${SAME_LABEL}.price`, before: 31, after: 41, manual_edit: true }]);
    }
    const { results } = await update(offerings);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok']);
    const wanted = { ...START, ONE: [30, 5], TWO: [41, 5] };
    expect(await readShops()).toEqual([wanted, wanted]);
    expect(await readSaved()).toEqual(wanted);

    await edit([{ sku: 'ONE', price: 50 }]);
    await update([{ sku: 'ONE', price: 60 }], { on_drift: 'overwrite' });
    expect(await readShops()).toEqual([
      { ...wanted, ONE: [60, 5] },
      { ...wanted, ONE: [60, 5] },
    ]);
  });

  it('confirming one label allows overwriting both edits behind it', async () => {
    await edit([
      { sku: 'ONE', price: 30 },
      { sku: 'TWO', price: 31 },
    ]);
    const offerings = [
      { sku: 'ONE', price: 40 },
      { sku: 'TWO', price: 41 },
    ];
    await update(offerings, { dry_run: true });
    const { results } = await update(offerings);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok']);
    const wanted = { ...START, ONE: [40, 5], TWO: [41, 5] };
    expect(await readShops()).toEqual([wanted, wanted]);
  });

  it('an undo restores everything except values edited since', async () => {
    const { job_id } = await update([
      { sku: 'ONE', price: 40, quantity: 8 },
      { sku: 'TWO', price: 41 },
      { sku: 'FOUR', price: 43 },
    ]);
    await edit([{ sku: 'TWO', price: 51 }]);
    const drift = [{ field: `${SAME_LABEL}.price`, ours: 41, theirs: 51 }];
    const refused = { status: 'error', details: { code: 'DRIFT', drift } };
    expect((await call('listing_undo', { job_id })).results).toMatchObject([refused, refused]);
    const { results } = await call('listing_undo', { job_id, on_drift: 'skip' });
    for (const { status, warnings } of results) {
      expect(status).toBe('ok');
      expect(warnings).toMatchObject([
        { code: 'not_undone', fields: [`${SAME_LABEL}.price`] },
        { code: 'taken_over', fields: [`${SAME_LABEL}.price`] },
      ]);
    }
    const wanted = { ...START, TWO: [51, 5] };
    expect(await readShops()).toEqual([wanted, wanted]);
    expect(await readSaved()).toEqual(wanted);
  });

  it('an edit in one shop stays in that shop', async () => {
    await edit(
      [{ sku: 'TWO', price: 31 }],
      made.shops.filter(({ shop_id }) => shop_id === CLAY.shop_id),
    );
    await update([{ sku: 'FOUR', price: 43 }]);
    const shared = { ...START, FOUR: [43, 5] };
    expect(await readSaved()).toEqual(shared);
    const { request } = (await call('listing_get', {})) as unknown as { request: ListingRequest };
    const own = request.shops.find(({ shop_id }) => shop_id === CLAY.shop_id)?.overrides;
    expect(own?.offerings).toEqual([{ glaze: SAND, foot: 'Cut', price: 31 }]);
    await update([{ sku: 'ONE', price: 40 }]);
    expect(await readShops()).toEqual([
      { ...shared, ONE: [40, 5], TWO: [31, 5] },
      { ...shared, ONE: [40, 5] },
    ]);
  });
});
