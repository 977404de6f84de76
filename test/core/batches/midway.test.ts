import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type TestService } from '../../service.js';
import { readListings, type Made } from '../listings/update/rig.js';
import { listCodes, makeListings, OFF_SALE, openBatches, slow, UP } from './rig.js';

let service: TestService;
let batches: ReturnType<typeof openBatches>;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  batches = openBatches(service);
});
afterAll(() => service.close());

/** State and price in each shop. */
const describe = async (made: Made) =>
  (await readListings(service, made)).map((one) => [
    one?.state,
    (one?.inventory.products[0]?.offering.price_amount ?? 0) / 100,
  ]);

it('reports which part of an item was done before it was canceled halfway, and undoes that', async () => {
  const made = await makeListings(service, 2);
  const planned = await batches.plan(made, [...UP, OFF_SALE]);
  await slow(service, 'updateListingInventory', 1_000);
  await batches.start(planned, { wait_ms: 200 });
  await batches.cancel(planned);
  const { items } = await batches.follow(planned, 'canceled');
  expect(listCodes(items)).toEqual([
    ['error', 'item_canceled_midway'],
    ['error', 'item_canceled_midway'],
    ['canceled', undefined],
    ['canceled', undefined],
  ]);
  expect(items[0]?.issues[0]?.message).toContain(`the changes that were made are in job ${items[0]?.job_id}`);
  const [first, second] = made as [Made, Made];
  expect(await describe(first)).toEqual([
    ['active', 21.9],
    ['active', 21.9],
  ]);
  const undone = await batches.undo(planned);
  expect(undone).toMatchObject({ status: 'completed', counts: { items: 2, ok: 2 } });
  for (const one of [first, second]) {
    expect(await describe(one)).toEqual([
      ['active', 20],
      ['active', 20],
    ]);
  }
  // An undo is a batch: undoing it restores the changes of the first one.
  const again = await batches.undo(undone);
  expect(again).toMatchObject({ status: 'completed', undoes: undone.batch_id, counts: { ok: 2 } });
  expect(await describe(first)).toEqual([
    ['active', 21.9],
    ['active', 21.9],
  ]);
});

it('explains how to plan a narrowed undo again without widening it', async () => {
  const made = await makeListings(service, 2);
  const done = await batches.start(await batches.plan(made, UP));
  await slow(service, 'updateListingInventory', 1_000);
  const listing_pks = made.map(({ listing_pk }) => listing_pk);
  const undo = await batches.undo(done, { listing_pks }, { wait_ms: 0 });
  await batches.follow(undo, 'running');
  await batches.cancel(undo);
  await batches.follow(undo, 'canceled');
  expect((await batches.cancel(undo)).message).toContain(
    `batch_undo with batch_id ${done.batch_id} and the same listing_pks, shops and pay, if any were given.`,
  );
});
