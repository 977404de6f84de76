import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ErrorBody } from '../../schemas/error.js';
import { RefusedError } from '../../src/dashboard/operations.js';
import { StoreUnavailableError } from '../../src/core/ports/index.js';
import { createTasks, type Tasks } from '../../src/dashboard/tasks.js';
import { buildMug, listTargets, startService, type TestService } from '../service.js';

/* Two instances on one store: work started by a page of one is known to the other. */

let first: TestService;
let second: TestService;
let account_id: string;
beforeAll(async () => {
  first = await startService();
  second = await startService({}, { data_dir: first.data_dir });
  ({ account_id } = await first.app.core.accounts.getDefault());
});
afterAll(async () => {
  await second.close({ keep: true });
  await first.close();
});

/** @param onAsked is called when the store has answered whether the work is running */
function open({ app }: TestService, onAsked?: () => void): Tasks {
  const { page_tasks } = app.store;
  return createTasks({
    ...app.service,
    page_tasks: {
      ...page_tasks,
      beginPageTask: (listing) => page_tasks.beginPageTask(listing).finally(onAsked),
    },
  });
}

async function makeListing() {
  const body = buildMug(await listTargets(first), { idempotency_key: crypto.randomUUID() });
  const { listing_pk } = await first.call<{ listing_pk: number }>('listing_create', body);
  return { account_id, listing_pk };
}

/** Work that finishes on request. */
function createWork() {
  let end: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => ended, end: () => end?.() };
}

it('work runs once, and for every instance until it finishes', async () => {
  const listing = await makeListing();
  const work = createWork();
  await open(first).run(listing, work.run, 1);
  expect(await open(second).find(listing)).toEqual({ status: 'running' });
  let times = 0;
  const count = async () => {
    times += 1;
  };
  await open(second).run(listing, count, 1);
  expect(times).toBe(0);
  const asked = createWork();
  const waiting = open(second, asked.end).run(listing, count, 60_000);
  await asked.run();
  work.end();
  await waiting;
  expect(times).toBe(0);
  expect(await open(first).find(listing)).toBeUndefined();
  await open(second).run(listing, count, 60_000);
  expect(times).toBe(1);
});

it('a refusal is shown by every instance until the next work', async () => {
  const listing = await makeListing();
  const refusal = await first.refuse('listing_publish', { listing_pk: 999_999, state: 'publish' });
  const error = { ...refusal, status: 404, docs: 'http://docs.test' } as ErrorBody['error'];
  await open(first).run(listing, () => Promise.reject(new RefusedError({ error })), 60_000);
  expect(await open(second).find(listing)).toEqual({ status: 'refused', error: { ...error, issues: [] } });
  await open(second).run(listing, () => Promise.resolve(), 60_000);
  expect(await open(first).find(listing)).toBeUndefined();
});

it('work that a stopping instance leaves is over, and can be started again elsewhere', async () => {
  const third = await startService({}, { data_dir: first.data_dir });
  const listing = await makeListing();
  await open(third).run(listing, createWork().run, 1);
  expect(await open(first).find(listing)).toEqual({ status: 'running' });
  await third.close({ keep: true });
  expect(await open(first).find(listing)).toBeUndefined();
  const work = createWork();
  await open(second).run(listing, work.run, 1);
  expect(await open(first).find(listing)).toEqual({ status: 'running' });
  work.end();
});

it('work is deleted with its listing', async () => {
  const listing = await makeListing();
  const work = createWork();
  await open(first).run(listing, work.run, 1);
  await first.call('listing_delete', { listing_pk: listing.listing_pk });
  expect(await open(second).find(listing)).toBeUndefined();
  await open(second).run(listing, () => Promise.reject(new Error('it is not begun')), 60_000);
  expect(await open(first).find(listing)).toBeUndefined();
  work.end();
});

it('work that finished while the database could not be written does not stay shown as running', async () => {
  const listing = await makeListing();
  const { page_tasks } = first.app.store;
  let times = 0;
  const endPageTask: typeof page_tasks.endPageTask = async (...given) => {
    times += 1;
    if (times === 1) throw new StoreUnavailableError('the database is locked');
    return page_tasks.endPageTask(...given);
  };
  const tasks = createTasks({ ...first.app.service, page_tasks: { ...page_tasks, endPageTask } });
  await tasks.run(listing, () => Promise.resolve(), 60_000);
  expect(await open(second).find(listing)).toBeUndefined();
});
