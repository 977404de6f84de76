import { afterAll, beforeAll, expect, it } from 'vitest';
import { edit, makeListing, type Made } from '../listings/update/rig.js';
import {
  listDiffs,
  listIssues,
  set,
  startSheets,
  writeRows,
  type Row,
  type SheetWorld,
  uploadSheet,
} from './sheet_world.js';

/* Which rows of a sheet are used. */

let world: SheetWorld;
beforeAll(async () => {
  world = await startSheets();
});
afterAll(() => world.close());

const make = (listing: object = {}) => makeListing(world.service, { photos: 1, listing });
const GLAZED = {
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    offerings: [
      { glaze: 'White', price: 20, quantity: 3 },
      { glaze: 'Ochre', price: 22, quantity: 4 },
    ],
  },
};
async function remove({ listing_pk, shops }: Made): Promise<void> {
  for (const { listing_id } of shops) {
    await world.service.control('POST', `/listings/${listing_id}/edit`, { state: 'removed' });
  }
  await world.service.call('listing_delete', { listing_pk });
}
const listReasons = ({ warnings = [] }: { warnings?: { reason: unknown }[] | undefined }) =>
  warnings.map(({ reason }) => reason);

it('refuses rows of two exports for the same listing and shop, and names both', async () => {
  const made = await make();
  const [first = {}, second = {}] = set(await world.exportRows(made), 'price', () => '30');
  const [again = {}] = set(await world.exportRows(made), 'price', () => '40');
  const planned = await world.plan(writeRows([first, second, again]));
  expect(planned.items?.[0]?.issues).toMatchObject([
    { code: 'sheet_row_repeated', field: 'row 4', message: expect.stringContaining('row 2') as string },
  ]);
  expect(listDiffs(planned)[1]).toEqual([['listing.price', 24.5, 30]]);
});

it('accepts rows of several exports for different shops or different combinations', async () => {
  const made = await makeListing(world.service, { photos: 1, more: GLAZED });
  const exports = [await world.exportRows(made), await world.exportRows(made)];
  const rows = [0, 1, 2, 3].map((at): Row => exports[at % 2]?.[at] ?? {});
  const planned = await world.plan(writeRows(set(rows, 'price', (price) => `${Number(price) + 1}`)));
  expect(planned.counts).toMatchObject({ changed: 2, refused: 0 });
});

it('reports an error in a listing once, at its first row', async () => {
  const made = await makeListing(world.service, { photos: 1, more: GLAZED });
  const rows = (await world.exportRows(made)).filter(({ shop }) => shop === 'ClayAndOak');
  const planned = await world.plan(writeRows(set(rows, 'state', () => 'sold_out')));
  expect(listIssues(planned)).toEqual([[['sheet_value_wrong', 'row 2, state']]]);
});

it.each(['csv', 'xlsx'] as const)(
  'treats tags that begin with an apostrophe as unchanged, from %s',
  async (format) => {
    const made = await make();
    // The marketplace has tags that no request may contain.
    await edit(world.service, made, { tags: ["'90s style", 'mug'] });
    const { counts } = await world.plan(await world.exportSheet([made], format));
    expect(counts).toMatchObject({ items: 2, unchanged: 2, changed: 0, refused: 0 });
  },
);

it('refuses a row that names no listing, and plans the others', async () => {
  const made = await make();
  const [first = {}, second = {}] = set(await world.exportRows(made), 'price', () => '30');
  const lost = { ...second, version: 'sheet_none.1', listing_pk: '9999' };
  const planned = await world.plan(writeRows([first, lost, { ...lost, shop_id: 'x' }]));
  expect(planned.counts).toMatchObject({ items: 1, changed: 1 });
  expect(listReasons(planned)).toEqual([
    '2 rows (3, 4) were not used, because the version is unknown or has expired and no listing here has the listing_pk and shop_id. Export the listings again with batch_sheet.',
  ]);
});

it('refuses the rows of a listing that was removed here, and plans the others', async () => {
  const [kept, removed] = [await make(), await make()];
  const rows = set(await world.exportRows(kept, removed), 'price', () => '30');
  await remove(removed);
  const planned = await world.plan(writeRows(rows));
  expect(planned.counts).toMatchObject({ items: 2, changed: 2 });
  expect(listReasons(planned)).toEqual([
    '2 rows (4, 5) were not used, because the listing no longer exists here.',
  ]);
  const { code, message } = await world.refuse(writeRows(rows.slice(2)));
  expect([code, message.split('\n')[0]]).toEqual([
    'SHEET_INVALID',
    'row 2: the listing no longer exists here; remove the row',
  ]);
});

it('answers a repeated call with its batch, even if its sheet could no longer be planned', async () => {
  const made = await make();
  const rows = set(await world.exportRows(made), 'price', () => '30');
  const sheet = await uploadSheet(world.service, writeRows(rows));
  const create = () =>
    world.service.call<{ batch_id: string }>('batch_create', { sheet, idempotency_key: 'repeated' });
  const { batch_id } = await create();
  await remove(made);
  expect((await create()).batch_id).toBe(batch_id);
});
