import { describe, expect, it } from 'vitest';
import { ClaimLostError } from '../../../src/core/ports/index.js';
import { buildShop } from '../samples/shop_samples.js';
import { createTwoAccounts, openWorld, START } from '../world.js';

const at = (seconds: number) => new Date(Date.parse(START) + seconds * 1000).toISOString();
const SHOP_ID = 101;

async function open() {
  const { store, clock, data_dir } = await openWorld();
  const other_process = await openWorld({ data_dir });
  const { mine, other } = await createTwoAccounts(store);
  for (const account_id of [mine, other]) {
    const shop = { account_id, shop_id: SHOP_ID };
    const tokens = { access_token: 'a', refresh_token: 'r', access_expires_at: START };
    await store.tokens.saveTokens(shop, { ...tokens, scopes: ['transactions_r'] });
    await store.shops.saveShop(buildShop(account_id, SHOP_ID));
  }
  /** Sets both processes' clocks; a negative value sets them back. */
  const advance = (seconds: number): void => {
    for (const each of [clock, other_process.clock]) each.set(seconds * 1000);
  };
  return { orders: store.orders, second: other_process.store.orders, store, mine, other, advance };
}

describe('the claim to poll a shop', () => {
  it('belongs to one process at a time, until it is released', async () => {
    const { orders, second, advance } = await open();
    const claimed = await orders.claimPoll(SHOP_ID, 60_000);
    expect(claimed).toMatchObject({ state: { interval_ms: 0, next_transit_at: null } });
    advance(1);
    expect(await second.claimPoll(SHOP_ID, 60_000)).toBeUndefined();
    const stranger = { shop_id: SHOP_ID, fence: claimed!.fence + 1 };
    await second.finishPoll(stranger, 0, { interval_ms: 9, next_transit_at: null });
    expect(await second.claimPoll(SHOP_ID, 60_000)).toBeUndefined();
    const state = { interval_ms: 7, next_transit_at: at(99) };
    await orders.finishPoll(claimed!, 9_000, state);
    advance(8);
    expect(await second.claimPoll(SHOP_ID, 60_000)).toBeUndefined();
    expect(await orders.listPolls()).toMatchObject([{ shop_id: SHOP_ID, due_in_ms: 1_000 }]);
    advance(1);
    expect(await orders.listPolls()).toMatchObject([{ shop_id: SHOP_ID, due_in_ms: 0 }]);
    expect(await second.claimPoll(SHOP_ID, 60_000)).toEqual({
      shop_id: SHOP_ID,
      fence: claimed!.fence + 1,
      state,
    });
  });

  it('passes to another process as soon as its own is gone', async () => {
    const { orders, second, store } = await open();
    expect(await orders.claimPoll(SHOP_ID, 60_000)).toBeDefined();
    expect(await second.claimPoll(SHOP_ID, 60_000)).toBeUndefined();
    await store.close();
    expect(await second.claimPoll(SHOP_ID, 60_000)).toBeDefined();
  });

  it('is available at once after the clock was set back by more than the pause', async () => {
    const { orders, advance } = await open();
    const state = { interval_ms: 90_000, next_transit_at: null };
    const claimed = await orders.claimPoll(SHOP_ID, 60_000);
    await orders.finishPoll(claimed!, 90_000, state);
    expect(await orders.claimPoll(SHOP_ID, 60_000)).toBeUndefined();
    advance(-1);
    expect(await orders.listPolls()).toMatchObject([{ shop_id: SHOP_ID, due_in_ms: 0 }]);
    expect(await orders.claimPoll(SHOP_ID, 60_000)).toMatchObject({ state });
  });

  it('expires, and no further writes are accepted under it', async () => {
    const { orders, second, advance } = await open();
    const watches = await orders.listWatches(SHOP_ID);
    const first = await orders.claimPoll(SHOP_ID, 60_000);
    await orders.saveHeardUntil(first!, watches, 50, 1000);
    advance(60);
    const next = await second.claimPoll(SHOP_ID, 60_000);
    await expect(orders.saveHeardUntil(first!, watches, 70, 1000)).rejects.toThrow(ClaimLostError);
    await expect(orders.renewPoll(first!, 60_000)).rejects.toThrow(ClaimLostError);
    await second.saveHeardUntil(next!, watches, 40, 1000);
    const heard = (await orders.listWatches(SHOP_ID)).map(({ heard_until_s }) => heard_until_s);
    expect(heard).toEqual([50, 50]);
  });
});

describe('a watch', () => {
  it('is listed as impossible to keep, across all accounts or for one', async () => {
    const { orders, store, mine, other } = await open();
    const marks = [mine, other].map((account_id) => ({ account_id, shop_id: SHOP_ID }));
    for (const marked of marks) await store.tokens.markReconnectRequired(marked);
    const unwatchable = marks.map((marked) => ({ ...marked, reason: 'reconnect' }));
    expect(await orders.listUnwatchable()).toEqual(expect.arrayContaining(unwatchable));
    expect(await orders.listUnwatchable(mine)).toEqual(unwatchable.slice(0, 1));
    expect(await orders.listUnwatchable('acct_none')).toEqual([]);
  });

  it('starts and ends with the connected shop, and belongs to one account', async () => {
    const { orders, store, mine, other } = await open();
    await store.shops.saveShop({ ...buildShop(mine, SHOP_ID), last_synced_at: at(99) });
    const watches = await orders.listWatches(SHOP_ID);
    expect(new Map(watches.map(({ account_id, since }) => [account_id, since]))).toEqual(
      new Map([
        [mine, START],
        [other, START],
      ]),
    );
    const order = { receipt_id: 5, created_at_s: 1, changes: ['paid' as const] };
    const summary = { updated_at_s: 2, total: null, items: [] };
    const shop = { account_id: mine, shop_id: SHOP_ID };
    await orders.saveRecorded(shop, [{ ...order, summary: { ...summary, updated_at_s: 1 } }]);
    await orders.saveRecorded(shop, [{ ...order, summary, changes: ['shipped'] }]);
    const listed = { ...order, shop_id: SHOP_ID, summary, changes: ['paid', 'shipped'] };
    expect(await orders.listOrders(mine, { limit: 5, offset: 0 })).toEqual({ total: 1, items: [listed] });
    expect(await orders.listOrders(mine, { shop_id: SHOP_ID + 1, limit: 5, offset: 0 })).toEqual({
      total: 0,
      items: [],
    });
    expect(await orders.listOrders(other, { limit: 5, offset: 0 })).toEqual({ total: 0, items: [] });
    expect(await orders.listRecorded({ account_id: mine, shop_id: SHOP_ID }, [5, 6])).toEqual([
      { ...order, changes: ['paid', 'shipped'] },
    ]);
    expect(await orders.listRecorded({ account_id: other, shop_id: SHOP_ID }, [5])).toEqual([]);
    expect(await orders.listInTransit(SHOP_ID, 0)).toEqual([1]);
    await store.shops.deleteShop({ account_id: mine, shop_id: SHOP_ID });
    expect((await orders.listWatches(SHOP_ID)).map(({ account_id }) => account_id)).toEqual([other]);
    expect(await orders.listInTransit(SHOP_ID, 0)).toEqual([]);
  });
});

describe('a hint', () => {
  it('is claimed by one process, and by another if the first does not finish it in time', async () => {
    const { orders, second, advance } = await open();
    const hint = { webhook_id: 'msg_1', shop_id: SHOP_ID, receipt_id: 5, told: 'paid' } as const;
    expect(await orders.saveHint(hint)).toBe(true);
    expect(await orders.saveHint({ ...hint, receipt_id: 6 })).toBe(false);
    const first = await orders.claimHint(60_000);
    expect(first).toEqual({ ...hint, attempt: 1, age_ms: 0 });
    expect(await orders.findNextHint()).toBe(60_000);
    advance(59);
    expect(await second.claimHint(60_000)).toBeUndefined();
    advance(1);
    expect(await orders.findNextHint()).toBe(0);
    const next = await second.claimHint(60_000);
    expect(next).toMatchObject({ attempt: 2, age_ms: 60_000 });
    // Under the lost claim.
    await orders.finishHint(first!);
    await orders.postponeHint(first!, 1);
    expect(await orders.findNextHint()).toBe(60_000);
    await second.finishHint(next!);
    await second.postponeHint(next!, 0);
    advance(999);
    expect(await orders.claimHint(1000)).toBeUndefined();
    expect(await orders.findNextHint()).toBeUndefined();
    expect(await orders.saveHint(hint)).toBe(false);
  });
});
