import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ORDER_CHANGES, type OrderChange } from '../../../src/core/orders/changes.js';
import { IS_WHOLE } from '../../whole.js';
import { CLAY, Crash, openOrderRig, subscribe, type OrderRig } from './rig.js';

const RUNS = IS_WHOLE ? 20 : 5;
/** Orders that are there before a run begins. */
const FIRST_ORDERS = 3;
const MINUTE_MS = 60_000;

/** What may follow what in the life of an order; it begins unpaid. */
const NEXT: Record<'placed' | OrderChange, readonly OrderChange[]> = {
  placed: ['paid', 'canceled'],
  paid: ['shipped', 'canceled'],
  shipped: ['delivered', 'canceled'],
  delivered: [],
  canceled: [],
};

type Action =
  | { kind: 'place' }
  | { kind: 'change'; order: number; choice: number }
  | { kind: 'message'; order: number; choice: number; is_repeated: boolean }
  | { kind: 'poll'; is_double: boolean }
  | { kind: 'wait'; minutes: number };

/** `crash`: at which of the named points that it comes to the process stops; 0 for at none. */
type Step = Action & { crash: number };

const order = fc.nat(5);
const choice = fc.nat(3);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ kind: 'place' as const }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('change' as const), order, choice }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('message' as const), order, choice, is_repeated: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('poll' as const), is_double: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.nat(300) }) },
);
const crash = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 12 }));
const steps = fc.array(
  fc.tuple(action, crash).map(([step, end]): Step => ({ ...step, crash: end })),
  { minLength: 15, maxLength: 30 },
);

type Order = { receipt_id: number; history: OrderChange[] };

describe('any history of orders, by looks and by messages', () => {
  it('each change is one event, in order, though processes stop anywhere', { timeout: 240_000 }, async () => {
    const rig = await openOrderRig();
    await rig.connect(rig.account_id, CLAY);
    await subscribe(rig, rig.account_id, rig.openProcess().core);
    const last = rig.openProcess();
    await last.poll();
    let crashes = 0;
    let changes = 0;

    await fc.assert(
      fc.asyncProperty(steps, async (run) => {
        const orders: Order[] = [];
        for (let n = 0; n < FIRST_ORDERS; n += 1) await take(rig, { kind: 'place', crash: 0 }, orders);
        for (const step of run) crashes += await take(rig, step, orders);
        // No process is stopped any more: the next looks find the rest.
        for (let looks = 0; looks < 2; looks += 1) await last.poll();
        const events = await rig.listEvents();
        for (const { receipt_id, history } of orders) {
          const told = events.filter((event) => event.receipt_id === receipt_id).map(({ type }) => type);
          expect(told).toEqual(history.map((change) => `order.${change}`));
          changes += history.length;
        }
      }),
      { numRuns: RUNS, seed: 20_261_121 },
    );
    process.stdout.write(`order histories: ${RUNS} runs, ${changes} changes, ${crashes} stops\n`);
    expect(crashes).toBeGreaterThan(RUNS);
  });
});

/** One step, in a process that may stop in the middle; answers how often it did. */
async function take(rig: OrderRig, step: Step, orders: Order[]): Promise<number> {
  if (step.kind === 'place') {
    orders.push({ receipt_id: await rig.order({ is_paid: false }), history: [] });
    return 0;
  }
  if (step.kind === 'wait') {
    rig.advance(step.minutes * MINUTE_MS);
    return 0;
  }
  let left = step.crash;
  let crashes = 0;
  const { poll, hear } = rig.openProcess((point) => {
    left -= 1;
    if (left !== 0) return;
    crashes += 1;
    throw new Crash(point);
  });
  const target = 'order' in step ? orders[step.order % Math.max(1, orders.length)] : undefined;
  try {
    if (step.kind === 'poll')
      await Promise.all([poll(), ...(step.is_double ? [rig.openProcess().poll(0)] : [])]);
    else if (step.kind === 'change' && target) await change(rig, target, step.choice);
    else if (step.kind === 'message' && target) {
      const told = target.history[step.choice % Math.max(1, target.history.length)] ?? 'paid';
      const id = `msg_${target.receipt_id}_${told}`;
      await hear(told, target.receipt_id, step.is_repeated ? id : undefined);
    }
  } catch (cause) {
    if (!(cause instanceof Crash)) throw cause;
  }
  return crashes;
}

async function change(rig: OrderRig, target: Order, choice: number): Promise<void> {
  const next = NEXT[target.history.at(-1) ?? 'placed'];
  const what = next[choice % Math.max(1, next.length)];
  if (!what) return;
  target.history.push(what);
  await rig.change(target.receipt_id, { [`is_${what}`]: true });
}

it('the model knows every change', () => {
  expect(
    Object.keys(NEXT)
      .filter((name) => name !== 'placed')
      .sort(),
  ).toEqual([...ORDER_CHANGES].sort());
});
