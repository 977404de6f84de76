import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeXlsx } from '../../../src/core/batches/sheets/write_xlsx.js';
import { COLUMNS } from '../../../src/core/batches/sheets/columns.js';
import { listEntries, writeZip } from '../../../src/core/batches/sheets/zip.js';
import { buffer } from 'node:stream/consumers';
import { makeListing, type Made } from '../listings/update/rig.js';
import {
  listDiffs,
  listIssues,
  startSheets,
  writeLoose,
  writeRows,
  type Row,
  type SheetWorld,
} from './sheet_world.js';

/* Files that no spreadsheet program makes, and some that they do. */

let world: SheetWorld;
let made: Made;
let rows: Row[];
beforeAll(async () => {
  world = await startSheets();
  made = await makeListing(world.service, {
    photos: 1,
    state: 'publish',
    listing: { price: 20, sku: '1-2' },
  });
  rows = await world.exportRows(made);
});
afterAll(() => world.close());

/** An exported workbook whose sheet was changed. */
async function changeSheet(change: (xml: string) => string, more: [string, string][] = []): Promise<Buffer> {
  const bytes = await writeXlsx(rows.map((row) => COLUMNS.map((column) => row[column] ?? '')));
  const files: [string, string][] = [];
  for (const entry of (await listEntries(bytes, 100)) ?? []) {
    const text = String(await buffer(entry.read()));
    files.push([entry.name, entry.name.endsWith('sheet1.xml') ? change(text) : text]);
  }
  return writeZip([...files, ...more]);
}

const inPrice = (cell: string) => (xml: string) => xml.replace(/<c r="N2"><v>20<\/v><\/c>/, cell);

describe('a workbook', () => {
  it('may have numbers, shared strings and other styles of cells', async () => {
    const planned = await world.plan(await changeSheet(inPrice('<c r="N2"><v>21.900000000000002</v></c>')));
    expect(listDiffs(planned)).toEqual([[['listing.price', 20, 21.9]], []]);
    const rels = 'xl/_rels/workbook.xml.rels';
    const bytes = await changeSheet(inPrice('<c r="N2" t="s"><v>1</v></c>'));
    const files: [string, string][] = [];
    for (const entry of (await listEntries(bytes, 100)) ?? [])
      files.push([entry.name, String(await buffer(entry.read()))]);
    const strings =
      '<Relationship Id="rId9" Type="x/sharedStrings" Target="/xl/strings.xml"/></Relationships>';
    const shared = files.map(([name, text]): [string, string] => [
      name,
      name === rels ? text.replace('</Relationships>', strings) : text,
    ]);
    shared.push([
      'xl/strings.xml',
      '<sst><si><t>no</t></si><si><r><t>22</t></r><r><t>.50</t></r></si></sst>',
    ]);
    expect(listDiffs(await world.plan(await writeZip(shared)))[0]).toEqual([['listing.price', 20, 22.5]]);
  });

  it.each([
    ['a formula', '<c r="N2"><f>10*2</f><v>20</v></c>', 'sheet_formula'],
    ['an error', '<c r="N2" t="e"><v>#REF!</v></c>', 'sheet_formula'],
    ['a date', '<c r="N2" t="d"><v>2026-05-24</v></c>', 'sheet_value_wrong'],
  ])('with %s as a price is refused by row', async (_what, cell, code) => {
    const planned = await world.plan(await changeSheet(inPrice(cell)));
    expect(listIssues(planned)).toEqual([[[code, 'row 2, price']], []]);
  });

  it('with a SKU that became a date is refused', async () => {
    const planned = await world.plan(
      await changeSheet((xml) =>
        xml.replace(/<c r="P2"[^>]*><is>.*?<\/is><\/c>/, '<c r="P2" t="d"><v>2026-02-01</v></c>'),
      ),
    );
    expect(listIssues(planned)).toEqual([[['sheet_sku_converted', 'row 2, sku']], []]);
  });

  it.each<[string, () => Promise<Buffer>, string]>([
    [
      'a formula that refers to another workbook',
      () => changeSheet((xml) => xml, [['xl/externalLinks/externalLink1.xml', '<a/>']]),
      'refers to other files',
    ],
    ['a ZIP of something else', () => writeZip([['word/document.xml', '<a/>']]), 'neither an XLSX workbook'],
    [
      'a workbook with entities',
      () => changeSheet((xml) => `<!DOCTYPE a [<!ENTITY b "c">]>${xml}`),
      'damaged or encrypted',
    ],
    [
      'a workbook that is cut off',
      async () => (await changeSheet((xml) => xml)).subarray(0, -300),
      'damaged or encrypted',
    ],
    [
      'a bomb',
      () => changeSheet((xml) => xml, [['xl/media/a.xml', ' '.repeat(70 * 1024 * 1024)]]),
      'more than 64 MB when unpacked',
    ],
    ['a bomb that lies about its size', lieAboutSize, 'damaged or encrypted'],
    [
      'too many parts',
      () =>
        changeSheet(
          (xml) => xml,
          Array.from({ length: 500 }, (_, at): [string, string] => [`a${at}`, '']),
        ),
      'more than 500 parts',
    ],
    [
      'elements that nest without end',
      () => changeSheet((xml) => xml.replace('<sheetData>', `<sheetData>${'<a>'.repeat(100_000)}`)),
      'damaged or encrypted',
    ],
    [
      'too many rows',
      () =>
        changeSheet((xml) =>
          xml.replace(
            '</sheetData>',
            `${'<row><c t="inlineStr"><is><t>1</t></is></c></row>'.repeat(10_000)}</sheetData>`,
          ),
        ),
      'more than 10000 rows',
    ],
  ])('is refused for %s', async (_what, build, message) => {
    const refused = await world.refuse(await build());
    expect(refused).toMatchObject({ code: 'SHEET_INVALID' });
    expect(refused.message).toContain(message);
  });
});

async function lieAboutSize(): Promise<Buffer> {
  const bytes = await changeSheet((xml) => xml + ' '.repeat(1024 * 1024));
  const name = Buffer.from('xl/worksheets/sheet1.xml');
  const central = bytes.lastIndexOf(name) - 46;
  bytes.writeUInt32LE(1_000, central + 24);
  return bytes;
}

describe('a CSV file', () => {
  it.each<[string, () => Promise<Buffer> | string, string]>([
    ['other columns', () => 'name,price\nMug,20\n', 'has no header row with the columns'],
    ['a column twice', () => writeLoose(rows, ',', [...COLUMNS, 'price']), 'has the column "price" twice'],
    [
      'a column of the identity missing',
      () =>
        writeLoose(
          rows,
          ',',
          COLUMNS.filter((one) => one !== 'shop_id'),
        ),
      'has no header row with the columns shop_id',
    ],
    ['an open quotation', () => `${writeLoose(rows, ',')}\n"1,2`, 'quotation mark in row 4'],
    ['no rows', () => writeRows([]), 'has no rows below its header'],
    [
      'too many rows',
      () =>
        writeLoose(
          Array.from({ length: 10_001 }, () => rows[0] ?? {}),
          ',',
        ),
      'more than 10000 rows',
    ],
    [
      'rows of no export',
      () => writeRows([{ ...rows[0], version: 'sheet_none.1', listing_pk: '9999' }]),
      'Row 2 has an unknown or expired version; export again',
    ],
  ])('is refused with %s', async (_what, build, message) => {
    const refused = await world.refuse(build());
    expect(refused).toMatchObject({ code: 'SHEET_INVALID' });
    expect(refused.message).toContain(message);
  });

  it('refuses a duplicate row', async () => {
    const [first = {}, second = {}] = rows;
    const planned = await world.plan(writeRows([first, second, { ...first, price: '30' }]));
    expect(listIssues(planned)).toEqual([[['sheet_row_repeated', 'row 4']], []]);
  });
});

it('refuses the sheet of another account without revealing that it exists', async () => {
  const { account_id } = await world.service.app.core.accounts.create('other');
  const call = { caller: { account_id, credential: 'key', credential_id: 'x' } } as const;
  const { code, message } = await world.refuse(writeRows(rows), call);
  expect([code, message]).toEqual([
    'SHEET_INVALID',
    'sheet: 2 rows (2, 3) have an unknown or expired version; export again with batch_sheet',
  ]);
});

it('refuses uploads of another type, and any other choice alongside a sheet', async () => {
  const sheet = 'service-upload://upl_none/sheet.csv';
  expect(await world.service.refuse('batch_create', { sheet })).toMatchObject({ code: 'SHEET_INVALID' });
  const select = { listing_pks: [made.listing_pk] };
  const { code, message } = await world.service.refuse('batch_create', { sheet, select });
  expect([code, message]).toEqual(['VALIDATION_FAILED', 'sheet: cannot be combined with select']);
});

it(
  'exports no more than 10,000 rows, and reports how many there would be',
  { timeout: 120_000 },
  async () => {
    const makeVaried = (count: number) =>
      makeListing(world.service, {
        photos: 1,
        state: 'publish',
        more: {
          variations: { properties: [buildOption('Glaze', 513, count), buildOption('Rim', 514, count)] },
        },
      });
    const [large, small] = [await makeVaried(70), await makeVaried(11)];
    const input = { select: { listing_pks: [large.listing_pk, small.listing_pk] } };
    const { code, message } = await world.service.refuse('batch_sheet', input);
    expect([code, message]).toEqual([
      'BATCH_TOO_LARGE',
      'select: would need 10042 rows; a sheet can have at most 10000. Select fewer listings',
    ]);
  },
);

it('keeps each export for 30 days, and makes no more than the account may have', async () => {
  const { store } = world.service.app;
  const { account_id } = await store.accounts.createAccount('exports');
  const build = (version: string, life_ms: number) =>
    store.sheets.createSheet({ account_id, version, content: 'x', life_ms }, { sheets: 3 });
  await build('sheet_expired', 1);
  await new Promise((done) => setTimeout(done, 5));
  for (const version of ['sheet_a', 'sheet_b', 'sheet_c']) await build(version, 60_000);
  const find = (version: string) => store.sheets.findSheet(account_id, version);
  expect(await find('sheet_expired')).toBeUndefined();
  await expect(build('sheet_d', 60_000)).rejects.toThrow('the quota of sheets is used up');
  expect(await store.retention.sweepSheets(10)).toBe(1);
  expect([(await find('sheet_a'))?.version, await find('sheet_d')]).toEqual(['sheet_a', undefined]);
});

function buildOption(name: string, property_id: number, count: number) {
  return { property_id, name, values: Array.from({ length: count }, (_, at) => `${name} ${at + 1}`) };
}
