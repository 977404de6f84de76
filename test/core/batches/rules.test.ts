import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { BatchAnswer } from '../../../schemas/batch.js';
import type { Call } from '../../../src/core/operations/call.js';
import { systemClock } from '../../../src/world/clock.js';
import { startService, type TestService } from '../../service.js';
import { connectShop, MAPLE } from '../listings/copy/connect_shop.js';
import { edit, readListings, type Made } from '../listings/update/rig.js';
import { listCodes, makeListings, OFF_SALE, openBatches, slow, UP } from './rig.js';

const DAY_MS = 24 * 60 * 60_000;

let service: TestService;
let batches: ReturnType<typeof openBatches>;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  batches = openBatches(service);
});
afterAll(() => service.close());

/** A caller with another credential than the service's own, of this account or another. */
async function buildCaller(more: Partial<Call['caller']> = {}): Promise<Partial<Call>> {
  const { account_id } = await service.app.core.accounts.getDefault();
  return { face: 'rest', caller: { account_id, credential: 'key', credential_id: 'key_2', ...more } };
}

it('lets another credential of the account start, a read-only one only read, and another account see nothing', async () => {
  const made = await makeListings(service, 1);
  const { batch_id } = await batches.plan(made, UP);
  const reader = await buildCaller({
    restriction: { of: 'key', key_id: 'key_2', name: 'Reader' },
  });
  const { account_id } = await service.app.core.accounts.create('Other');
  const stranger = await buildCaller({ account_id });
  for (const operation of ['batch_start', 'batch_cancel', 'batch_undo']) {
    expect((await service.refuse(operation, { batch_id }, reader)).code).toBe('READ_ONLY');
    expect((await service.refuse(operation, { batch_id }, stranger)).code).toBe('BATCH_NOT_FOUND');
  }
  expect(await service.call('batches_list', { batch_id }, reader)).toMatchObject({ total: 2 });
  expect((await service.refuse('batches_list', { batch_id }, stranger)).code).toBe('BATCH_NOT_FOUND');
  const done = await batches.start({ batch_id }, await buildCaller());
  expect(done).toMatchObject({ status: 'completed', counts: { ok: 2 } });
});

const firstId = ({ shops }: Made) => shops[0]?.listing_id ?? 0;

it('fails items whose listings were edited, sold out, removed or deactivated on Etsy since the plan', async () => {
  const made = await makeListings(service, 4, { quantity: 2 });
  const [edited, sold, removed, off] = made as [Made, Made, Made, Made];
  const planned = await batches.plan(made, UP);
  await edit(service, { ...edited, shops: edited.shops.slice(0, 1) }, { products: [{ price: 31 }] });
  await service.control('POST', `/listings/${firstId(sold)}/sell`, { quantity: 2 });
  await service.control('POST', `/listings/${firstId(removed)}/state`, { state: 'removed' });
  await service.control('POST', `/listings/${firstId(off)}/state`, { state: 'inactive' });
  const { items = [], counts } = await batches.start(planned);
  const ends = listCodes(items);
  expect([ends[0], ends[4]]).toEqual([
    ['error', 'DRIFT'],
    ['error', expect.any(String)],
  ]);
  expect(items[0]?.details).toMatchObject({ drift: [{ field: expect.any(String) }] });
  // Sold-out and inactive listings still accept a price.
  expect([ends[2], ends[6]].map((end) => end?.[0])).toEqual(['ok', 'ok']);
  expect(ends.filter((_, index) => index % 2 === 1)).toEqual(
    Array.from({ length: 4 }, () => ['ok', undefined]),
  );
  expect(counts).toMatchObject({ ok: 6, error: 2 });
  expect(
    (await readListings(service, edited)).map((one) => one?.inventory.products[0]?.offering.price_amount),
  ).toEqual([3_100, 2_190]);
});

it('undoes one half of a batch whose other half failed', async () => {
  const made = await makeListings(service, 2);
  const [first, second] = made as [Made, Made];
  const planned = await batches.plan(made, [...UP, OFF_SALE]);
  await edit(service, second, { products: [{ price: 31 }] });
  expect((await batches.start(planned)).counts).toMatchObject({ ok: 2, error: 2 });
  const undone = await batches.undo(planned);
  expect(undone).toMatchObject({ status: 'completed', counts: { ok: 2, error: 0 } });
  const describe = async (one: Made) =>
    (await readListings(service, one)).map((listing) => [
      listing?.state,
      listing?.inventory.products[0]?.offering.price_amount,
    ]);
  expect(await describe(first)).toEqual(Array.from({ length: 2 }, () => ['active', 2_000]));
  expect(await describe(second)).toEqual(Array.from({ length: 2 }, () => ['active', 3_100]));
});

it("counts a plan's 24 hours from when it was finished", async () => {
  let ahead_ms = 0;
  const clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
  const late = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' }, { clock });
  onTestFinished(() => late.close());
  const { follow, start } = openBatches(late);
  const select = { listing_pks: (await makeListings(late, 1)).map(({ listing_pk }) => listing_pk) };
  await slow(late, 'getListingInventory', 1_000);
  const planning = await late.call<BatchAnswer>('batch_create', { select, edits: UP }, { wait_ms: 0 });
  expect(planning.status).toBe('planning');
  ahead_ms = DAY_MS + 60_000;
  const planned = await follow(planning, 'planned');
  expect(Date.parse(planned.expires_at) - Date.parse(planning.expires_at)).toBeGreaterThanOrEqual(ahead_ms);
  expect((await start(planned)).counts).toMatchObject({ ok: 2 });
});

it('refuses a plan that is more than 24 hours old, and forgets batches after 90 days', async () => {
  let ahead_ms = 0;
  const clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
  const { data_dir } = service;
  const made = await makeListings(service, 1);
  const planned = await batches.plan(made, UP);
  const later = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' }, { data_dir, clock });
  onTestFinished(() => later.close({ keep: true }));
  const old = openBatches(later);
  ahead_ms = DAY_MS + 60_000;
  const { code, message } = await later.refuse('batch_start', { batch_id: planned.batch_id });
  expect([code, message]).toEqual(['BATCH_EXPIRED', expect.stringContaining('more than 24 hours old')]);
  expect((await old.list(planned.batch_id)).status).toBe('expired');
  ahead_ms = 91 * DAY_MS;
  await later.app.core.sweeper.sweep();
  expect((await later.refuse('batches_list', { batch_id: planned.batch_id })).code).toBe('BATCH_NOT_FOUND');
});

it('copies listings in a batch, and says that copies are not undone', async () => {
  const own = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  onTestFinished(() => own.close());
  const all = openBatches(own);
  const target = await connectShop(own, MAPLE.shop_id);
  const made = await makeListings(own, 2);
  const copy = { field: 'copy', op: 'to', shops: [target] };
  const planned = await all.plan(made, [...UP, copy]);
  expect(planned.cost_usd).toBe(0);
  expect(planned.counts).toMatchObject({ items: 6, changed: 6, refused: 0 });
  const done = await all.start(planned);
  expect(done.counts).toMatchObject({ ok: 6, error: 0 });
  const { listings } = await own.control<{ listings: { shop_id: number; state: string }[] }>('GET', '/state');
  const copies = listings.filter(({ shop_id }) => shop_id === MAPLE.shop_id);
  expect(copies.filter(({ state }) => state === 'draft')).toHaveLength(2);
  const undone: BatchAnswer = await all.undo(done);
  expect(undone.counts).toMatchObject({ ok: 4, refused: 2 });
  const refused = undone.items?.filter(({ status }) => status === 'refused') ?? [];
  expect(listCodes(refused)).toEqual(Array.from({ length: 2 }, () => ['refused', expect.any(String)]));
});

it('plans canceled copies again, and changes nothing else in the listings', async () => {
  const own = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  onTestFinished(() => own.close());
  const all = openBatches(own);
  const target = await connectShop(own, MAPLE.shop_id);
  const made = await makeListings(own, 2);
  const edits = [...UP, { field: 'copy', op: 'to', shops: [target] }];
  const planned = await all.plan(made, edits);
  await slow(own, 'updateListingInventory', 1_000);
  await all.start(planned, { wait_ms: 200 });
  await all.cancel(planned);
  await all.follow(planned, 'canceled');
  const select = { batch_id: planned.batch_id, item_status: 'canceled' };
  const [first] = made;
  const only = await own.call<BatchAnswer>('batch_create', { select, edits, shops: [MAPLE.shop_id] });
  expect(only.counts).toMatchObject({ listings: 2, items: 2, changed: 2, refused: 0 });
  expect(only.items?.map(({ shop_id }) => shop_id)).toEqual([1, 2].map(() => String(MAPLE.shop_id)));
  expect(only.items?.[0]?.listing_pk).toBe(first?.listing_pk);
  const done = await all.start(only);
  expect(done.counts).toMatchObject({ ok: 2, error: 0 });
});

it('plans a whole copy batch again, with its sources', async () => {
  const own = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  onTestFinished(() => own.close());
  const all = openBatches(own);
  const target = await connectShop(own, MAPLE.shop_id);
  const edits = [...UP, { field: 'copy', op: 'to', shops: [target] }];
  const planned = await all.plan(await makeListings(own, 1), edits);
  const again = await own.call<BatchAnswer>('batch_create', {
    select: { batch_id: planned.batch_id },
    edits,
  });
  expect(again.counts).toMatchObject({ items: 3, changed: 3, refused: 0 });
  expect((await all.start(again)).counts).toMatchObject({ ok: 3, error: 0 });
});

it('refuses to repeat a copy that failed on Etsy, and points to listing_publish', async () => {
  const own = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  onTestFinished(() => own.close());
  const all = openBatches(own);
  const target = await connectShop(own, MAPLE.shop_id);
  const edits = [{ field: 'copy', op: 'to', shops: [target] }];
  const planned = await all.plan(await makeListings(own, 1), edits);
  const action = { type: 'status', status: 400, body: { error: 'no' } };
  await own.control('POST', '/faults', { rules: [{ operation: 'createDraftListing', times: 1, action }] });
  expect((await all.start(planned)).counts).toMatchObject({ error: 1 });
  const select = { batch_id: planned.batch_id };
  const again = await own.call<BatchAnswer>('batch_create', { select, edits });
  const copied = again.items?.find(({ shop_id }) => shop_id === String(MAPLE.shop_id));
  expect(copied?.issues).toMatchObject([
    { code: 'item_not_there', message: expect.stringContaining('call listing_publish') },
  ]);
});
