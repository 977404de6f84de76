import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchAnswer } from '../../../schemas/batch.js';
import { CLAY } from '../../service.js';
import { countCalls, edit, readListings, makeListing, type Made } from '../listings/update/rig.js';
import {
  listDiffs,
  listIssues,
  set,
  startSheets,
  writeLoose,
  writeRows,
  type SheetWorld,
} from './sheet_world.js';

let world: SheetWorld;
beforeAll(async () => {
  world = await startSheets();
});
afterAll(() => world.close());

const GLAZED = {
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    offerings: [
      { glaze: 'White', price: 20, quantity: 3, sku: 'W' },
      { glaze: 'Ochre', price: 22, quantity: 4, sku: 'O' },
    ],
  },
};

const make = (listing: object = {}) => makeListing(world.service, { photos: 1, listing });
const makeGlazed = () => makeListing(world.service, { photos: 1, more: GLAZED });
const sell = ({ shops }: Made, quantity: number) =>
  world.service.control('POST', `/listings/${shops[0]?.listing_id}/sell`, { quantity });
const inFirst = ({ listing_pk, shops }: Made): Made => ({ listing_pk, shops: shops.slice(0, 1) });

/** The title of a section in the first shop. */
async function findSection(): Promise<string> {
  const { shop_sections } = await world.service.call<{ shop_sections: { title: string }[] }>('store_sync', {
    shop_id: CLAY.shop_id,
  });
  return shop_sections[0]?.title ?? '';
}

/** For the listing in its first shop: SKU, price in cents, stock. */
async function readProducts(made: Made) {
  const [listing] = await readListings(world.service, made);
  return listing?.inventory.products.map(({ sku, offering }) => [
    sku,
    offering.price_amount,
    offering.quantity,
  ]);
}

describe('a sheet', () => {
  it('has a row per shop and listing or combination, with the current values', async () => {
    const plain = await make({ sku: 'P', quantity: 7, tags: ['mug', 'clay'] });
    const glazed = await makeGlazed();
    await sell(glazed, 1);
    const rows = await world.exportRows(plain, glazed);
    const columns = ['shop', 'option_1', 'currency', 'tags', 'price', 'quantity', 'sku', 'offered', 'state'];
    expect(rows.map((row) => columns.map((column) => row[column]))).toEqual([
      ['ClayAndOak', '', 'USD', 'mug, clay', '24.5', '7', 'P', '', 'active'],
      ['NordLinen', '', 'EUR', 'mug, clay', '24.5', '7', 'P', '', 'active'],
      ['ClayAndOak', 'Glaze: White', 'USD', '', '20', '2', 'W', 'yes', 'active'],
      ['ClayAndOak', 'Glaze: Ochre', 'USD', '', '22', '4', 'O', 'yes', 'active'],
      ['NordLinen', 'Glaze: White', 'EUR', '', '20', '3', 'W', 'yes', 'active'],
      ['NordLinen', 'Glaze: Ochre', 'EUR', '', '22', '4', 'O', 'yes', 'active'],
    ]);
    expect(rows[0]).toMatchObject({
      listing_pk: String(plain.listing_pk),
      listing_id: String(plain.shops[0]?.listing_id),
      shipping_profile: 'Small parcel',
      photo_1: expect.stringContaining('photo-01.jpg') as string,
      ends_at: expect.stringMatching(/^\d{4}-/) as string,
    });
  });

  it.each(['csv', 'xlsx'] as const)('plans nothing if its %s is uploaded unchanged', async (format) => {
    const titles = ['=SUM(A1)', '+1 mug', '-1 mug', '@home', "'Tis a mug", 'A "mug", one; two', '00123'];
    const made = await make({
      title: 'Mug',
      sku: '007',
      description: 'First line\n\n  =second, "line"; third\nlast _x000D_ & <b>',
    });
    const [first] = made.shops;
    const glazed = await makeGlazed();
    for (const title of titles) {
      // The marketplace has titles that no request may contain.
      await world.service.control('POST', `/listings/${first?.listing_id}/edit`, { title });
      const sheet = await world.exportSheet([made, glazed], format);
      let planned: BatchAnswer | undefined;
      const calls = await countCalls(world.service, async () => {
        planned = await world.plan(sheet);
      });
      expect(planned?.counts).toMatchObject({ listings: 2, items: 4, unchanged: 4, changed: 0, refused: 0 });
      expect(calls).toEqual({});
    }
  });

  it('changes only edited cells, in the shop of their row', async () => {
    const plain = await make({ price: 20, sku: 'A' });
    const glazed = await makeGlazed();
    const section = await findSection();
    const rows = await world.exportRows(plain, glazed);
    const [first = {}, second = {}, white = {}, ochre = {}, ...others] = rows;
    const planned = await world.plan(
      writeRows([
        { ...first, price: '21.90', title: 'Mug in oat', tags: 'oat, gift', section },
        { ...second, sku: 'B' },
        { ...white, price: '25', sku: 'W2' },
        { ...ochre, offered: 'no' },
        ...others,
      ]),
    );
    expect(listDiffs(planned)).toEqual([
      [
        ['listing.title', 'Stoneware mug', 'Mug in oat'],
        ['listing.tags', [], ['oat', 'gift']],
        ['shops[].shop_section_id', null, expect.stringContaining(section)],
        ['listing.price', 20, 21.9],
      ],
      [['listing.sku', 'A', 'B']],
      [
        ['variations.offerings[Glaze: White].price', 20, 25],
        ['variations.offerings[Glaze: White].sku', 'W', 'W2'],
        ['variations.offerings[Glaze: Ochre].enabled', true, false],
      ],
      [],
    ]);
    const done = await world.start(planned);
    expect(done.counts).toMatchObject({ ok: 3, error: 0 });
    expect(await readProducts(plain)).toEqual([['A', 2_190, 4]]);
    expect((await readProducts(glazed))?.[0]).toEqual(['W2', 2_500, 3]);
    const undone = await world.service.call<BatchAnswer>('batch_undo', { batch_id: done.batch_id });
    expect(undone.counts).toMatchObject({ ok: 3, error: 0 });
    expect(await readProducts(plain)).toEqual([['A', 2_000, 4]]);
  });

  it('keeps the stock of a listing that sold since the export if only prices were edited', async () => {
    const [plain, glazed] = [await make({ quantity: 9 }), await makeGlazed()];
    const rows = await world.exportRows(plain, glazed);
    await sell(plain, 2);
    await sell(glazed, 1);
    const planned = await world.plan(writeRows(set(rows, 'price', (price) => `${Number(price) + 1}`)));
    await sell(plain, 1);
    expect((await world.start(planned)).counts).toMatchObject({ ok: 4, error: 0 });
    expect(await readProducts(plain)).toEqual([[expect.any(String), 2_550, 6]]);
    expect(await readProducts(glazed)).toEqual([
      ['W', 2_100, 2],
      ['O', 2_300, 4],
    ]);
  });

  it('refuses an edited quantity if the stock has changed since the export, and shows both values', async () => {
    const [plain, glazed] = [await make({ quantity: 9 }), await makeGlazed()];
    const rows = await world.exportRows(inFirst(plain), inFirst(glazed));
    await sell(plain, 2);
    await sell(glazed, 1);
    const planned = await world.plan(writeRows(set(rows, 'quantity', () => '12')));
    expect(planned.counts).toMatchObject({ refused: 2, changed: 2 });
    expect(planned.items?.flatMap(({ issues }) => issues.map(({ message }) => message))).toEqual([
      'the stock was 9 in the export and is 7 now; export again and edit the new sheet',
      'the stock was 3 in the export and is 2 now; export again and edit the new sheet',
    ]);
  });

  it('writes no quantity over stock that sold between plan and start', async () => {
    const made = await make({ quantity: 9 });
    const rows = await world.exportRows(made);
    const planned = await world.plan(writeRows(set(rows, 'quantity', () => '12')));
    await sell(made, 2);
    const done = await world.start(planned);
    expect(done.items?.map(({ status }) => status)).toEqual(['error', 'ok']);
    expect((await readProducts(made))?.[0]?.[2]).toBe(7);
  });

  it('never overwrites an edit made on Etsy between plan and start', async () => {
    const made = await make();
    const rows = await world.exportRows(made);
    const planned = await world.plan(writeRows(set(rows, 'title', () => 'Of the sheet')));
    await edit(world.service, inFirst(made), { title: 'Edited by hand' });
    const done = await world.start(planned);
    expect(listIssues(done)[0]?.[0]?.[0]).toBe('DRIFT');
    const titles = (await readListings(world.service, made)).map((listing) => listing?.fields.title);
    expect(titles).toEqual(['Edited by hand', 'Of the sheet']);
  });

  it('refuses to edit a field that was edited on Etsy, unless it is to be overwritten', async () => {
    const made = await make();
    await edit(world.service, inFirst(made), { title: 'Edited by hand' });
    const rows = set(await world.exportRows(made), 'title', () => 'Of the sheet');
    expect(listIssues(await world.plan(writeRows(rows)))[0]?.[0]?.[0]).toBe('DRIFT');
    const planned = await world.plan(writeRows(rows), { on_drift: 'overwrite' });
    expect(planned.items?.map(({ overwrites = false }) => overwrites)).toEqual([true, false]);
  });

  it('skips blank cells, and removes values marked [clear]', async () => {
    const made = await make({ tags: ['mug'], materials: ['clay'], sku: 'A' });
    const rows = await world.exportRows(made);
    const blank = rows.map((row) => ({ ...row, title: '', tags: '', price: ' ', quantity: '', sku: '' }));
    expect((await world.plan(writeRows(blank))).counts).toMatchObject({
      unchanged: 2,
      changed: 0,
      refused: 0,
    });
    const cleared = rows.map((row) => ({
      ...row,
      tags: '[clear]',
      materials: '[Clear]',
      sku: '[clear]',
      section: '[clear]',
    }));
    const planned = await world.plan(writeRows(cleared));
    expect(listDiffs(planned)[0]).toEqual([
      ['listing.tags', ['mug'], []],
      ['listing.materials', ['clay'], []],
      ['listing.sku', 'A', ''],
    ]);
    expect((await world.start(planned)).counts).toMatchObject({ ok: 2, error: 0 });
    const refused = await world.plan(writeRows(set(rows, 'price', () => '[clear]')));
    expect(listIssues(refused)[0]).toEqual([['sheet_clear_refused', 'row 2, price']]);
  });

  it('deactivates and activates listings', async () => {
    const made = await make();
    const off = await world.plan(writeRows(set(await world.exportRows(made), 'state', () => 'inactive')));
    expect((await world.start(off)).counts).toMatchObject({ ok: 2 });
    const on = await world.plan(writeRows(set(await world.exportRows(made), 'state', () => 'Active')));
    expect(on.items?.map(({ issues }) => issues)).toEqual([[], []]);
    expect(listDiffs(on)).toEqual([[['state', 'inactive', 'active']], [['state', 'inactive', 'active']]]);
    expect((await world.start(on)).counts).toMatchObject({ ok: 2 });
    expect((await readListings(world.service, made)).map((listing) => listing?.state)).toEqual([
      'active',
      'active',
    ]);
  });

  it('refuses a row whose identity was edited, and plans the others', async () => {
    const made = await make();
    const rows = await world.exportRows(made);
    const [first = {}, second = {}] = set(rows, 'price', () => '30');
    for (const column of ['listing_pk', 'shop_id', 'shop', 'listing_id', 'option_1', 'currency']) {
      const planned = await world.plan(writeRows([{ ...first, [column]: '7' }, second]));
      expect(planned.counts).toMatchObject({ refused: 1, changed: 1 });
      expect(listIssues(planned)[0]).toEqual([['sheet_identity_edited', `row 2, ${column}`]]);
    }
    const other = await world.plan(writeRows([{ ...first, version: 'sheet_other.1' }, second]));
    expect(listIssues(other)).toContainEqual([['sheet_version_unknown', 'row 2, version']]);
    const swapped = await world.plan(writeRows([{ ...first, version: second['version'] ?? '' }, second]));
    expect(swapped.counts).toMatchObject({ refused: 1, changed: 0 });
  });

  it('refuses cells of a listing that differ between its rows, and names both', async () => {
    const made = await makeGlazed();
    const [first = {}, second = {}, ...others] = await world.exportRows(made);
    const planned = await world.plan(writeRows([{ ...first, title: 'New' }, second, ...others]));
    expect(planned.items?.[0]?.issues).toMatchObject([
      {
        code: 'sheet_cells_differ',
        field: 'row 3, title',
        message: expect.stringContaining('row 2') as string,
      },
    ]);
    const once = await world.plan(
      writeRows([{ ...first, title: 'New' }, { ...second, title: '' }, ...others]),
    );
    expect(listDiffs(once)[0]).toEqual([['listing.title', 'Stoneware mug', 'New']]);
  });

  it('lists the columns it ignores', async () => {
    const made = await make();
    const rows = set(await world.exportRows(made), 'photo_1', () => 'https://example.com/mug.jpg');
    const columns = [...Object.keys(rows[0] ?? {}), 'Notes', 'Margin'];
    const { counts, warnings } = await world.plan(writeLoose(rows, ',', columns));
    expect(counts.unchanged).toBe(2);
    expect(warnings?.map(({ reason }) => reason)).toEqual([
      'Unknown columns were ignored: "notes", "margin".',
      'Edits in read-only columns were ignored: photo_1.',
    ]);
  });

  it.each([
    [',', '26.90'],
    [';', '26,90'],
    ['\t', '26,9'],
  ])('accepts a file with %j between its cells and %s as a price', async (delimiter, price) => {
    const made = await make({ price: 20 });
    const rows = set(await world.exportRows(made), 'price', () => price);
    for (const bom of ['', '\ufeff']) {
      const planned = await world.plan(bom + writeLoose(rows, delimiter));
      expect(listDiffs(planned)[0]).toEqual([['listing.price', 20, 26.9]]);
    }
  });

  it.each(['$26.90', '26.90 $', 'USD 26.90', '26.90 USD'])(
    "accepts %s, with the sign or code of the shop's currency",
    async (price) => {
      const made = inFirst(await make({ price: 20 }));
      const rows = set(await world.exportRows(made), 'price', () => price);
      expect(listDiffs(await world.plan(writeRows(rows)))[0]).toEqual([['listing.price', 20, 26.9]]);
      const unchanged = set(rows, 'price', () => price.replace('26.90', '20.00'));
      expect((await world.plan(writeRows(unchanged))).counts.unchanged).toBe(1);
    },
  );

  it('refuses a file with both decimal commas and decimal points', async () => {
    const made = await make();
    const [first = {}, second = {}] = await world.exportRows(made);
    const rows = [
      { ...first, price: '26,90' },
      { ...second, price: '26.90' },
    ];
    expect(await world.refuse(writeRows(rows))).toMatchObject({
      code: 'SHEET_INVALID',
      message:
        'sheet: has prices with a decimal comma (row 2) and with a decimal point (row 3); use only one of the two',
    });
  });

  it('removes exactly one prefix, and refuses formulas', async () => {
    const made = inFirst(await make({ sku: 'A' }));
    const [row = {}] = await world.exportRows(made);
    const planSku = async (sku: string) => {
      const planned = await world.plan(writeLoose([{ ...row, sku }], ','));
      return listDiffs(planned)[0]?.[0]?.[2] ?? listIssues(planned)[0]?.[0]?.[0];
    };
    expect(await planSku("'-10")).toBe('-10');
    expect(await planSku("''A")).toBe("'A");
    expect(await planSku('-10')).toBe('-10');
    expect(await planSku('=1+1')).toBe('sheet_formula');
  });

  it.each([
    ['00123', '123'],
    ['1E5', '100000'],
    ['12345678901234567', '1.23457E+16'],
    ['1-2', '2026-01-02'],
    ['MAR1', '01-Mar'],
    ['3/4', '03.04.2026'],
  ])('refuses SKU %s that a spreadsheet program turned into %s', async (sku, converted) => {
    const made = inFirst(await make({ sku }));
    const [row = {}] = await world.exportRows(made);
    const planned = await world.plan(writeRows([{ ...row, sku: converted }]));
    expect(planned.items?.[0]?.issues).toMatchObject([
      {
        code: 'sheet_sku_converted',
        field: 'row 2, sku',
        message: expect.stringContaining('use XLSX') as string,
      },
    ]);
    expect(listDiffs(await world.plan(writeRows([{ ...row, sku: `${sku}-B` }])))[0]).toEqual([
      ['listing.sku', sku, `${sku}-B`],
    ]);
  });

  it('accepts a long numeric SKU in which one digit was edited', async () => {
    const made = inFirst(await make({ sku: '12345678901234567' }));
    const rows = set(await world.exportRows(made), 'sku', () => '12345678901234568');
    expect(listDiffs(await world.plan(writeRows(rows)))[0]).toEqual([
      ['listing.sku', '12345678901234567', '12345678901234568'],
    ]);
  });

  it.each([
    ['price', 'twenty'],
    ['price', '1,234'],
    ['price', '€24'],
    ['price', '$1,234.00'],
    ['quantity', '2.5'],
    ['offered', 'yes'],
    ['state', 'sold_out'],
  ])('refuses %s %s', async (column, value) => {
    const made = inFirst(await make());
    const planned = await world.plan(writeRows(set(await world.exportRows(made), column, () => value)));
    expect(listIssues(planned)[0]).toEqual([['sheet_value_wrong', `row 2, ${column}`]]);
  });
});
