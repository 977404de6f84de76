import { expectRefused, expectSame, importManual, readListing } from '../harness/manual.mjs';
import { prepareMug } from '../harness/mug.mjs';
import { change, expectShelf, pks, plan, priced, stock } from '../harness/shelf.mjs';

/*
 * Prices of many listings, in the words of sellers: by an amount, by a percentage, rounded, of some, in two
 * currencies.
 */

const UP = { field: 'price', op: 'increase_by', value: 2 };
const TEN = { field: 'price', op: 'increase_percent', value: 10 };

/** 19.37 plus ten percent is 21.307. */
const ROUNDED = [
  ['0.01', 21.31],
  ['0.05', 21.3],
  ['0.10', 21.3],
  ['1', 21],
  ['x.90', 20.9],
  ['x.95', 20.95],
  ['x.99', 20.99],
];

const changeWinter = (value) => ({ select: { filter: { tag: 'Winter' } }, edits: [{ ...TEN, value }] });
const withSku = (sku_new) => ({ products: [{ sku_new }] });
const costing = (price) => ({ products: [{ price }] });

export default [
  {
    name: 'batch: everything blue 2 dollars up',
    intent: { live: 3, saved: 3 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { 'Blue bowl': {}, 'Blue mug': {}, 'Red mug': {} });
      const input = { select: { filter: { keywords: 'blue' } }, edits: [UP] };
      // All blue listings are in shops of one currency, so none has to be named.
      await change(assistant, input, { changed: 2 });
      await expectShelf(world, made, {
        'Blue bowl': priced(22),
        'Blue mug': priced(22),
        'Red mug': priced(20),
      });
    },
  },
  {
    name: 'batch: ten percent more, rounded to x.90, for all sizes',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const mug = await importManual({ assistant, world });
      const { bowl } = await stock({ assistant, world }, { bowl: {} });
      const edits = [{ ...TEN, round_to: 'x.90' }];
      await change(assistant, { select: pks(mug, bowl), edits }, { changed: 2 });
      const made = { mug, bowl };
      const sizes = [21.9, 22.9, 23.9];
      await expectShelf(world, made, { mug: priced(...sizes, ...sizes), bowl: priced(21.9) });
    },
  },
  {
    name: 'batch: each way to round, before one is chosen',
    intent: { live: 1, saved: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: { products: [{ price: 19.37 }] } });
      const shown = [];
      for (const [round_to] of ROUNDED) {
        const edits = [{ ...TEN, round_to }];
        const { items } = await plan(assistant, { select: pks(made.bowl), edits }, { changed: 1 });
        shown.push([round_to, items[0].diff[0].after]);
      }
      expectSame('prices', shown, ROUNDED);
      await expectShelf(world, made, { bowl: priced(19.37) });
    },
  },
  {
    name: 'batch: fifteen percent off, with its sign',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: { tags: ['winter'] }, mug: {} });
      const words = ['edits[0].value', 'a number, such as'];
      await expectRefused(assistant, 'batch_create', changeWinter('-15%'), 'VALIDATION_FAILED', ...words);
      await change(assistant, changeWinter('-15'), { changed: 1 });
      await expectShelf(world, made, { bowl: priced(17), mug: priced(20) });
    },
  },
  {
    name: 'batch: one price for every size',
    intent: { live: 1, saved: 1 },
    async run({ assistant, world }) {
      const mug = await importManual({ assistant, world });
      const edits = [{ field: 'price', op: 'set', value: 24, currency: 'USD' }];
      await change(assistant, { select: pks(mug), edits }, { changed: 1 });
      await expectShelf(world, { mug }, { mug: priced(24, 24, 24, 24, 24, 24) });
    },
  },
  {
    name: 'batch: three dollars more for the large ones',
    intent: { live: 1, saved: 1 },
    async run({ assistant, world }) {
      const mug = await importManual({ assistant, world });
      const input = (where) => ({
        select: pks(mug),
        edits: [{ ...UP, value: 3, currency: 'USD', where }],
      });
      const words = ['edits[0].where.size', 'options'];
      await expectRefused(assistant, 'batch_create', input({ size: 'Large' }), 'VALIDATION_FAILED', ...words);
      await change(assistant, input({ options: { size: 'large' } }), { changed: 1 });
      await expectShelf(world, { mug }, { mug: priced(20, 21, 25, 20, 21, 25) });
    },
  },
  {
    name: 'batch: only SKUs with the same prefix',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: withSku('BWL-1'), mug: withSku('CUP-1') });
      const select = { filter: { sku_prefix: 'BWL-' } };
      await change(assistant, { select, edits: [{ ...TEN, where: { sku_prefix: 'BWL' } }] }, { items: 1 });
      const none = { select: pks(made.mug), edits: [{ ...TEN, where: { sku: 'BWL-1' } }] };
      await plan(assistant, none, { changed: 0, unchanged: 1 });
      await expectShelf(world, made, { bowl: priced(22), mug: priced(20) });
    },
  },
  {
    name: 'batch: 2 dollars here and 1.50 euros there',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const { bowl } = await stock({ assistant, world }, { bowl: {} });
      const { bag } = await stock({ assistant, world }, { bag: {} }, { shop: 1 });
      const edits = [
        { ...UP, currency: '$' },
        { ...UP, value: 1.5, currency: 'EUR' },
      ];
      const input = { select: pks(bowl, bag), edits };
      const words = ['edits[0].currency', 'USD, EUR'];
      await expectRefused(assistant, 'batch_create', input, 'VALIDATION_FAILED', ...words);
      edits[0].currency = 'USD';
      await change(assistant, input, { changed: 2 });
      await expectShelf(world, { bowl, bag }, { bowl: priced(22), bag: priced(21.5) });
    },
  },
  {
    name: 'batch: ten percent more where one shop has its own price',
    intent: { drafts: 2, saved: 1, duplicates: 0 },
    async run({ assistant, world }) {
      const request = await prepareMug(assistant, { shops: 2, state: 'publish' });
      request.shops[1].price = 30;
      const { listing_pk, results } = await assistant.ask('listing_create', request);
      const select = { listing_pks: [listing_pk] };
      await change(assistant, { select, edits: [{ ...TEN, round_to: '0.10' }] }, { items: 2, changed: 2 });
      const prices = [];
      for (const { listing_id } of results) prices.push((await readListing(world, listing_id)).prices);
      // 26.95 is in the middle, and rounds up.
      expectSame('prices', prices, [[27], [33]]);
    },
  },
  {
    name: 'batch: a rounding as a number, and one that no currency has',
    intent: { live: 1, saved: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {} });
      const input = (round_to) => ({ select: pks(made.bowl), edits: [{ ...TEN, value: '7', round_to }] });
      const refuse = (round_to, ...words) =>
        expectRefused(assistant, 'batch_create', input(round_to), 'VALIDATION_FAILED', ...words);
      await refuse(0.05, 'edits[0].round_to', 'string');
      await refuse('.99', 'edits[0].round_to', 'x.99');
      await refuse('100', 'edits[0].round_to', 'x.99', 'USD');
      await change(assistant, input('x.99'), { changed: 1 });
      await expectShelf(world, made, { bowl: priced(20.99) });
    },
  },
  {
    name: 'batch: prices from 15 to 25, under other keys',
    intent: { live: 3, saved: 3 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { spoon: costing(9), bowl: {}, vase: costing(60) });
      const edits = [{ ...UP, currency: 'USD' }];
      const input = (filter) => ({ select: { filter }, edits });
      await expectRefused(
        assistant,
        'batch_create',
        input({ min_price: 15, max_price: 25 }),
        'VALIDATION_FAILED',
        'select.filter.min_price',
        '"price_min"',
        '"price_max"',
      );
      await change(assistant, input({ price_min: 15, price_max: 25, currency: 'USD' }), { items: 1 });
      await expectShelf(world, made, { spoon: priced(9), bowl: priced(22), vase: priced(60) });
    },
  },
];
