import { expectRefused, expectSame, expectWords } from '../harness/manual.mjs';
import {
  carryOut,
  change,
  expectCounts,
  expectIssue,
  expectShelf,
  pks,
  plan,
  stock,
} from '../harness/shelf.mjs';

/*
 * Many listings are deactivated and reactivated: what is free, what costs, and that nothing is paid without a
 * yes to that sum.
 */

const ON = [{ field: 'state', op: 'active' }];
const OFF = [{ field: 'state', op: 'inactive' }];
const WINTER = { tags: ['winter'] };
const OVER = { state: 'expired' };
const state = (name) => ({ state: name });

/** Agrees to the cost of starting a plan. */
async function pay(assistant, { batch_id }, sum) {
  const { answer } = await assistant.send('batch_start', { batch_id });
  expectSame('asked', answer?.status, 'confirmation_required');
  expectWords(answer.message, [`${sum} USD`]);
  return assistant.ask('batch_start', { batch_id, confirm: answer.confirm_token });
}

export default [
  {
    name: 'batch: deactivate the winter listings',
    intent: { live: 1, saved: 3 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { scarf: WINTER, mitten: WINTER, bowl: {} });
      const select = { filter: { tag: 'winter' } };
      const wrong = { select, edits: [{ field: 'state', op: 'set', value: 'inactive' }] };
      await expectRefused(assistant, 'batch_create', wrong, 'VALIDATION_FAILED', 'edits[0].op', 'inactive');
      await change(assistant, { select, edits: OFF }, { changed: 2 });
      await expectShelf(world, made, {
        scarf: state('inactive'),
        mitten: state('inactive'),
        bowl: state('active'),
      });
    },
  },
  {
    name: 'batch: reactivate the winter listings, for free within four months',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { scarf: WINTER, mitten: WINTER });
      const select = { filter: { tag: 'winter', shop_state: 'inactive' } };
      await change(assistant, { select: { filter: { tag: 'winter' } }, edits: OFF }, { changed: 2 });
      await world.advance(30 * 86_400_000);
      const planned = await plan(assistant, { select, edits: ON }, { changed: 2 });
      expectSame('cost', planned.cost_usd, 0);
      const { answer } = await assistant.send('batch_start', { batch_id: planned.batch_id });
      expectSame('status', answer?.status, 'completed');
      await expectShelf(world, made, { scarf: state('active'), mitten: state('active') });
    },
  },
  {
    name: 'batch: renew expired listings, after the yes to the total',
    intent: { live: 3, saved: 3, fees: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: OVER, mug: OVER, vase: {} });
      const select = { filter: { shop_state: 'expired' } };
      const planned = await plan(assistant, { select, edits: ON }, { items: 2, changed: 2 });
      expectSame('cost', planned.cost_usd, 0.4);
      expectCounts(await pay(assistant, planned, '0.40'), { ok: 2, error: 0 });
      // Repeating it is the same job, and costs nothing.
      await carryOut(assistant, planned, { ok: 2 });
      await expectShelf(world, made, { bowl: state('active'), mug: state('active') });
    },
  },
  {
    name: 'batch: the seller says no to the fees',
    intent: { saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: OVER, mug: OVER });
      const { batch_id } = await plan(assistant, { select: pks(made.bowl, made.mug), edits: ON });
      const { answer } = await assistant.send('batch_start', { batch_id });
      expectSame('asked', answer?.status, 'confirmation_required');
      await assistant.ask('batch_cancel', { batch_id });
      const late = { batch_id, confirm: answer.confirm_token };
      await expectRefused(assistant, 'batch_start', late, 'BATCH_EXPIRED', 'batch_create');
      await expectShelf(world, made, { bowl: state('expired'), mug: state('expired') });
    },
  },
  {
    name: 'batch: the seller says no to the fees when asked',
    answers: [false],
    intent: { saved: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: OVER });
      const { batch_id } = await plan(assistant, { select: pks(made.bowl), edits: ON });
      await expectRefused(assistant, 'batch_start', { batch_id }, 'ACTIVATION_DECLINED');
      await expectShelf(world, made, { bowl: state('expired') });
    },
  },
  {
    name: 'batch: a free reactivation that costs a fee by the time of the yes',
    intent: { live: 2, saved: 2, fees: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: state('inactive'), mug: state('inactive') });
      const planned = await plan(assistant, { select: pks(made.bowl, made.mug), edits: ON }, { changed: 2 });
      expectSame('cost', planned.cost_usd, 0);
      await world.editManually(made.bowl.listing_id, OVER);
      const done = await carryOut(assistant, planned, { ok: 1, error: 1 });
      expectIssue(done, 'FEE_CHANGED', [], made.bowl);
      await expectShelf(world, made, { bowl: state('expired'), mug: state('active') });
      const select = { batch_id: planned.batch_id, item_status: 'error' };
      expectWords(done.message, [JSON.stringify(select.batch_id), '"error"']);
      const again = await plan(assistant, { select, edits: ON }, { items: 1, changed: 1 });
      expectCounts(await pay(assistant, again, '0.20'), { ok: 1 });
      await expectShelf(world, made, { bowl: state('active') });
    },
  },
  {
    name: 'batch: sold out, and nobody said how many are in stock',
    intent: { live: 1, saved: 1, fees: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: state('sold_out') });
      const select = pks(made.bowl);
      const planned = await plan(assistant, { select, edits: ON }, { changed: 0, refused: 1 });
      expectIssue(planned, 'stock_required', ['stock', 'how many']);
      const again = await plan(assistant, { select, edits: [{ ...ON[0], stock: 4 }] }, { changed: 1 });
      expectCounts(await pay(assistant, again, '0.20'), { ok: 1 });
      await expectShelf(world, made, { bowl: { state: 'active', stock: [4] } });
    },
  },
  {
    name: 'batch: more to renew than a day allows',
    environment: { MAX_ACTIVATIONS_PER_DAY: '1' },
    intent: { live: 1, saved: 2, fees: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: OVER, mug: OVER });
      const both = await plan(assistant, { select: pks(made.bowl, made.mug), edits: ON });
      const { batch_id } = both;
      await expectRefused(assistant, 'batch_start', { batch_id }, 'VALIDATION_FAILED', '1');
      const one = await plan(assistant, { select: pks(made.mug), edits: ON }, { changed: 1 });
      expectCounts(await pay(assistant, one, '0.20'), { ok: 1 });
      await expectShelf(world, made, { bowl: state('expired'), mug: state('active') });
    },
  },
  {
    name: 'batch: a yes to one plan, given to another',
    intent: { saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: OVER, mug: OVER });
      const one = await plan(assistant, { select: pks(made.bowl), edits: ON });
      const both = await plan(assistant, { select: pks(made.bowl, made.mug), edits: ON });
      const { answer } = await assistant.send('batch_start', { batch_id: one.batch_id });
      const { confirm_token: confirm } = answer;
      const input = { batch_id: both.batch_id, confirm };
      await expectRefused(assistant, 'batch_start', input, 'VALIDATION_FAILED', 'confirm: ');
      await expectShelf(world, made, { bowl: state('expired'), mug: state('expired') });
    },
  },
];
