import type { ListingJobResult } from '../../../answers.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ShopStanding } from '../../../../schemas/listing.js';
import { systemClock } from '../../../../src/world/clock.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../../../service.js';

/*
 * A listing that a person opens is read again if the known facts are older than a minute, and is never called
 * fresher than that.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
type Shop = ShopStanding & { differs?: { field: string; ours: unknown; theirs: unknown }[] };

let service: TestService;
let ahead_ms = 0;
let listing_pk: number;
let listing_ids: number[];

beforeEach(async () => {
  ahead_ms = 0;
  const clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
  service = await startService({}, { clock });
  const made = await service.call<ListingJobResult>(
    'listing_create',
    buildMug(await listTargets(service), {
      state: 'active',
      images: [{ url: await upload(service, 'photo-01.jpg') }],
    }),
  );
  listing_pk = made.listing_pk ?? 0;
  listing_ids = (made.results ?? []).map(({ listing_id = 0 }) => listing_id);
});
afterEach(() => service.close());

const open = async () => (await service.call<{ shops: Shop[] }>('listing_get', { listing_pk })).shops;
const listStates = (shops: Shop[]) => shops.map(({ state }) => state);
const edit = (index: number, body: object) =>
  service.control('POST', `/listings/${listing_ids[index]}/edit`, body);
const getAge = ({ seen_at }: ShopStanding) => Date.now() + ahead_ms - Date.parse(seen_at ?? '');

async function countReads(work: () => Promise<unknown>): Promise<number> {
  const before = await countCalls();
  await work();
  return (await countCalls()) - before;
}

async function countCalls(): Promise<number> {
  const { calls } = await service.control<{ calls: Record<string, number> }>('GET', '/state');
  return Object.values(calls).reduce((sum, made) => sum + made, 0);
}

it('needs no further call for a listing its job has just read, and has the end of its four months', async () => {
  const shops: Shop[] = [];
  expect(await countReads(async () => shops.push(...(await open())))).toBe(0);
  expect(listStates(shops)).toEqual(['active', 'active']);
  expect(shops.every((shop) => getAge(shop) < MINUTE_MS)).toBe(true);
  expect(shops.map(({ listing_id }) => listing_id)).toEqual(listing_ids);
  for (const { ends_at } of shops) {
    expect(Date.parse(ends_at ?? '') - Date.now()).toBeGreaterThan(100 * 24 * HOUR_MS);
  }
});

it('reads a listing again if its facts are older than a minute, with one call per shop', async () => {
  await edit(0, { state: 'inactive' });
  await edit(1, { state: 'sold_out' });
  expect(listStates(await open())).toEqual(['active', 'active']);
  ahead_ms = MINUTE_MS + 1_000;
  expect(await countReads(open)).toBe(2);
  expect(listStates(await open())).toEqual(['inactive', 'sold_out']);
  const { listings } = await service.call<{ listings: { shops: Shop[] }[] }>('listings_list');
  expect(listings[0]?.shops).toMatchObject([
    { state: 'inactive', listing_id: listing_ids[0] },
    { state: 'sold_out', listing_id: listing_ids[1] },
  ]);
});

it('returns the last sighting, with its age, if the marketplace does not answer', async () => {
  await edit(0, { state: 'inactive' });
  const rules = [{ operation: 'getListing', times: 99, action: { type: 'status', status: 503 } }];
  await service.control('POST', '/faults', { rules });
  ahead_ms = 7 * HOUR_MS;
  const shops = await open();
  expect(listStates(shops)).toEqual(['active', 'active']);
  expect(shops.every((shop) => getAge(shop) >= 7 * HOUR_MS)).toBe(true);
});

it('delays no page for a slow marketplace', async () => {
  await edit(0, { state: 'inactive' });
  const rules = [{ operation: 'getListing', times: 99, action: { type: 'stall' } }];
  await service.control('POST', '/faults', { rules });
  ahead_ms = 2 * MINUTE_MS;
  expect(listStates(await open())).toEqual(['active', 'active']);
});

it('lists manual edits with our values and theirs, and nothing without edits', async () => {
  expect((await open()).every(({ differs }) => differs === undefined)).toBe(true);
  await edit(0, { title: 'Another mug', products: [{ price: 30, quantity: 6 }] });
  ahead_ms = 2 * MINUTE_MS;
  const [clay, linen] = await open();
  expect(clay?.differs).toEqual([
    { field: 'listing.title', ours: 'Stoneware mug', theirs: 'Another mug' },
    { field: 'listing.price', ours: 24.5, theirs: 30 },
    { field: 'listing.quantity', ours: 4, theirs: 6 },
  ]);
  expect(linen?.differs).toBeUndefined();
  // Without a further call.
  expect((await open())[0]?.differs).toHaveLength(3);
});

it('does not list sold stock, or stock that was put back on sale here', async () => {
  const listDiffering = async () => {
    ahead_ms += 2 * MINUTE_MS;
    return (await open()).map(({ differs }) => differs);
  };
  await service.control('POST', `/listings/${listing_ids[0]}/sell`, { quantity: 1 });
  expect(await listDiffering()).toEqual([undefined, undefined]);
  await service.control('POST', `/listings/${listing_ids[0]}/sell`, { quantity: 3 });
  await service.control('POST', `/listings/${listing_ids[1]}/sell`, { quantity: 4 });
  const shops = (await open()).map(({ shop_id }) => Number(shop_id));
  await service.call('listing_publish', { listing_pk, state: 'active', shops, stock: 9 });
  expect(await listDiffering()).toEqual([undefined, undefined]);
  await service.control('POST', `/listings/${listing_ids[0]}/sell`, { quantity: 2 });
  expect(await listDiffering()).toEqual([undefined, undefined]);
  await edit(0, { products: [{ quantity: 12 }] });
  expect((await listDiffering())[0]).toEqual([{ field: 'listing.quantity', ours: 9, theirs: 12 }]);
});

it('leaves the baseline of manual edits unchanged', async () => {
  const { account_id } = await service.app.core.accounts.getDefault();
  const readBaseline = async () =>
    (await service.app.store.listings.listSnapshots(account_id, listing_pk)).map(({ snapshot }) => snapshot);
  const before = await readBaseline();
  await edit(0, { title: 'Another mug', shop_section_id: null });
  ahead_ms = 2 * MINUTE_MS;
  expect((await open())[0]?.differs).toHaveLength(1);
  expect(await readBaseline()).toEqual(before);
});

it('reports a listing as gone if the marketplace no longer knows it, and as removed if it says so', async () => {
  await edit(0, { state: 'removed' });
  await service.control('POST', '/faults', {
    rules: [{ operation: 'getListing', times: 1, action: { type: 'status', status: 404 } }],
  });
  ahead_ms = 2 * MINUTE_MS;
  // One of the two calls gets the fault.
  expect(['gone,active', 'removed,gone']).toContain(String(listStates(await open())));
});
