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

/* Batches that are undone completely or in part, stopped, crossed by manual edits, and planned again. */

const UP = [{ field: 'price', op: 'increase_by', value: 2, currency: 'USD' }];
const NEW = [{ field: 'title', op: 'append', value: ', new' }];
const SHELF = { 'Oak bowl': {}, 'Ash bowl': {}, mug: {} };
const all = (made) => pks(...Object.values(made));

/** A batch whose first item is being changed for a while. `done`: its answer. */
async function startSlowly({ assistant, world }, { batch_id }) {
  await world.addFault({
    operation: 'updateListingInventory',
    times: 1,
    action: { type: 'slow', ms: 600 },
  });
  const done = assistant.ask('batch_start', { batch_id });
  for (;;) {
    await world.pause(30);
    const { items } = await assistant.ask('batches_list', { batch_id, item_status: 'running' });
    if (items.length > 0) return { done };
  }
}

export default [
  {
    name: "batch: undo yesterday's price change",
    intent: { live: 3, saved: 3 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, SHELF);
      await change(assistant, { select: all(made), edits: UP }, { changed: 3 });
      await change(assistant, { select: pks(made.mug), edits: NEW }, { changed: 1 });
      // It must be found among others: the last one was about titles.
      const { batches } = await assistant.ask('batches_list', {});
      const found = [];
      for (const { batch_id } of batches) {
        const { items } = await assistant.ask('batches_list', { batch_id });
        if (items[0].diff[0].field === 'listing.price') found.push(batch_id);
      }
      const [batch_id] = found;
      await undo(assistant, { batch_id }, {}, { ok: 3 });
      await expectShelf(world, made, {
        'Oak bowl': priced(20),
        'Ash bowl': priced(20),
        mug: { prices: [20], title: 'mug, new' },
      });
    },
  },
  {
    name: "batch: undo yesterday's price change for the bowls only",
    intent: { live: 3, saved: 3 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, SHELF);
      const { batch_id } = await change(assistant, { select: all(made), edits: UP }, { changed: 3 });
      const select = { filter: { keywords: 'bowl' } };
      await expectRefused(
        assistant,
        'batch_undo',
        { batch_id, select },
        'VALIDATION_FAILED',
        'select: ',
        'listing_pks',
      );
      const { listings } = await assistant.ask('listings_list', { keywords: 'bowl' });
      const listing_pks = listings.map(({ listing_pk }) => listing_pk);
      await undo(assistant, { batch_id }, { listing_pks }, { items: 2, ok: 2 });
      const prices = { 'Oak bowl': priced(20), 'Ash bowl': priced(20) };
      await expectShelf(world, made, { ...prices, mug: priced(22) });
      // Then the rest after all: the bowls stay unchanged.
      await undo(assistant, { batch_id }, {}, { ok: 1, unchanged: 2 });
      await expectShelf(world, made, { ...prices, mug: priced(20) });
    },
  },
  {
    name: 'batch: undo for one, with its own tool, and then for all',
    intent: { live: 3, saved: 3 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, SHELF);
      const { batch_id } = await change(assistant, { select: all(made), edits: UP }, { changed: 3 });
      const { items } = await assistant.ask('batches_list', { batch_id });
      const { listing_pk, job_id } = items.find((one) => one.listing_pk === made.mug.listing_pk);
      await assistant.ask('listing_undo', { listing_pk, job_id });
      await expectShelf(world, made, { 'Oak bowl': priced(22), mug: priced(20) });
      await undo(assistant, { batch_id }, {}, { ok: 2, unchanged: 1 });
      await expectShelf(world, made, { 'Oak bowl': priced(20), mug: priced(20) });
    },
  },
  {
    name: 'batch: undo for listings that it did not change',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {}, mug: {} });
      const { batch_id } = await change(assistant, { select: pks(made.bowl), edits: UP }, { changed: 1 });
      const input = { batch_id, ...pks(made.mug) };
      const words = ['none of these listings', 'batches_list'];
      await expectRefused(assistant, 'batch_undo', input, 'NOTHING_TO_UNDO', ...words);
      await expectShelf(world, made, { bowl: priced(22), mug: priced(20) });
    },
  },
  {
    name: 'batch: undo of an undo',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {}, mug: {} });
      const done = await change(assistant, { select: all(made), edits: UP }, { changed: 2 });
      const undone = await undo(assistant, done, {}, { ok: 2 });
      // Repeating it changes nothing, and says so.
      const again = await undo(assistant, done, {}, { ok: 0, unchanged: 2 });
      expectWords(again.message, ['2 items unchanged']);
      await undo(assistant, undone, {}, { ok: 2 });
      await expectShelf(world, made, { bowl: priced(22), mug: priced(22) });
    },
  },
  {
    name: 'batch: an undo that is only a dry run',
    intent: { live: 1, saved: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {} });
      const { batch_id } = await change(assistant, { select: all(made), edits: UP }, { changed: 1 });
      const planned = await assistant.ask('batch_undo', { batch_id, dry_run: true });
      expectSame('shown', [planned.status, planned.items[0].diff[0].after], ['planned', 20]);
      await expectShelf(world, made, { bowl: priced(22) });
      await carryOut(assistant, planned, { ok: 1 });
      await expectShelf(world, made, { bowl: priced(20) });
    },
  },
  {
    name: 'batch: undo after the seller has changed one of them',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {}, mug: {} });
      const done = await change(assistant, { select: all(made), edits: NEW }, { changed: 2 });
      const { batch_id } = done;
      await world.editManually(made.bowl.listing_id, { title: 'Bowl, by hand' });
      const undone = await undo(assistant, done, {}, { ok: 1, refused: 1 });
      expectIssue(undone, 'DRIFT', ['title', 'on_drift'], made.bowl);
      await expectShelf(world, made, { bowl: { title: 'Bowl, by hand' }, mug: { title: 'mug' } });
      await undo(assistant, { batch_id }, { on_drift: 'overwrite', ...pks(made.bowl) }, { ok: 1 });
      await expectShelf(world, made, { bowl: { title: 'bowl' } });
    },
  },
  {
    name: 'batch: changed on Etsy between the plan and the yes',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {}, mug: {} });
      const planned = await plan(assistant, { select: all(made), edits: UP }, { changed: 2 });
      await world.editManually(made.bowl.listing_id, { products: [{ price: 30 }] });
      const done = await carryOut(assistant, planned, { ok: 1, error: 1 });
      const { details } = expectIssue(done, 'DRIFT', ['on_drift', 'overwrite'], made.bowl);
      expectSame('theirs', details.drift[0].theirs, 30);
      await expectShelf(world, made, { bowl: priced(30), mug: priced(22) });
      const select = { batch_id: planned.batch_id, item_status: 'error' };
      expectWords(done.message, [JSON.stringify(select.batch_id), '"error"']);
      const again = { select, edits: UP, on_drift: 'overwrite' };
      const next = await plan(assistant, again, { items: 1, changed: 1 });
      expectSame('overwrites', next.items[0].overwrites, true);
      await carryOut(assistant, next, { ok: 1, error: 0 });
      await expectShelf(world, made, { bowl: priced(32), mug: priced(22) });
    },
  },
  {
    name: 'batch: a manual edit from before, which the seller wants to keep',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {}, mug: {} });
      await world.editManually(made.bowl.listing_id, { title: 'Bowl, by hand' });
      const planned = await plan(assistant, { select: all(made), edits: NEW }, { changed: 1, refused: 1 });
      expectWords(planned.message, ['1 item refused', 'item_status refused']);
      expectIssue(planned, 'DRIFT', ['on_drift'], made.bowl);
      const done = await carryOut(assistant, planned, { ok: 1 });
      expectWords(done.message, ['1 item refused']);
      await expectShelf(world, made, { bowl: { title: 'Bowl, by hand' }, mug: { title: 'mug, new' } });
    },
  },
  {
    name: 'batch: stopped midway, and the rest later',
    intent: { live: 3, saved: 3 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, SHELF);
      const planned = await plan(assistant, { select: all(made), edits: UP }, { changed: 3 });
      const { batch_id } = planned;
      const { done } = await startSlowly({ assistant, world }, planned);
      await assistant.ask('batch_cancel', { batch_id });
      const stopped = await done;
      expectSame('status', stopped.status, 'canceled');
      expectCounts(stopped, { ok: 1, canceled: 2, error: 0 });
      expectWords(stopped.message, ['batch_create', '"canceled"', 'batch_undo']);
      const select = { batch_id, item_status: 'canceled' };
      await change(assistant, { select, edits: UP }, { items: 2, changed: 2 });
      await expectShelf(world, made, { 'Oak bowl': priced(22), 'Ash bowl': priced(22), mug: priced(22) });
    },
  },
  {
    name: 'batch: undo while it is running',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {}, mug: {} });
      const planned = await plan(assistant, { select: all(made), edits: UP }, { changed: 2 });
      const { batch_id } = planned;
      const { done } = await startSlowly({ assistant, world }, planned);
      await expectRefused(assistant, 'batch_undo', { batch_id }, 'BATCH_RUNNING', 'batch_cancel');
      await assistant.ask('batch_cancel', { batch_id });
      await done;
      await undo(assistant, { batch_id }, {}, { ok: 1 });
      await expectShelf(world, made, { bowl: priced(20), mug: priced(20) });
    },
  },
  {
    name: 'batch: gives up waiting and starts it again',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {}, mug: {} });
      const planned = await plan(assistant, { select: all(made), edits: UP }, { changed: 2 });
      const { batch_id } = planned;
      await world.addFault({
        operation: 'updateListingInventory',
        times: 1,
        action: { type: 'slow', ms: 500 },
      });
      const first = await assistant.call('batch_start', { batch_id }, { patience_ms: 150 });
      expectSame('gave up', first.gave_up, true);
      await carryOut(assistant, planned, { ok: 2, error: 0 });
      await expectShelf(world, made, { bowl: priced(22), mug: priced(22) });
    },
  },
  {
    name: 'batch: the assistant is closed midway, and opened again',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world, start }) {
      const made = await stock({ assistant, world }, { bowl: {}, mug: {} });
      const planned = await plan(assistant, { select: all(made), edits: UP }, { changed: 2 });
      const { batch_id } = planned;
      await world.addFault({
        operation: 'updateListingInventory',
        times: 1,
        action: { type: 'slow', ms: 800 },
      });
      await assistant.call('batch_start', { batch_id }, { patience_ms: 300 });
      await assistant.close();
      const again = await start();
      await carryOut(again, planned, { ok: 2, error: 0 });
      await expectShelf(world, made, { bowl: priced(22), mug: priced(22) });
    },
  },
  {
    name: 'batch: undo of a deactivation whose four months are over',
    intent: { live: 1, saved: 1, fees: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {} });
      const off = [{ field: 'state', op: 'inactive' }];
      const { batch_id } = await change(assistant, { select: all(made), edits: off }, { changed: 1 });
      await world.editManually(made.bowl.listing_id, { state: 'expired' });
      const free = await assistant.ask('batch_undo', { batch_id });
      expectCounts(free, { ok: 0 });
      await expectShelf(world, made, { bowl: { state: 'expired' } });
      const { answer } = await assistant.send('batch_undo', { batch_id, pay: true });
      expectSame('asked', [answer?.status, answer?.cost_usd], ['confirmation_required', 0.2]);
      await undo(assistant, { batch_id }, { pay: true, confirm: answer.confirm_token }, { ok: 1 });
      await expectShelf(world, made, { bowl: { state: 'active' } });
    },
  },
];
