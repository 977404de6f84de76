import { expectRefused, expectSame, expectWords } from '../harness/manual.mjs';
import {
  carryOut,
  change,
  expectCounts,
  expectIssue,
  expectShelf,
  pks,
  plan,
  priced,
  stock,
  undo,
} from '../harness/shelf.mjs';
import { exportSheet, fill, readSheet, saveSheet, uploadSheet } from '../harness/sheet.mjs';

/* Sellers who edit their listings in a spreadsheet program. */

const all = (made) => pks(...Object.values(made));
const tags = (...words) => ({ tags: words });

export default [
  {
    name: 'batch: prices in a spreadsheet, and a piece is sold in the meantime',
    intent: { live: 3, saved: 3 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {}, mug: {}, vase: {} });
      const sheet = await exportSheet(assistant, all(made));
      await world.sell(made.mug.listing_id, 2);
      const rows = fill(sheet.rows, { bowl: { price: '24' }, mug: { price: '19.5' } });
      const url = await uploadSheet(assistant, { ...sheet, rows });
      const planned = await plan(assistant, { sheet: url }, { changed: 2, unchanged: 1, refused: 0 });
      const done = await carryOut(assistant, planned, { ok: 2, error: 0 });
      await expectShelf(world, made, {
        bowl: { prices: [24], stock: [5] },
        mug: { prices: [19.5], stock: [3] },
        vase: priced(20),
      });
      await undo(assistant, done, {}, { ok: 2 });
      await expectShelf(world, made, { bowl: priced(20), mug: { prices: [20], stock: [3] } });
    },
  },
  {
    name: 'batch: a spreadsheet with semicolons and decimal commas that mistook SKUs for numbers',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {}, mug: {} });
      for (const [name, sku] of [
        ['bowl', '00123'],
        ['mug', '1E5'],
      ]) {
        const { listing_id, shop_id } = made[name];
        await world.editManually(listing_id, { products: [{ sku_new: sku }] });
        await assistant.ask('listing_import', { shop_id, listing_ids: [listing_id] });
      }
      const sheet = await exportSheet(assistant, all(made));
      const saved = { delimiter: ';', decimal: ',', bom: true };
      const converted = fill(sheet.rows, {
        bowl: { price: '21.9', sku: '123' },
        mug: { price: '22.9', sku: '100000' },
      });
      const wrong = await uploadSheet(assistant, { ...sheet, rows: converted }, saved);
      const refused = await plan(assistant, { sheet: wrong }, { changed: 0, refused: 2 });
      expectIssue(refused, 'sheet_sku_converted', ['row 2, sku', '00123', 'XLSX']);
      // The seller meant only the prices.
      const rows = converted.map((row) => ({ ...row, sku: '' }));
      const url = await uploadSheet(assistant, { ...sheet, rows }, saved);
      await change(assistant, { sheet: url }, { changed: 2 });
      await expectShelf(world, made, {
        bowl: { offers: { '00123': { price: 21.9, quantity: 5 } } },
        mug: { offers: { '1E5': { price: 22.9, quantity: 5 } } },
      });
    },
  },
  {
    name: 'batch: a spreadsheet with an extra column, a total, and removed tags',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: tags('bowl', 'gift'), mug: tags('mug') });
      const sheet = await exportSheet(assistant, all(made));
      const header = [...sheet.header, 'Margin'];
      const nothing = await plan(
        assistant,
        { sheet: await uploadSheet(assistant, { ...sheet, header }) },
        { changed: 0, unchanged: 2 },
      );
      expectWords(nothing.warnings[0].reason, ['"margin"']);
      const summed = fill(sheet.rows, { bowl: { tags: '[clear]' }, mug: { price: '=20*1.1' } });
      const first = await uploadSheet(assistant, { ...sheet, header, rows: summed });
      const planned = await plan(assistant, { sheet: first }, { changed: 1, refused: 1 });
      expectIssue(planned, 'sheet_formula', ['row 3, price', 'formula'], made.mug);
      const rows = fill(sheet.rows, { bowl: { tags: '[clear]', title: '' }, mug: { price: '22' } });
      const url = await uploadSheet(assistant, { ...sheet, header, rows });
      await change(assistant, { sheet: url }, { changed: 2 });
      await expectShelf(world, made, {
        bowl: { tags: [], title: 'bowl' },
        mug: { tags: ['mug'], prices: [22] },
      });
    },
  },
  {
    name: 'batch: a spreadsheet from another computer, over its one-time address',
    face: 'http',
    intent: { live: 1, saved: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {} });
      const { download_url } = await assistant.ask('batch_sheet', { select: all(made), format: 'csv' });
      const download = await fetch(download_url);
      const sheet = readSheet(await download.text());
      expectSame('second download', (await fetch(download_url)).status, 404);
      const rows = fill(sheet.rows, { bowl: { title: 'Bowl, new', quantity: '9' } });
      const file = Buffer.from(saveSheet({ ...sheet, rows })).toString('base64');
      const input = { type: 'sheet', file, filename: 'edited.csv' };
      const { url } = await assistant.ask('file_upload', input);
      await expectRefused(
        assistant,
        'batch_create',
        { sheet: url, select: all(made) },
        'VALIDATION_FAILED',
        'sheet: ',
        'select',
      );
      const planned = await plan(assistant, { sheet: url }, { changed: 1 });
      await carryOut(assistant, planned, { ok: 1, error: 0 });
      await expectShelf(world, made, { bowl: { title: 'Bowl, new', stock: [9] } });
    },
  },
  {
    name: 'batch: more stock by a spreadsheet, and some were sold since',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {}, mug: {} });
      const sheet = await exportSheet(assistant, all(made));
      await world.sell(made.bowl.listing_id, 1);
      const rows = sheet.rows.map((row) => ({ ...row, quantity: '10' }));
      const url = await uploadSheet(assistant, { ...sheet, rows });
      const planned = await plan(assistant, { sheet: url }, { changed: 1, refused: 1 });
      expectIssue(planned, 'sheet_quantity_moved', ['5', '4', 'export again'], made.bowl);
      const done = await carryOut(assistant, planned, { ok: 1 });
      expectCounts(done, { refused: 1 });
      await expectShelf(world, made, { bowl: { stock: [4] }, mug: { stock: [10] } });
    },
  },
];
