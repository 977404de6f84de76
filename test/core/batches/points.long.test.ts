import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BatchAnswer } from '../../../schemas/batch.js';
import { StoppedError } from '../../../src/core/listings/engine/failures.js';
import { startService, type TestService } from '../../service.js';
import { IS_WHOLE } from '../../whole.js';
import { createFinder } from '../../wrapped/crash_point.js';
import { watchPorts, type Watch } from '../../wrapped/ports.js';
import { readListings, type Made } from '../listings/update/rig.js';
import { makeListings, OFF_SALE, openBatches, UP } from './rig.js';

/* A small batch with two steps per item, stopped at each of its calls to the store and the marketplace. */

const OF_BATCH =
  /^(marketplace\.(?!find|get(Day|Clock))|store\.batches\.(take|save|list)|store\.listings\.(createJob|claimJob|save|finishJob))/;

let watch: Watch = () => undefined;
let service: TestService;
let batches: ReturnType<typeof openBatches>;
let made: Made;
let points: string[] = [];

beforeAll(async () => {
  service = await startService(
    { MAX_ACTIVATIONS_PER_DAY: 'unlimited' },
    { wrapPorts: (ports) => watchPorts(ports, (...seen) => watch(...seen)) },
  );
  batches = openBatches(service);
  [made] = (await makeListings(service, 1)) as [Made];
  points = await recordPoints();
});
afterAll(() => service.close());

const plan = () => batches.plan([made], [...UP, OFF_SALE]);
const describe = async () =>
  (await readListings(service, made)).map((one) => [
    one?.state,
    one?.inventory.products[0]?.offering.price_amount,
  ]);
const BEFORE = ['active', 2_000];
const MIDWAY = ['active', 2_190];
const AFTER = ['inactive', 2_190];

async function recordPoints(): Promise<string[]> {
  const calls: string[] = [];
  const planned = await plan();
  watch = (side, call) => {
    if (side === 'before' && OF_BATCH.test(call)) calls.push(call);
  };
  await batches.start(planned);
  watch = () => undefined;
  await batches.undo(planned);
  const numbered = calls.map((call, index) => {
    const number = calls.slice(0, index + 1).filter((one) => one === call).length;
    return number === 1 ? call : `${call}:${number}`;
  });
  return numbered.flatMap((point) => [`before ${point}`, `after ${point}`]);
}

/** Every eighth point, unless suites run in full. */
const choose = (all: readonly string[]) => all.filter((_, index) => IS_WHOLE || index % 8 === 0);

/** Each item reports what was done in its shop, and the undo of the batch reverts it. */
async function expectTrue({ batch_id }: BatchAnswer, point: string): Promise<void> {
  const { items, status } = await batches.list(batch_id);
  const states = await describe();
  items.forEach((item, index) => {
    const isMidway = item.issues[0]?.code === 'item_canceled_midway';
    const expected = item.status === 'ok' ? AFTER : isMidway ? MIDWAY : BEFORE;
    expect([point, status, item.status, states[index]]).toEqual([point, status, item.status, expected]);
    expect(isMidway ? ['error'] : ['ok', 'canceled']).toContain(item.status);
  });
  if (items.some(({ status: end }) => end !== 'canceled')) await batches.undo({ batch_id });
  expect([point, await describe()]).toEqual([point, [BEFORE, BEFORE]]);
}

it('can be canceled at each of its calls', { timeout: 600_000 }, async () => {
  expect(points.length).toBeGreaterThan(40);
  for (const point of choose(points)) {
    const planned = await plan();
    const isReached = createFinder(point);
    let canceled: Promise<unknown> | undefined;
    watch = (...seen) => {
      if (!canceled && isReached(...seen)) canceled = batches.cancel(planned);
    };
    await batches.start(planned);
    watch = () => undefined;
    await canceled;
    const { status } = await batches.list(planned.batch_id);
    expect([point, ['completed', 'canceled'].includes(status)]).toEqual([point, true]);
    await expectTrue(planned, point);
  }
});

it('resumes after a power failure at any of its calls', { timeout: 600_000 }, async () => {
  // The state after a call is the state before the next.
  for (const point of choose(points.filter((one) => one.startsWith('before')))) {
    const planned = await plan();
    const isReached = createFinder(point);
    let isDead = false;
    watch = (...seen) => {
      // A process that is gone makes no calls.
      if (!isDead && !isReached(...seen)) return;
      if (!OF_BATCH.test(seen[1])) return;
      isDead = true;
      throw new StoppedError(`ended at ${point}`);
    };
    await batches.start(planned, { wait_ms: 200 }).catch(() => undefined);
    watch = () => undefined;
    await expect
      .poll(
        async () => {
          await service.app.core.listings.resume();
          // A client that got no answer calls again.
          return (await batches.start(planned)).status;
        },
        { timeout: 40_000 },
      )
      .toBe('completed');
    const { counts } = await batches.list(planned.batch_id);
    expect([point, counts.ok]).toEqual([point, 2]);
    await expectTrue(planned, point);
  }
});
