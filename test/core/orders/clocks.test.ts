import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CLAY, openOrderRig, subscribe, type OrderRig, type Process } from './rig.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SOON_MS = 2 * MINUTE_MS;

/**
 * ClayAndOak connected to the default account, which subscribes to all events; one order is recorded, and
 * polling is well under way.
 */
async function begin(): Promise<OrderRig & Process & { first: number }> {
  const rig = await openOrderRig();
  await rig.connect(rig.account_id, CLAY);
  const process = rig.openProcess();
  await subscribe(rig, rig.account_id, process.core);
  await process.poll();
  const first = await rig.order();
  await process.poll(SOON_MS);
  return { ...rig, ...process, first };
}

const listReported = async (rig: OrderRig) => (await rig.listEvents()).map(({ receipt_id }) => receipt_id);

async function getHeardUntil(rig: OrderRig): Promise<number> {
  const [watch] = await rig.store.orders.listWatches(CLAY.shop_id);
  return watch?.heard_until_s ?? 0;
}

/** Orders placed over the next two hours, with polls between them. */
async function placeMore(rig: OrderRig & Pick<Process, 'poll'>): Promise<number[]> {
  const placed: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    placed.push(await rig.order());
    await rig.poll(14 * MINUTE_MS);
  }
  return placed;
}

describe('the recorded time of the last change', () => {
  it('is that of the newest change seen, however late it is', async () => {
    const rig = await begin();
    const changed_s = await getHeardUntil(rig);
    expect(changed_s).toBe(Math.floor((rig.now() - SOON_MS) / 1000));
    rig.setClock(7 * MINUTE_MS);
    for (let n = 0; n < 3; n += 1) await rig.poll();
    expect(await getHeardUntil(rig)).toBe(changed_s);
  });
});

describe('no change of an order is lost', () => {
  it('if an answer is dated an hour ahead', async () => {
    const rig = await begin();
    rig.setMarketplaceClock(HOUR_MS);
    await rig.poll(SOON_MS);
    rig.setMarketplaceClock(-HOUR_MS);
    const placed = await placeMore(rig);
    expect(await listReported(rig)).toEqual([rig.first, ...placed]);
  });

  it('if an answer and an order in it are dated an hour ahead', async () => {
    const rig = await begin();
    rig.setMarketplaceClock(HOUR_MS);
    const odd = await rig.order();
    await rig.poll(SOON_MS);
    rig.setMarketplaceClock(-HOUR_MS);
    const placed = await placeMore(rig);
    expect(await listReported(rig)).toEqual([rig.first, odd, ...placed]);
  });

  it('if only an order is dated an hour ahead', async () => {
    const rig = await begin();
    rig.setMarketplaceClock(HOUR_MS);
    const odd = await rig.order();
    rig.setMarketplaceClock(-HOUR_MS);
    await rig.poll(SOON_MS);
    const placed = await placeMore(rig);
    expect(await listReported(rig)).toEqual([rig.first, odd, ...placed]);
  });

  it.each([HOUR_MS, -HOUR_MS])("if the service's clock is set by %d ms during a poll", async (by_ms) => {
    const rig = await begin();
    rig.setClock(-by_ms);
    await rig.poll(SOON_MS);
    const rules = [{ operation: 'getShopReceipts', times: 1, action: { type: 'slow', ms: 300 } }];
    await rig.control('/faults', { rules });
    const look = rig.poll(20 * MINUTE_MS);
    await pause(100);
    rig.setClock(by_ms);
    await look;
    const placed = await placeMore(rig);
    expect(await listReported(rig)).toEqual([rig.first, ...placed]);
  });

  it('if the clocks of the service and the marketplace are ahead together, as on one computer', async () => {
    const rig = await begin();
    rig.setClock(HOUR_MS);
    rig.setMarketplaceClock(HOUR_MS);
    const odd = await rig.order();
    await rig.poll(SOON_MS);
    rig.setClock(-HOUR_MS);
    rig.setMarketplaceClock(-HOUR_MS);
    const placed = await placeMore(rig);
    expect(await listReported(rig)).toEqual([rig.first, odd, ...placed]);
  });

  it('after a process that only knew clocks that were ahead', async () => {
    const rig = await begin();
    rig.setClock(3 * HOUR_MS);
    rig.setMarketplaceClock(3 * HOUR_MS);
    const odd = await rig.order();
    await rig.openProcess().poll(SOON_MS);
    expect(await getHeardUntil(rig)).toBeGreaterThan(rig.now() / 1000 + 3600);
    rig.setClock(-3 * HOUR_MS);
    rig.setMarketplaceClock(-3 * HOUR_MS);
    const next = await rig.order();
    const { poll } = rig.openProcess();
    await poll(30 * MINUTE_MS);
    expect(await getHeardUntil(rig)).toBeLessThanOrEqual(rig.now() / 1000);
    const placed = await placeMore({ ...rig, poll });
    expect(await listReported(rig)).toEqual([rig.first, odd, next, ...placed]);
  });

  it("if the service's clock was ahead when the shop was connected", async () => {
    const rig = await openOrderRig();
    rig.setClock(HOUR_MS);
    await rig.connect(rig.account_id, CLAY);
    const process = rig.openProcess();
    await subscribe(rig, rig.account_id, process.core);
    await process.poll(SOON_MS);
    rig.setClock(-HOUR_MS);
    const placed = await placeMore({ ...rig, ...process });
    expect(await listReported(rig)).toEqual(placed);
  });
});
