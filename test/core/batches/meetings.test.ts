import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchAnswer } from '../../../schemas/batch.js';
import { startService, type TestService } from '../../service.js';
import { edit, readListings, makeListing, type Made } from '../listings/update/rig.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
});
afterAll(() => service.close());

const UP = [{ field: 'price', op: 'increase_percent', value: 10, round_to: 'x.90' }];

const plan = (made: readonly Made[], edits: object[], more: object = {}, of = service) =>
  of.call<BatchAnswer>('batch_create', {
    select: { listing_pks: made.map(({ listing_pk }) => listing_pk) },
    edits,
    ...more,
  });
const start = ({ batch_id }: BatchAnswer) => service.call<BatchAnswer>('batch_start', { batch_id });
const listStatuses = ({ items = [] }: Pick<BatchAnswer, 'items'>) => items.map(({ status }) => status);

/** For each product in each shop, in hundredths. */
const listPrices = async (made: Made, of = service) =>
  (await readListings(of, made)).map((listing) => listing?.inventory.products[0]?.offering.price_amount);

async function makeMany(count: number, of: TestService): Promise<Made[]> {
  const made: Made[] = [];
  for (let index = 0; index < count; index += 1) {
    made.push(await makeListing(of, { photos: 1, listing: { price: 20, title: `Jug ${index}` } }));
  }
  return made;
}

const slowDown = (of: TestService, ms: number) =>
  of.control('POST', '/faults', {
    rules: [{ operation: 'updateListingInventory', times: 20, action: { type: 'slow', ms } }],
  });

const inShop = ({ shops }: Made, at: number): Made => ({ listing_pk: 0, shops: shops.slice(at, at + 1) });

const buildDrift = (ours: string) => [
  'error',
  'DRIFT',
  [{ field: 'listing.title', ours, theirs: 'Edited after' }],
];

describe('a batch that conflicts with something else', () => {
  it('reports values that were already as planned as unchanged, and undoes none of them', async () => {
    const made = await makeListing(service, { photos: 1, listing: { quantity: 2 } });
    const [first] = made.shops;
    const planned = await plan([made], [{ field: 'state', op: 'inactive' }], { shops: [first?.shop_id] });
    await service.control('POST', `/listings/${first?.listing_id}/sell`, { quantity: 2 });
    expect(listStatuses(await start(planned))).toEqual(['unchanged']);
    const { code } = await service.refuse('batch_undo', { batch_id: planned.batch_id });
    expect(code).toBe('NOTHING_TO_UNDO');
  });

  it('never overwrites an edit made on Etsy after the plan, even if it may overwrite those the plan shows', async () => {
    const [marked, again] = (await makeMany(2, service)) as [Made, Made];
    for (const made of [marked, again]) await edit(service, inShop(made, 0), { title: 'Edited before' });
    const edits = [{ field: 'title', op: 'append', value: ' in oat' }];
    const planned = await plan([marked, again], edits, { on_drift: 'overwrite' });
    expect(planned.items?.map(({ overwrites = false }) => overwrites)).toEqual([true, false, true, false]);
    for (const made of [inShop(marked, 1), inShop(again, 0)]) {
      await edit(service, made, { title: 'Edited after' });
    }
    const { items = [] } = await start(planned);
    expect(items.map(({ status, issues, details }) => [status, issues[0]?.code, details?.['drift']])).toEqual(
      [
        ['ok', undefined, undefined],
        buildDrift('Jug 0'),
        buildDrift('Edited before'),
        ['ok', undefined, undefined],
      ],
    );
    const titles = await Promise.all(
      [marked, again].map(async (made) =>
        (await readListings(service, made)).map((one) => one?.fields.title),
      ),
    );
    expect(titles).toEqual([
      ['Edited before in oat', 'Edited after'],
      ['Edited after', 'Jug 1 in oat'],
    ]);
  });

  it('has nothing to undo where a conflict stopped it', async () => {
    const made = await makeMany(2, service);
    const [edited] = made;
    const [place] = edited?.shops ?? [];
    const planned = await plan(made, [{ field: 'title', op: 'append', value: ' in oat' }], {
      shops: [place?.shop_id],
    });
    await edit(service, { listing_pk: 0, shops: place ? [place] : [] }, { title: 'Edited by hand' });
    expect(listStatuses(await start(planned)).toSorted()).toEqual(['error', 'ok']);
    const undone = await service.call<BatchAnswer>('batch_undo', { batch_id: planned.batch_id });
    expect(listStatuses(undone).toSorted()).toEqual(['ok', 'unchanged']);
  });

  it('completes a change that a crash interrupted, even if it was canceled since', async () => {
    const other = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
    const made = await makeMany(3, other);
    const planned = await plan(made, UP, {}, other);
    await slowDown(other, 1_000);
    await other.call('batch_start', { batch_id: planned.batch_id }, { wait_ms: 700 });
    await other.close({ keep: true });
    const again = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' }, { data_dir: other.data_dir });
    await again.control('DELETE', '/faults');
    await again.call('batch_cancel', { batch_id: planned.batch_id });
    await again.app.core.listings.resume();
    const ask = async () =>
      (await again.call<BatchAnswer>('batch_start', { batch_id: planned.batch_id })).status;
    await expect.poll(ask, { timeout: 20_000 }).toBe('canceled');
    const { counts } = await again.call<BatchAnswer>('batch_start', { batch_id: planned.batch_id });
    const prices = await Promise.all(made.map((one) => listPrices(one, again)));
    expect(counts).toMatchObject({ ok: 2, canceled: 4 });
    expect(prices.flat().filter((price) => price === 2_190)).toHaveLength(2);
    await again.close();
  });

  it('shows a price that a sold-out listing gets with its stock', async () => {
    const made = await makeListing(service, { photos: 1, listing: { price: 20, quantity: 2 } });
    const [first] = made.shops;
    await service.control('POST', `/listings/${first?.listing_id}/sell`, { quantity: 2 });
    const planned = await plan([made], [...UP, { field: 'state', op: 'active', stock: 3 }], {
      shops: [first?.shop_id],
    });
    expect(planned.items?.[0]?.diff).toEqual([
      { field: 'listing.price', before: 20, after: 21.9 },
      { field: 'state', before: 'sold_out', after: 'active' },
    ]);
    expect(listStatuses(await start(planned))).toEqual(['ok']);
    expect((await listPrices(made))[0]).toBe(2_190);
  });

  it('leaves no pending price behind once its undo reverted the price of a sold-out listing', async () => {
    const made = await makeListing(service, { photos: 1, listing: { price: 20, quantity: 2 } });
    const [first] = made.shops;
    const shops = [first?.shop_id];
    const price = async () => (await listPrices(made))[0];
    await service.control('POST', `/listings/${first?.listing_id}/sell`, { quantity: 2 });
    const planned = await plan([made], [...UP, { field: 'state', op: 'active', stock: 3 }], { shops });
    await start(planned);
    const undo = ({ batch_id }: BatchAnswer) => service.call<BatchAnswer>('batch_undo', { batch_id });
    const undone = await undo(planned);
    expect([listStatuses(undone), await price()]).toEqual([['ok'], 2_000]);
    const changes = { listing: { title: 'Another jug' } };
    await service.call('listing_update', { listing_pk: made.listing_pk, changes, shops });
    expect(await price()).toBe(2_000);
    expect([listStatuses(await undo(undone)), await price()]).toEqual([['ok'], 2_190]);
    const { shops: shown } = await service.call<{ shops: { pending?: unknown }[] }>('listing_get', {
      listing_pk: made.listing_pk,
    });
    expect(shown.map(({ pending }) => pending)).toEqual([undefined, undefined]);
  });

  it('waits for an earlier batch, whatever the clocks say', async () => {
    const first = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
    await first.close({ keep: true });
    let behind_ms = 0;
    const clock = {
      now: () => new Date(Date.now() - behind_ms),
      monotonic: () => performance.now(),
      sleep: (duration_ms: number, signal?: AbortSignal) => sleep(duration_ms, undefined, { signal }),
    };
    const other = await startService(
      { MAX_ACTIVATIONS_PER_DAY: 'unlimited' },
      { data_dir: first.data_dir, clock },
    );
    const made = await makeMany(4, other);
    const early = await plan(made.slice(0, 2), UP, {}, other);
    const late = await plan(made.slice(2), UP, {}, other);
    await slowDown(other, 500);
    const begin = ({ batch_id }: BatchAnswer) =>
      other.call<BatchAnswer>('batch_start', { batch_id }, { wait_ms: 300 });
    await begin(early);
    behind_ms = 60_000;
    expect((await begin(late)).counts).toMatchObject({ ok: 0, waiting: 4 });
    expect((await begin(early)).status).toBe('running');
    await expect.poll(async () => (await begin(early)).status, { timeout: 20_000 }).toBe('completed');
    expect((await begin(late)).counts.ok).toBeLessThan(4);
    await expect.poll(async () => (await begin(late)).status, { timeout: 20_000 }).toBe('completed');
    await other.close();
  });
});
