import { expect, it, onTestFinished } from 'vitest';
import type { BatchAnswer } from '../../../schemas/batch.js';
import { createServer } from '../../crash/server.js';
import { openWorld, type SandboxState, type World } from '../../crash/world.js';
import { buildMug } from '../../service.js';
import { openRest } from '../../surfaces/faces.js';

const LISTINGS = 40;
const ITEMS = 2 * LISTINGS;
/** Prices in cents, and their values raised by ten percent and rounded to x.90, half up. */
const toExpected = (cents: number) => Math.floor((cents * 1.1 - 90 + 50) / 100) * 100 + 90;

it('survives a kill halfway through planning 40 listings in two shops and two currencies, and is undone', async () => {
  const world = await openWorld({ settings: { ORDER_POLL_SECONDS: 'off' } });
  onTestFinished(() => world.close());
  const server = createServer(world);
  onTestFinished(() => server.close());
  const first = server.start();
  await first.url;
  const call = async <Answer>(id: string, input: Record<string, unknown>) => {
    const answer = await openRest(await server.getUrl(), world.key).call(id, input);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.output as Answer;
  };
  const show = async (batch_id: string) =>
    (await call<{ batches: BatchAnswer[] }>('batches_list', { batch_id })).batches[0];
  const listing_pks = await makeListings(world, call);
  const before = await readPrices(world);
  expect(Object.keys(before)).toHaveLength(ITEMS);

  const edits = [{ field: 'price', op: 'increase_percent', value: 10, round_to: 'x.90' }];
  let planned: BatchAnswer | undefined;
  const reads = await countCalls(world, async () => {
    planned = await call<BatchAnswer>('batch_create', { select: { listing_pks }, edits });
    await expect.poll(async () => (await show(planned?.batch_id ?? ''))?.status).toBe('planned');
  });
  const { batch_id = '' } = planned ?? {};
  expect((await show(batch_id))?.counts).toMatchObject({ items: ITEMS, changed: ITEMS, refused: 0 });
  expect(await readPrices(world)).toEqual(before);
  expect(reads.all).toBeLessThanOrEqual(Math.ceil(ITEMS / 100) + ITEMS);
  expect(reads.writes).toBe(0);
  const foreseen = (await show(batch_id))?.marketplace_calls ?? 0;

  const made = await countCalls(world, async () => {
    void call('batch_start', { batch_id }).catch(() => undefined);
    await expect
      .poll(async () => (await show(batch_id))?.counts.ok, { interval: 5 })
      .toBeGreaterThan(ITEMS / 4);
    first.kill();
    await first.ended;
    const { listings } = await world.control<SandboxState>('GET', '/state');
    const changed = listings.filter(
      ({ listing_id, inventory }) => inventory.products[0]?.offering.price_amount !== before[listing_id],
    );
    expect(changed.length).toBeLessThan(ITEMS);
    await server.start().url;
    await expect.poll(async () => (await show(batch_id))?.status, { timeout: 90_000 }).toBe('completed');
  });
  expect((await show(batch_id))?.counts).toMatchObject({ ok: ITEMS, error: 0, canceled: 0 });
  const expected = Object.fromEntries(Object.entries(before).map(([id, cents]) => [id, toExpected(cents)]));
  expect(await readPrices(world)).toEqual(expected);
  expect(made.writes).toBe(ITEMS);
  // The one listing in progress was read again in its two shops.
  expect(made.all).toBeGreaterThanOrEqual(foreseen);
  expect(made.all).toBeLessThanOrEqual(foreseen + 4);

  const undone = await countCalls(world, async () => {
    const undo = await call<BatchAnswer>('batch_undo', { batch_id });
    await expect.poll(async () => (await show(undo.batch_id))?.status, { timeout: 90_000 }).toBe('completed');
    expect((await show(undo.batch_id))?.counts).toMatchObject({ ok: ITEMS, error: 0 });
  });
  expect(await readPrices(world)).toEqual(before);
  expect(undone.writes).toBe(ITEMS);
});

async function makeListings(
  { stock }: World,
  call: (id: string, input: Record<string, unknown>) => Promise<unknown>,
): Promise<number[]> {
  const made: number[] = [];
  for (let index = 0; index < LISTINGS; index += 1) {
    const request = buildMug(stock.targets, {
      state: 'active',
      images: [{ url: stock.photos[0]?.url }],
      idempotency_key: `mug-${index}`,
    });
    Object.assign(request.listing, { title: `Mug ${index}`, price: 8 + index * 1.37 });
    request.listing.price = Math.round(request.listing.price * 100) / 100;
    const { listing_pk } = (await call('listing_create', request)) as { listing_pk: number };
    made.push(listing_pk);
  }
  return made;
}

/** In the smallest unit, by the marketplace's id. */
async function readPrices(world: World): Promise<Record<string, number>> {
  const { listings } = await world.control<SandboxState>('GET', '/state');
  return Object.fromEntries(
    listings.map(({ listing_id, inventory }) => [
      listing_id,
      inventory.products[0]?.offering.price_amount ?? 0,
    ]),
  );
}

const isOfListings = (name: string) => /Listing/.test(name) && !/ByListingIds|ByShop|Batch/.test(name);

/** Marketplace calls about listings. */
async function countCalls(world: World, work: () => Promise<void>): Promise<{ all: number; writes: number }> {
  const read = async () => (await world.control<SandboxState>('GET', '/state')).calls;
  const before = await read();
  await work();
  const made = Object.entries(await read()).map(
    ([name, calls]) => [name, calls - (before[name] ?? 0)] as const,
  );
  const sum = (isCounted: (name: string) => boolean) =>
    made.reduce((all, [name, calls]) => (isCounted(name) ? all + calls : all), 0);
  return { all: sum(isOfListings), writes: sum((name) => name === 'updateListingInventory') };
}
