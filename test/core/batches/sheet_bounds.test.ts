import { beforeAll, describe, expect, it } from 'vitest';
import { COLUMNS } from '../../../src/core/batches/sheets/columns.js';
import { compareGroup, readUploaded } from '../../../src/core/batches/sheets/compare.js';
import { readCsv, writeCsv } from '../../../src/core/batches/sheets/csv.js';
import { pack, unpack } from '../../../src/core/batches/sheets/pack.js';
import { readSheet } from '../../../src/core/batches/sheets/read_sheet.js';
import { writeZip } from '../../../src/core/batches/sheets/zip.js';

/* The cost of a hostile file. */

const relate = (id: string, target: string) => `<Relationship Id="${id}" Type="${id}" Target="${target}"/>`;

/** A workbook in which each row has `columns` cells with one shared text. */
function shareText(text: string, rows: number, columns: number): Promise<Buffer> {
  const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(columns)}</row>`;
  return writeZip([
    ['xl/workbook.xml', '<workbook><sheet r:id="/worksheet"/></workbook>'],
    [
      'xl/_rels/workbook.xml.rels',
      `<a>${relate('/worksheet', 'sheet.xml')}${relate('/sharedStrings', 'strings.xml')}</a>`,
    ],
    ['xl/sheet.xml', `<sheetData>${row.repeat(rows)}</sheetData>`],
    ['xl/strings.xml', `<sst><si><t>${text}</t></si></sst>`],
  ]);
}

const buildBlank = (rows: number) => Buffer.from(`listing_pk,version\n${'\n'.repeat(rows)}1,2\n`);

describe('an uploaded sheet', () => {
  it('accepts the longest cell of a workbook, and refuses a longer one', async () => {
    expect(await readSheet(await shareText('x'.repeat(32_767), 2, 1))).toMatchObject({ is: 'xlsx' });
    const escaped = `${'x'.repeat(32_766)}_x000D__x000D_`;
    for (const text of ['x'.repeat(32_768), escaped, 'x'.repeat(5_000_000)]) {
      expect(await readSheet(await shareText(text, 10, 1))).toEqual({
        code: 'sheet_cell_too_long',
        params: { row: 1, most: 32_767 },
      });
    }
  });

  it('is refused if the cells of a workbook repeat one text too often', async () => {
    const bytes = await shareText('x'.repeat(30_000), 10, 400);
    expect(await readSheet(bytes)).toEqual({ code: 'sheet_chars_over', params: {} });
  });

  it.each([
    ['plain', 'x'.repeat(262_145)],
    ['quoted', `"${'x'.repeat(262_145)}"`],
    ['quotation marks', `"${'""'.repeat(262_145)}"`],
  ])('is refused if a cell of a CSV file has too much text: %s', async (_what, cell) => {
    expect(await readSheet(Buffer.from(`listing_pk,version\n1,2\n1,${cell}\n`))).toEqual({
      code: 'sheet_cell_too_long',
      params: { row: 3, most: 262_144 },
    });
  });

  it('skips the blank rows of a CSV file, and is refused with over 100,000 of them', async () => {
    expect(await readSheet(buildBlank(50_000))).toMatchObject({ table: [{ row: 1 }, { row: 50_002 }] });
    expect(await readSheet(buildBlank(100_000))).toMatchObject({ code: 'sheet_rows_over' });
  });

  it('is quoted in messages with at most 80 characters of a cell or column', () => {
    const long = 'x'.repeat(10_000);
    const row = (name: string) => COLUMNS.map((column) => (column === name ? long : '1'));
    const uploaded = readUploaded([
      { row: 1, cells: [...COLUMNS, long] },
      { row: 2, cells: row('shop') },
      { row: 3, cells: row('price') },
    ]);
    if ('code' in uploaded) throw new Error(uploaded.code);
    const cut = `${'x'.repeat(80)}…`;
    expect(uploaded.ignored).toEqual([cut]);
    const rows = uploaded.rows.map((given) => ({ given, exported: COLUMNS.map(() => '1') }));
    expect(compareGroup({ listing_pk: 1, shop_id: 1, rows }, uploaded, 'csv').issues).toMatchObject([
      { code: 'sheet_identity_edited', params: { given: cut } },
      { code: 'sheet_value_wrong', params: { given: cut } },
    ]);
  });
});

it('refuses a cell with endless accents, without normalizing it', () => {
  const stacked = `a${'\u0315\u0316'.repeat(8_000)}`;
  const uploaded = readUploaded([
    { row: 1, cells: COLUMNS },
    { row: 2, cells: COLUMNS.map(() => stacked) },
  ]);
  if ('code' in uploaded) throw new Error(uploaded.code);
  const rows = uploaded.rows.map((given) => ({ given, exported: COLUMNS.map(() => '1') }));
  const { issues } = compareGroup({ listing_pk: 1, shop_id: 1, rows }, uploaded, 'csv');
  expect(issues).toContainEqual({
    code: 'sheet_value_wrong',
    at: 'row 2, title',
    params: { given: expect.any(String) as string, expected: 'text without stacked accents' },
  });
});

describe('a sheet of 10,000 rows', () => {
  const rows = Array.from({ length: 10_000 }, (_, at) => COLUMNS.map(() => `text ${at}\u2028\n"é"`));
  let packed: string;
  beforeAll(async () => {
    packed = await pack(rows);
  });

  it('is unpacked completely, or only as far as rows are requested', async () => {
    expect([...(await unpack(packed, () => true)).values()]).toEqual(rows);
    const some = await unpack(packed, (index) => index === 3 || index === 9_999);
    expect([...some]).toEqual([
      [3, rows[3]],
      [9_999, rows[9_999]],
    ]);
  });

  it.each([
    ['written as CSV', () => writeCsv(rows)],
    ['read from CSV', () => readCsv('a,b\n'.repeat(9_999) + 'c,'.repeat(400_000), () => true)],
  ])('yields to other work while it is %s', async (_what, run) => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await run();
    clearImmediate(next);
    expect(turns).toBeGreaterThan(5);
  });
});
