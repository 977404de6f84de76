import { execFile, execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COLUMNS } from '../../../src/core/batches/sheets/columns.js';
import { makeListing, type Made } from '../listings/update/rig.js';
import {
  listDiffs,
  listIssues,
  readRows,
  set,
  startSheets,
  writeRows,
  type SheetWorld,
} from './sheet_world.js';

/* Sheets as LibreOffice opens and saves them. Skipped if it is not installed. */

const hasLibreOffice = findLibreOffice();

function findLibreOffice(): boolean {
  try {
    execFileSync('soffice', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const COMMA = 44;
const SEMICOLON = 59;
const UTF8 = 76;
/** Tokens of LibreOffice's CSV filter: with detection of numbers and dates, as when a person opens the file. */
const openCsv = (delimiter: number) => `--infilter=CSV:${delimiter},34,${UTF8},1,,0,false,true`;
const saveCsv = (delimiter: number) =>
  `csv:Text - txt - csv (StarCalc):${delimiter},34,${UTF8},1,,0,false,true`;

let world: SheetWorld;
let plain: Made;
let glazed: Made;
beforeAll(async () => {
  if (!hasLibreOffice) return;
  world = await startSheets();
  plain = await makeListing(world.service, {
    photos: 1,
    listing: {
      price: 20,
      sku: '00123',
      title: '-1 Mug',
      tags: ['mug', 'clay'],
      description: 'One\n\nTwo, "three"; four',
    },
  });
  glazed = await makeListing(world.service, {
    photos: 1,
    more: {
      variations: {
        properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
        offerings: [
          { glaze: 'White', price: 20.5, quantity: 3, sku: '1-2' },
          { glaze: 'Ochre', price: 22, quantity: 4, sku: '1E5' },
        ],
      },
    },
  });
}, 60_000);
afterAll(async () => {
  if (hasLibreOffice) await world.close();
});

/** Opens a file and saves it in another format. */
async function convert(bytes: Buffer, from: string, to: string, extension: string, ...flags: string[]) {
  const name = `sheet-${Math.random().toString(36).slice(2)}`;
  const source = join(world.folder, `${name}.${from}`);
  const out = join(world.folder, 'out');
  await writeFile(source, bytes);
  const profile = `-env:UserInstallation=file://${join(world.folder, 'profile')}`;
  await promisify(execFile)('soffice', [
    profile,
    '--headless',
    ...flags,
    '--convert-to',
    to,
    '--outdir',
    out,
    source,
  ]);
  return readFile(join(out, `${name}.${extension}`));
}

describe.skipIf(!hasLibreOffice)('a sheet saved by LibreOffice', { timeout: 180_000 }, () => {
  it.each(['xlsx', 'ods'])('plans nothing as a workbook (%s) that was not edited', async (format) => {
    let saved = await convert(await world.exportSheet([plain, glazed], 'xlsx'), 'xlsx', format, format);
    if (format === 'ods') saved = await convert(saved, 'ods', 'xlsx', 'xlsx');
    const { counts } = await world.plan(saved);
    expect(counts).toMatchObject({ unchanged: 4, changed: 0, refused: 0 });
  });

  it('keeps the edits made in a workbook', async () => {
    const rows = await world.exportRows(plain, glazed);
    // A seller's edits in the program, which opens a CSV file and saves a workbook.
    const edited = await convert(
      await writeRows(set(rows, 'price', (price, { option_1 }) => (option_1 === '' ? '26.90' : price))),
      'csv',
      'xlsx',
      'xlsx',
      `--infilter=CSV:${COMMA},34,${UTF8},1,${COLUMNS.map((_, at) => `${at + 1}/2`).join('/')}`,
    );
    const planned = await world.plan(edited);
    expect(listDiffs(planned)).toEqual([
      [['listing.price', 20, 26.9]],
      [['listing.price', 20, 26.9]],
      [],
      [],
    ]);
  });

  it('is refused as CSV with semicolons for SKUs that were turned into numbers and dates', async () => {
    const saved = await convert(
      await world.exportSheet([plain, glazed]),
      'csv',
      saveCsv(SEMICOLON),
      'csv',
      openCsv(COMMA),
    );
    expect(saved.toString()).toContain(';');
    const planned = await world.plan(saved);
    expect(planned.counts).toMatchObject({ refused: 4, changed: 0 });
    expect(
      new Set(
        listIssues(planned)
          .flat()
          .map(([code]) => code),
      ),
    ).toEqual(new Set(['sheet_sku_converted']));
  });

  it('plans prices with decimal commas, blanks and [clear] as intended from CSV', async () => {
    const rows = await world.exportRows(plain);
    const edited = rows.map((row) => ({
      ...row,
      sku: '',
      title: '',
      price: '26,90',
      tags: '[clear]',
    }));
    const text = `--infilter=CSV:${COMMA},34,${UTF8},1,${COLUMNS.map((_, at) => `${at + 1}/2`).join('/')}`;
    const saved = await convert(await writeRows(edited), 'csv', saveCsv(SEMICOLON), 'csv', text);
    expect((await readRows(saved))[0]).toMatchObject({ price: '26,90' });
    for (const bytes of [saved, Buffer.concat([Buffer.from('\ufeff'), saved])]) {
      const planned = await world.plan(bytes);
      expect(listDiffs(planned)[0]).toEqual([
        ['listing.tags', ['mug', 'clay'], []],
        ['listing.price', 20, 26.9],
      ]);
    }
  });

  it('is refused if it contains a formula', async () => {
    const rows = await world.exportRows(plain);
    const [first = {}, second = {}] = rows;
    const columns = COLUMNS.indexOf('price');
    const csv = await writeRows([{ ...first, price: '=10+13' }, second]);
    const formula = `--infilter=CSV:${COMMA},34,${UTF8},1,${COLUMNS.map((_, at) => `${at + 1}/${at === columns ? 1 : 2}`).join('/')},0,false,false,false,false,false,-1,true`;
    const saved = await convert(csv, 'csv', 'xlsx', 'xlsx', formula);
    const planned = await world.plan(saved);
    expect(listIssues(planned)).toEqual([[['sheet_formula', 'row 2, price']], []]);
  });
});
