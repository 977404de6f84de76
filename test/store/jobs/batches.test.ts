import { expect, it } from 'vitest';
import { eachItem } from '../../../src/core/batches/list_items.js';
import type { BatchItemRecord, BatchStep, Store } from '../../../src/core/ports/index.js';
import { openWorld } from '../world.js';

const LISTINGS = 130;
const POSITIONS = 1_000;

/** A batch with two items and two steps per listing, and the claim of its job. */
async function planBatch(store: Store) {
  const { account_id } = await store.accounts.createAccount('mine');
  const ids = { batch_id: 'batch_1', job_id: 'job_1' };
  const pks = Array.from({ length: LISTINGS }, (_, index) => LISTINGS - index);
  await store.batches.createBatch({
    account_id,
    ...ids,
    spec: {
      kind: 'edit',
      edits: [],
      places: pks.map((listing_pk) => ({ listing_pk })),
      on_drift: 'refuse',
    },
    warnings: [],
    life_ms: 60_000,
    key: null,
    digest: 'digest',
    most: { open_plans: 1 },
  });
  const claim = await store.listings.claimJob(account_id, ids.job_id, 60_000);
  if (!claim) throw new Error('nobody else has the job');
  for (const [index, listing_pk] of pks.entries()) {
    const positions = [index * POSITIONS, index * POSITIONS + 1];
    await store.batches.savePlannedListing(claim, ids.batch_id, {
      items: positions.map((position) => buildItem(position, listing_pk)),
      steps: positions.map((position) => buildStep(position, listing_pk)),
    });
  }
  return { account_id, ...ids, claim, pks };
}

const buildItem = (position: number, listing_pk: number): BatchItemRecord => ({
  position,
  listing_pk,
  shop_id: (position % POSITIONS) + 1,
  shop_name: 'Clay',
  title: `Mug ${listing_pk}`,
  status: 'planned',
  diff: [],
  shown: [],
  issues: [],
  cost_usd: 0,
  marketplace_calls: 0,
});

const buildStep = (position: number, listing_pk: number): BatchStep => ({
  position,
  listing_pk,
  call: { op: 'sale', shop_ids: [(position % POSITIONS) + 1], state: 'inactive' },
  job_ids: [],
  is_done: false,
});

it('lists each item of a status once, in order, even if statuses change in between', async () => {
  const { store } = await openWorld();
  const { claim, pks, ...batch } = await planBatch(store);
  const seen: number[] = [];
  for await (const item of eachItem(store, batch, 'planned')) {
    seen.push(item.position);
    await store.batches.saveBatchItems(claim, batch.batch_id, [{ ...item, status: 'ok' }]);
  }
  expect(seen).toEqual(pks.flatMap((_, index) => [index * POSITIONS, index * POSITIONS + 1]));
});

it('lists the items of a range, up to the requested number', async () => {
  const { store } = await openWorld();
  const { account_id, batch_id } = await planBatch(store);
  const list = async (range: Parameters<Store['batches']['listItemsFrom']>[2]) =>
    (await store.batches.listItemsFrom(account_id, batch_id, range)).map(({ position }) => position);
  expect(await list({ from: 1_001, limit: 3 })).toEqual([1_001, 2_000, 2_001]);
  expect(await list({ from: 2_000, before: 3_000 })).toEqual([2_000, 2_001]);
  expect(await list({ from: 0, limit: 3, status: 'ok' })).toEqual([]);
});

it('lists listings with open steps in the order of the selection, and the planned ones', async () => {
  const { store } = await openWorld();
  const { account_id, batch_id, claim, pks } = await planBatch(store);
  const [first = 0, second = 0, ...others] = pks;
  const list = () => store.batches.listOpenListings(account_id, batch_id);
  expect(await list()).toEqual(pks.map((listing_pk) => ({ listing_pk, steps: 2 })));
  for (const position of [0, 1, POSITIONS]) {
    const step = { position, job_ids: ['job_2'], is_done: true };
    await store.batches.saveBatchItems(claim, batch_id, [], step);
  }
  expect(await list()).toEqual([
    { listing_pk: second, steps: 1 },
    ...others.map((listing_pk) => ({ listing_pk, steps: 2 })),
  ]);
  expect(await store.batches.listBatchSteps(account_id, batch_id, first)).toMatchObject([
    { position: 0, job_ids: ['job_2'], is_done: true },
    { position: 1, job_ids: ['job_2'], is_done: true },
  ]);
  const planned = await store.batches.listPlannedListings(account_id, batch_id);
  expect(planned.toSorted((a, b) => b - a)).toEqual(pks);
});
