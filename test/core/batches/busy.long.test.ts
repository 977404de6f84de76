import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { BatchAnswer } from '../../../schemas/batch.js';
import type { ChangeAction } from '../../../src/core/ports/listing/plan.js';
import { makeFolder } from '../../prepared_folder.js';
import { listTargets, startService, type TestService } from '../../service.js';
import { finish, makeJob, type Made } from '../listings/update/rig.js';
import { createFastClock, makeListings, openBatches, slow, UP } from './rig.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
});
afterAll(() => service.close());

it('names the batch when an update meets its running item, and leaves the other listings free', async () => {
  const { plan, start, follow } = openBatches(service);
  const [busy, free] = await makeListings(service, 2);
  if (!busy || !free) throw new Error('two were made');
  const [target] = await listTargets(service);
  const shops = [busy.shops[0]?.shop_id];
  const update = await service.call<{ job_id: string }>('listing_update', {
    listing_pk: busy.listing_pk,
    changes: { listing: { tags: ['oat'] } },
  });
  const planned = await plan([busy, free], UP);
  await slow(service, 'updateListingInventory', 2_000);
  await start(planned, { wait_ms: 300 });
  const { listing_pk } = busy;
  const calls: [string, object][] = [
    ['listing_update', { listing_pk, changes: { listing: { title: 'Another' } } }],
    ['listing_undo', { listing_pk, job_id: update.job_id }],
    ['listing_publish', { listing_pk, state: 'inactive', shops }],
  ];
  for (const [operation, input] of calls) {
    const { code, message } = await service.refuse(operation, input);
    expect([operation, code]).toEqual([operation, 'LISTING_BUSY']);
    expect(message).toContain(`of batch ${planned.batch_id}`);
  }
  // A listing in shops can never be deleted, and one in all shops cannot be copied to another.
  expect((await service.refuse('listing_delete', { listing_pk })).code).toBe('NOT_DELETABLE');
  expect((await service.refuse('listing_copy', { listing_pk, shops: [target] })).code).toBe(
    'ALREADY_IN_SHOP',
  );
  const other = { listing_pk: free.listing_pk, changes: { listing: { tags: ['free'] } } };
  expect(await service.call('listing_update', other)).toMatchObject({ status: 'completed' });
  expect((await follow(planned, 'completed')).counts).toMatchObject({ ok: 4, error: 0 });
});

it('names no batch when another update works on the listing', async () => {
  const [made] = await makeListings(service, 1);
  if (!made) throw new Error('one was made');
  const { job_id } = await makeJob(service, made, RENAME);
  const changes = { listing: { tags: ['oat'] } };
  const { message } = await service.refuse('listing_update', { listing_pk: made.listing_pk, changes });
  expect(message).toContain(`Job ${job_id} is still working on this listing`);
  await finish(service, job_id);
});

const RENAME: ChangeAction = { kind: 'change', changes: { fields: { tags: ['later'] } }, on_drift: 'refuse' };

const ENVIRONMENT = { MAX_ACTIVATIONS_PER_DAY: 'unlimited' };

async function openFast(data_dir?: string): Promise<TestService> {
  const folder = data_dir ?? (await makeFolder(ENVIRONMENT));
  return startService(ENVIRONMENT, { data_dir: folder, clock: createFastClock(30) });
}

/** Two listings in a batch that runs thirty times as fast; a job that nobody runs holds the first. */
async function startBusy() {
  const fast = await openFast();
  onTestFinished(() => fast.close());
  const made = await makeListings(fast, 2);
  const batches = openBatches(fast);
  const planned = await batches.plan(made, UP);
  const { job_id } = await makeJob(fast, made[0] as Made, RENAME);
  await batches.start(planned, { wait_ms: 0 });
  const listStatuses = async () => (await batches.list(planned.batch_id)).items.map(({ status }) => status);
  return { fast, batches, planned, job_id, listStatuses };
}

it('moves an item to the end if it waits for an update for more than a minute', async () => {
  const { fast, batches, planned, job_id, listStatuses } = await startBusy();
  await expect.poll(listStatuses).toEqual(['running', 'running', 'waiting', 'waiting']);
  await expect.poll(listStatuses).toEqual(['running', 'running', 'ok', 'ok']);
  await finish(fast, job_id);
  expect((await batches.follow(planned, 'completed')).counts).toMatchObject({ ok: 4, error: 0 });
});

it('fails an item with LISTING_BUSY and the job id if its listing stays busy', async () => {
  const { batches, planned, job_id } = await startBusy();
  const { items } = await batches.follow(planned, 'completed');
  expect(items.map(({ status, issues }) => [status, issues[0]?.code])).toEqual([
    ['error', 'LISTING_BUSY'],
    ['error', 'LISTING_BUSY'],
    ['ok', undefined],
    ['ok', undefined],
  ]);
  expect(items[0]?.issues[0]?.message).toContain(job_id);
});

it('cancels an item that waits for its busy listing, and reports no error for it', async () => {
  const { fast, batches, planned, listStatuses } = await startBusy();
  await expect.poll(listStatuses).toEqual(['running', 'running', 'ok', 'ok']);
  await fast.call('batch_cancel', { batch_id: planned.batch_id });
  const { counts } = await batches.follow(planned, 'canceled');
  expect(counts).toMatchObject({ ok: 2, error: 0, canceled: 2 });
});

/** Starts to plan two listings; a job that nobody runs holds the first. */
async function planBusy(edits: object[]) {
  const fast = await openFast();
  const made = await makeListings(fast, 2);
  const { job_id } = await makeJob(fast, made[0] as Made, RENAME);
  const select = { listing_pks: made.map(({ listing_pk }) => listing_pk) };
  const planning = await fast.call<BatchAnswer>('batch_create', { select, edits }, { wait_ms: 0 });
  return { fast, planning, job_id };
}

const ADD_TAG = [{ field: 'tags', op: 'add', value: ['glazed'] }];

it('plans a busy listing after the other change finishes, with the values that change wrote', async () => {
  const { fast, planning, job_id } = await planBusy(ADD_TAG);
  onTestFinished(() => fast.close());
  const batches = openBatches(fast);
  await delay(200);
  expect(await batches.list(planning.batch_id)).toMatchObject({ status: 'planning', items: [] });
  await finish(fast, job_id);
  const { counts, items } = await batches.follow(planning, 'planned');
  expect(counts).toMatchObject({ listings: 2, items: 4, changed: 4, refused: 0 });
  expect(items[0]?.diff).toMatchObject([{ before: ['later'], after: ['later', 'glazed'] }]);
});

it('plans a listing last, and only once across a restart, if it is busy for over a minute', async () => {
  const { fast, planning, job_id } = await planBusy(UP);
  const { data_dir } = fast;
  const listPlanned = async () =>
    (await openBatches(fast).list(planning.batch_id)).items.map(({ title }) => title);
  await expect.poll(listPlanned, { timeout: 5_000 }).toEqual(['Stoneware mug 2', 'Stoneware mug 2']);
  await fast.close({ keep: true });
  const again = await openFast(data_dir);
  onTestFinished(() => again.close());
  await again.app.core.listings.resume();
  await finish(again, job_id);
  const { counts, items } = await openBatches(again).follow(planning, 'planned');
  expect(counts).toMatchObject({ listings: 2, items: 4, changed: 4 });
  expect(items.map(({ title }) => title)).toEqual([1, 1, 2, 2].map((number) => `Stoneware mug ${number}`));
});

it('cancels a plan in progress, and reports that nothing was changed', async () => {
  const { fast, planning } = await planBusy(UP);
  onTestFinished(() => fast.close());
  const { status, message } = await openBatches(fast).cancel(planning);
  expect([status, message]).toEqual([
    'canceled',
    'Canceled: the plan was not started, so nothing was changed.',
  ]);
  // The busy listing is waited for two seconds of this clock.
  const ask = () => fast.call<{ status: string }>('listing_create_status', { job_id: planning.job_id });
  await expect.poll(async () => (await ask()).status, { timeout: 1_000 }).toBe('completed');
});

it('refuses a listing that stays busy during planning with LISTING_BUSY and the job id', async () => {
  const { fast, planning, job_id } = await planBusy(UP);
  onTestFinished(() => fast.close());
  const { items } = await openBatches(fast).follow(planning, 'planned');
  expect(items.map(({ status, issues }) => [status, issues[0]?.code])).toEqual([
    ['refused', 'LISTING_BUSY'],
    ['refused', 'LISTING_BUSY'],
    ['planned', undefined],
    ['planned', undefined],
  ]);
  expect(items[0]?.issues[0]?.message).toContain(job_id);
});
