import { expectRefused, expectSame } from '../harness/manual.mjs';
import { carryOut, change, expectShelf, listShops, pks, plan, priced, stock } from '../harness/shelf.mjs';

/* Invalid requests for batches: nothing more is changed than intended, and the answer helps. */

const UP = [{ field: 'price', op: 'increase_by', value: 2, currency: 'USD' }];

const endingBefore = (ends_before) => ({ select: { filter: { ends_before } }, edits: UP });

export default [
  {
    name: 'batch: a shop without imported listings',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const [shop_id] = await listShops(assistant);
      const named = (title) => world.makeManually(shop_id, { is_plain: true, title });
      const made = {
        bowl: { listing_id: await named('Turquoise bowl') },
        mug: { listing_id: await named('Turquoise mug') },
      };
      const input = { select: { filter: { keywords: 'turquoise' } }, edits: UP };
      await expectRefused(assistant, 'batch_create', input, 'VALIDATION_FAILED', 'listing_import');
      const { listings } = await assistant.ask('store_listings', { shop_id, keywords: 'turquoise' });
      const listing_ids = listings.map(({ listing_id }) => listing_id);
      await assistant.ask('listing_import', { shop_id, listing_ids });
      await change(assistant, input, { changed: 2 });
      await expectShelf(world, made, { bowl: priced(22), mug: priced(22) });
    },
  },
  {
    name: 'batch: words that no listing has',
    intent: { live: 1, saved: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { 'Turquoise bowl': {} });
      const input = { select: { filter: { keywords: 'blue' } }, edits: UP };
      await expectRefused(assistant, 'batch_create', input, 'VALIDATION_FAILED', 'listings_list');
      const { listings } = await assistant.ask('listings_list', {});
      await change(assistant, { select: pks(...listings), edits: UP }, { changed: 1 });
      await expectShelf(world, made, { 'Turquoise bowl': priced(22) });
    },
  },
  {
    name: 'batch: a filter and its words in the wrong places',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: { tags: ['gift'] }, mug: {} });
      const refuse = (input, ...words) =>
        expectRefused(assistant, 'batch_create', { ...input, edits: UP }, 'VALIDATION_FAILED', ...words);
      await refuse({ filter: { tag: 'gift' } }, 'filter: ', 'select.filter');
      await refuse({ select: { tag: 'gift' } }, 'select.tag: ', 'select.filter.tag');
      await refuse({ select: { filter: { tags: 'gift' } } }, 'select.filter.tags: ', '"tag"');
      await refuse({ listing_pks: [1] }, 'listing_pks: ', 'select.listing_pks');
      await refuse({ select: {} }, 'select: ', 'listing_pks, batch_id, filter');
      await change(assistant, { select: { filter: { tag: 'gift' } }, edits: UP }, { changed: 1 });
      await expectShelf(world, made, { bowl: priced(22), mug: priced(20) });
    },
  },
  {
    name: 'batch: only in one shop, under another key',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const { bowl } = await stock({ assistant, world }, { bowl: {} });
      const { bag } = await stock({ assistant, world }, { bag: {} }, { shop: 1 });
      const edits = [{ field: 'price', op: 'increase_percent', value: 10 }];
      const input = { select: { filter: {} }, edits };
      const shop_ids = [bag.shop_id];
      const wrong = { ...input, shop_ids };
      await expectRefused(assistant, 'batch_create', wrong, 'VALIDATION_FAILED', 'shop_ids: ', '"shops"');
      await change(assistant, { ...input, shops: shop_ids }, { items: 1, changed: 1 });
      await expectShelf(world, { bowl, bag }, { bowl: priced(20), bag: priced(22) });
    },
  },
  {
    name: 'batch: a dry run first, and then only some',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {}, mug: {} });
      const input = { select: pks(made.bowl, made.mug), edits: UP };
      const { batch_id } = await plan(assistant, input, { changed: 2 });
      const refuse = (more, word) =>
        expectRefused(assistant, 'batch_start', { batch_id, ...more }, 'VALIDATION_FAILED', word);
      await refuse({ dry_run: true }, 'dry_run: ');
      await refuse(pks(made.mug), 'listing_pks: ');
      await expectShelf(world, made, { bowl: priced(20), mug: priced(20) });
      await change(assistant, { select: pks(made.mug), edits: UP }, { changed: 1 });
      await expectShelf(world, made, { bowl: priced(20), mug: priced(22) });
    },
  },
  {
    name: "batch: the job's id in place of the batch's",
    intent: { live: 1, saved: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {} });
      const { job_id } = await plan(assistant, { select: pks(made.bowl), edits: UP });
      const input = { batch_id: job_id };
      await expectRefused(assistant, 'batch_start', input, 'BATCH_NOT_FOUND', 'batches_list');
      const { batches } = await assistant.ask('batches_list', {});
      await carryOut(assistant, batches[0], { ok: 1 });
      await expectShelf(world, made, { bowl: priced(22) });
    },
  },
  {
    name: "batch: the marketplace's ids in place of ours",
    intent: { live: 1, saved: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {} });
      const input = { select: { listing_pks: [made.bowl.listing_id] }, edits: UP };
      const words = ['select.listing_pks[0]', 'listings_list'];
      await expectRefused(assistant, 'batch_create', input, 'VALIDATION_FAILED', ...words);
      const { listings } = await assistant.ask('listings_list', { keywords: 'bowl' });
      await change(assistant, { select: pks(...listings), edits: UP }, { changed: 1 });
      await expectShelf(world, made, { bowl: priced(22) });
    },
  },
  {
    name: 'batch: more than 1,000 listings',
    intent: { live: 1, saved: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {} });
      const listing_pks = Array.from({ length: 1_001 }, (_, index) => index + 1);
      const input = { select: { listing_pks }, edits: UP };
      const words = ['select.listing_pks', '1000'];
      await expectRefused(assistant, 'batch_create', input, 'VALIDATION_FAILED', ...words);
      await change(assistant, { select: { filter: {} }, edits: UP }, { changed: 1 });
      await expectShelf(world, made, { bowl: priced(22) });
    },
  },
  {
    name: 'batch: listings that end next month, in words and then as a date',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const soon = { ends_at_epoch_s: Math.floor(Date.now() / 1000) + 10 * 86_400 };
      const made = await stock({ assistant, world }, { bowl: soon, mug: {} });
      const words = ['select.filter.ends_before', 'a date'];
      await expectRefused(
        assistant,
        'batch_create',
        endingBefore('next month'),
        'VALIDATION_FAILED',
        ...words,
      );
      const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
      await change(assistant, endingBefore(date), { items: 1, changed: 1 });
      await expectShelf(world, made, { bowl: priced(22), mug: priced(20) });
    },
  },
  {
    name: 'batch: listings in a shop section, by its name',
    intent: { live: 3, saved: 3 },
    async run({ assistant, world }) {
      const mugs = { shop_section_id: 40118201 };
      const made = await stock(
        { assistant, world },
        { mug: mugs, cup: mugs, vase: { shop_section_id: 40118204 } },
      );
      const filter = { section: 'mugs', currency: 'USD' };
      await change(assistant, { select: { filter }, edits: UP }, { items: 2, changed: 2 });
      await expectShelf(world, made, { mug: priced(22), cup: priced(22), vase: priced(20) });
    },
  },
  {
    name: 'batch: a plan that was dropped',
    intent: { live: 1, saved: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {} });
      const input = { select: pks(made.bowl), edits: UP };
      const { batch_id } = await plan(assistant, input);
      const dropped = await assistant.ask('batch_cancel', { batch_id });
      expectSame('status', dropped.status, 'canceled');
      await expectRefused(assistant, 'batch_start', { batch_id }, 'BATCH_EXPIRED', 'batch_create');
      await expectShelf(world, made, { bowl: priced(20) });
      await change(assistant, input, { changed: 1 });
      await expectShelf(world, made, { bowl: priced(22) });
    },
  },
  {
    name: 'batch: planned and started twice, with one key',
    intent: { live: 1, saved: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {} });
      const input = { select: pks(made.bowl), edits: UP, idempotency_key: 'prices' };
      const first = await change(assistant, input, { changed: 1 });
      const { answer } = await assistant.send('batch_create', input);
      expectSame('the same', [answer?.batch_id, answer?.status], [first.batch_id, 'completed']);
      const other = { ...input, edits: [{ ...UP[0], value: 5 }] };
      await expectRefused(assistant, 'batch_create', other, 'IDEMPOTENCY_KEY_REUSED');
      await expectShelf(world, made, { bowl: priced(22) });
    },
  },
  {
    name: 'batch: a read-only server',
    environment: { READ_ONLY: 'on' },
    intent: {},
    async run({ assistant }) {
      const tools = await assistant.listTools();
      expectSame('lists', tools.includes('batches_list'), true);
      const writing = tools.filter((name) => /^batch_(create|start|cancel|undo)$/.test(name));
      expectSame('writes', writing, []);
      const { error } = await assistant.send('batch_create', { select: { filter: {} }, edits: UP });
      expectSame('refused', error !== undefined, true);
    },
  },
];
