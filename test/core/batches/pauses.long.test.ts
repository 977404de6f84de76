import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { BatchAnswer } from '../../../schemas/batch.js';
import { makeFolder } from '../../prepared_folder.js';
import { LINEN, startService, type TestService } from '../../service.js';
import { MarketplaceError } from '../../../src/core/ports/index.js';
import { watchPorts } from '../../wrapped/ports.js';
import { connectShop } from '../listings/copy/connect_shop.js';
import { readListings, type Made } from '../listings/update/rig.js';
import { createFastClock, listCodes, makeListings, OFF_SALE, ON_SALE, openBatches, slow, UP } from './rig.js';

const ENVIRONMENT = { MAX_ACTIVATIONS_PER_DAY: 'unlimited' };
const clock = createFastClock(20);

async function openFast(data_dir?: string): Promise<TestService> {
  const folder = data_dir ?? (await makeFolder(ENVIRONMENT));
  return startService(ENVIRONMENT, { data_dir: folder, clock });
}

const listPrices = async (service: TestService, made: readonly Made[]) =>
  (await Promise.all(made.map((one) => readListings(service, one))))
    .flat()
    .map((listing) => listing?.inventory.products[0]?.offering.price_amount);

/** Leaves ten of the marketplace's calls for the day. */
async function useUpDay(service: TestService): Promise<void> {
  const { calls } = await service.control<{ calls: Record<string, number> }>('GET', '/state');
  const used = Object.values(calls).reduce((sum, one) => sum + one, 0);
  await service.control('POST', '/settings', { rate_per_day: used + 10 });
}
const renewDay = (service: TestService) => service.control('POST', '/settings', { rate_per_day: 1_000_000 });

it("pauses at the reserve of the marketplace's day, and resumes by itself, also after a restart", async () => {
  let service = await openFast();
  onTestFinished(() => service.close());
  const made = await makeListings(service, 4);
  const planned = await openBatches(service).plan(made, UP);
  const countWrites = async () =>
    (await service.control<{ calls: Record<string, number> }>('GET', '/state')).calls[
      'updateListingInventory'
    ] ?? 0;
  const before = await countWrites();
  await useUpDay(service);
  await openBatches(service).start(planned, { wait_ms: 0 });
  const paused = await openBatches(service).follow(planned, 'paused');
  expect(paused).toMatchObject({ reason: 'limits' });
  expect(paused.counts.waiting).toBeGreaterThan(0);
  const { data_dir } = service;
  await service.close({ keep: true });
  service = await openFast(data_dir);
  await service.app.core.listings.resume();
  await renewDay(service);
  const { counts } = await openBatches(service).follow(planned, 'completed');
  expect(counts).toMatchObject({ ok: 8, error: 0, waiting: 0 });
  expect((await countWrites()) - before).toBe(8);
  expect(await listPrices(service, made)).toEqual(Array.from({ length: 8 }, () => 2_190));
});

it('also waits while planning, and refuses no listing for lack of calls', async () => {
  const service = await openFast();
  onTestFinished(() => service.close());
  // More reads than the ten calls that are left.
  const made = await makeListings(service, 7);
  await useUpDay(service);
  // The marketplace's answers report how many are left.
  await service.call('store_listings', { shop_id: LINEN.shop_id });
  const batches = openBatches(service);
  const { batch_id } = await service.call<BatchAnswer>(
    'batch_create',
    { select: { listing_pks: made.map(({ listing_pk }) => listing_pk) }, edits: UP },
    { wait_ms: 0 },
  );
  await delay(1_000);
  const { status, counts: so_far } = await batches.list(batch_id);
  expect([status, so_far.items < 14, so_far.refused]).toEqual(['planning', true, 0]);
  await renewDay(service);
  // Any call brings the new number.
  await service.call('store_listings', { shop_id: LINEN.shop_id });
  const { counts } = await batches.follow({ batch_id }, 'planned');
  expect(counts).toMatchObject({ items: 14, changed: 14, refused: 0 });
});

it('pauses for a shop that revokes its access halfway, and resumes once it is connected again', async () => {
  const service = await openFast();
  onTestFinished(() => service.close());
  const made = await makeListings(service, 2);
  const batches = openBatches(service);
  const planned = await batches.plan(made, UP);
  await slow(service, 'updateListingInventory', 50, 1);
  const { user_id } = await service.control<{ user_id: number }>('POST', '/shops/equip', {
    shop_id: LINEN.shop_id,
  });
  await service.control('POST', '/tokens/revoke', { user_id });
  await batches.start(planned, { wait_ms: 0 });
  const paused = await batches.follow(planned, 'paused');
  expect(paused).toMatchObject({ reason: 'reconnect', counts: { ok: 2, waiting: 2, error: 0 } });
  expect(await listPrices(service, made)).toEqual([2_190, 2_000, 2_190, 2_000]);
  await connectShop(service, LINEN.shop_id);
  expect((await batches.follow(planned, 'completed')).counts).toMatchObject({ ok: 4, error: 0 });
  expect(await listPrices(service, made)).toEqual([2_190, 2_190, 2_190, 2_190]);
  const undone = await batches.undo(planned);
  expect(undone.counts).toMatchObject({ ok: 4, error: 0, refused: 0 });
  expect(await listPrices(service, made)).toEqual([2_000, 2_000, 2_000, 2_000]);
});

it('reports the state that it wrote before the shop was cut off', async () => {
  let cut_off = 1;
  const service = await startService(ENVIRONMENT, {
    data_dir: await makeFolder(ENVIRONMENT),
    clock,
    wrapPorts: (ports) =>
      watchPorts(ports, (side, call) => {
        if (side !== 'after' || call !== 'marketplace.takeOffSale' || cut_off === 0) return;
        cut_off -= 1;
        throw new MarketplaceError('reconnect', 'the shop has to be connected again', { status: 401 });
      }),
  });
  onTestFinished(() => service.close());
  const batches = openBatches(service);
  const planned = await batches.plan(await makeListings(service, 1), [OFF_SALE], { shops: [LINEN.shop_id] });
  await batches.start(planned, { wait_ms: 0 });
  const { items } = await batches.follow(planned, 'completed');
  expect(items).toMatchObject([
    { status: 'ok', diff: [{ field: 'state', before: 'active', after: 'inactive' }] },
  ]);
  expect(cut_off).toBe(0);
});

it('reports in the undo what was written before the shop was cut off and could not be read', async () => {
  let isCutOff = false;
  let isOver = false;
  const service = await startService(ENVIRONMENT, {
    data_dir: await makeFolder(ENVIRONMENT),
    clock,
    wrapPorts: (ports) =>
      watchPorts(ports, (side, call) => {
        if (!isCutOff && side === 'after' && call === 'marketplace.updateListing') {
          isCutOff = true;
          throw new MarketplaceError('unknown', 'no answer came', { status: null });
        }
        isOver ||= isCutOff && call === 'store.listings.finishJob';
        if (!isCutOff || isOver || !/^marketplace\.(?!getDayCalls)/.test(call)) return;
        throw new MarketplaceError('reconnect', 'the shop has to be connected again', { status: 401 });
      }),
  });
  onTestFinished(() => service.close());
  const batches = openBatches(service);
  const edits = [...UP, { field: 'title', op: 'set', value: 'Another mug' }];
  const planned = await batches.plan(await makeListings(service, 1), edits, { shops: [LINEN.shop_id] });
  await batches.start(planned, { wait_ms: 0 });
  expect((await batches.follow(planned, 'completed')).counts).toMatchObject({ ok: 1 });
  expect(isCutOff).toBe(true);
  const undone = await batches.undo(planned);
  expect(undone.items).toMatchObject([
    { status: 'ok', diff: [{ field: 'listing.price' }], issues: [{ code: 'not_undone' }] },
  ]);
});

it('finishes every item of a second batch of listings that the first batch changed', async () => {
  const service = await openFast();
  onTestFinished(() => service.close());
  const batches = openBatches(service);
  const made = await makeListings(service, 2);
  const first = await batches.plan(made, UP);
  const second = await batches.plan(made, [{ ...UP[0], value: 50 }]);
  await batches.start(first, { wait_ms: 0 });
  const late = await batches.start(second);
  expect(listCodes(late.items)).toEqual(Array.from({ length: 4 }, () => ['error', 'DRIFT']));
  expect(listCodes((await batches.start(first)).items)).toEqual(
    Array.from({ length: 4 }, () => ['ok', undefined]),
  );
  expect(await listPrices(service, made)).toEqual([2_190, 2_190, 2_190, 2_190]);
});

it('pays the last fee once, even if the shop was cut off right before it', async () => {
  let cut_off = 0;
  const service = await startService(ENVIRONMENT, {
    data_dir: await makeFolder(ENVIRONMENT),
    clock,
    wrapPorts: (ports) =>
      watchPorts(ports, (side, call) => {
        if (side !== 'before' || call !== 'marketplace.activateListing' || cut_off === 0) return;
        cut_off -= 1;
        throw new MarketplaceError('reconnect', 'the shop has to be connected again', { status: 401 });
      }),
  });
  onTestFinished(() => service.close());
  const made = await makeListings(service, 1, { should_auto_renew: false });
  const listing_ids = made.flatMap(({ shops }) => shops.map(({ listing_id }) => listing_id));
  await service.control('POST', '/clock', { advance_ms: 120 * 24 * 60 * 60_000, listing_ids });
  const batches = openBatches(service);
  const planned = await batches.plan(made, [ON_SALE], { shops: [LINEN.shop_id] });
  expect(planned.cost_usd).toBe(0.2);
  const countFees = async () => (await service.control<{ fees: unknown[] }>('GET', '/state')).fees.length;
  const before = await countFees();
  cut_off = 2;
  await batches.start(planned, { wait_ms: 0 });
  const done = await batches.follow(planned, 'completed');
  expect(done.counts).toMatchObject({ ok: 1, error: 0 });
  expect([cut_off, (await countFees()) - before]).toEqual([0, 1]);
});

it('pauses longer each time a shop is cut off for an unknown reason', async () => {
  const times: number[] = [];
  const service = await startService(ENVIRONMENT, {
    data_dir: await makeFolder(ENVIRONMENT),
    clock,
    wrapPorts: (ports) =>
      watchPorts(ports, (side, call) => {
        if (side !== 'before' || call !== 'marketplace.updateListing' || times.length === 5) return;
        times.push(clock.monotonic());
        throw new MarketplaceError('reconnect', 'the shop has to be connected again', { status: 401 });
      }),
  });
  onTestFinished(() => service.close());
  const made = await makeListings(service, 1);
  const batches = openBatches(service);
  const title = { field: 'title', op: 'set', value: 'Another mug' };
  const planned = await batches.plan(made, [title], { shops: [LINEN.shop_id] });
  await batches.start(planned, { wait_ms: 0 });
  const done = await batches.follow(planned, 'completed');
  expect(done.counts).toMatchObject({ ok: 1, error: 0 });
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(pauses).toHaveLength(4);
  for (const [index, pause] of pauses.entries()) expect(pause).toBeGreaterThan(4_500 * 2 ** index);
});

it('runs one batch of an account at a time, across two processes', async () => {
  const service = await openFast();
  const other = await openFast(service.data_dir);
  onTestFinished(async () => {
    await other.close({ keep: true });
    await service.close();
  });
  const [one, two] = (await makeListings(service, 2)) as [Made, Made];
  const [here, there] = [openBatches(service), openBatches(other)];
  const first = await here.plan([one], UP);
  const second = await there.plan([two], UP);
  await slow(service, 'updateListingInventory', 200, 2);
  await here.start(first, { wait_ms: 0 });
  await there.start(second, { wait_ms: 0 });
  const overlaps: boolean[] = [];
  for (;;) {
    await delay(20);
    const [before, after] = [await here.list(first.batch_id), await there.list(second.batch_id)];
    if (after.counts.waiting === 0) break;
    // The second was read last: it has begun nothing unless the first has ended.
    const hasBegun = after.items.some(({ status }) => status !== 'waiting');
    const { status } = await here.list(first.batch_id);
    overlaps.push(before.status === 'running' && status === 'running' && hasBegun);
  }
  expect(overlaps).not.toContain(true);
  await here.follow(first, 'completed');
  const done = await there.follow(second, 'completed');
  expect(done.counts).toMatchObject({ ok: 2, error: 0 });
  const started = Date.parse((await here.list(first.batch_id)).completed_at ?? '');
  expect(Date.parse(done.completed_at ?? '')).toBeGreaterThan(started);
});
