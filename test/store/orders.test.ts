import { describe, expect, it } from 'vitest';
import { LeaseLostError } from '../../src/core/ports/index.js';
import { buildShop } from './shop_samples.js';
import { createTwoAccounts, openWorld, START } from './world.js';

const at = (seconds: number) => new Date(Date.parse(START) + seconds * 1000).toISOString();
const SHOP_ID = 101;
const FIRST = { shop_id: SHOP_ID, owner: 'first' };
const SECOND = { shop_id: SHOP_ID, owner: 'second' };

async function open() {
  const { store } = await openWorld();
  const { mine, other } = await createTwoAccounts(store);
  for (const account_id of [mine, other]) {
    const shop = { account_id, shop_id: SHOP_ID };
    const tokens = { access_token: 'a', refresh_token: 'r', access_expires_at: START };
    await store.tokens.saveTokens(shop, { ...tokens, scopes: ['transactions_r'] });
    await store.shops.saveShop(buildShop(account_id, SHOP_ID));
  }
  return { orders: store.orders, store, mine, other };
}

describe('the right to look at a shop', () => {
  it('is one process’s at a time, until it gives it back', async () => {
    const { orders } = await open();
    expect(await orders.claimPoll(FIRST, at(0), at(60))).toEqual({ interval_ms: 0, next_transit_at: null });
    expect(await orders.claimPoll(SECOND, at(1), at(60))).toBeUndefined();
    await orders.finishPoll(SECOND, at(0), { interval_ms: 9, next_transit_at: null });
    expect(await orders.claimPoll(SECOND, at(1), at(60))).toBeUndefined();
    await orders.finishPoll(FIRST, at(10), { interval_ms: 7, next_transit_at: at(99) });
    expect(await orders.claimPoll(SECOND, at(9), at(60))).toBeUndefined();
    expect(await orders.claimPoll(SECOND, at(10), at(60))).toEqual({
      interval_ms: 7,
      next_transit_at: at(99),
    });
  });

  it('is there at once after the clock was set back by more than the pause', async () => {
    const { orders } = await open();
    const state = { interval_ms: 90_000, next_transit_at: null };
    await orders.claimPoll(FIRST, at(10_000), at(10_060));
    await orders.finishPoll(FIRST, at(10_090), state);
    expect(await orders.claimPoll(FIRST, at(10_000), at(10_060))).toBeUndefined();
    expect(await orders.claimPoll(FIRST, at(9_999), at(10_059))).toEqual(state);
  });

  it('is lost with its time, and then nothing more is written with it', async () => {
    const { orders } = await open();
    const watches = await orders.listWatches(SHOP_ID);
    await orders.claimPoll(FIRST, at(0), at(60));
    await orders.saveHeardUntil(FIRST, watches, 50, 1000);
    await orders.claimPoll(SECOND, at(60), at(120));
    await expect(orders.saveHeardUntil(FIRST, watches, 70, 1000)).rejects.toThrow(LeaseLostError);
    await expect(orders.renewPoll(FIRST, at(999))).rejects.toThrow(LeaseLostError);
    await orders.saveHeardUntil(SECOND, watches, 40, 1000);
    const heard = (await orders.listWatches(SHOP_ID)).map(({ heard_until_s }) => heard_until_s);
    expect(heard).toEqual([50, 50]);
  });
});

describe('a watch', () => {
  it('begins with the connected shop and goes with it, and is one account’s', async () => {
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
    await orders.saveHeard({ account_id: mine, shop_id: SHOP_ID }, [order]);
    await orders.saveHeard({ account_id: mine, shop_id: SHOP_ID }, [{ ...order, changes: ['shipped'] }]);
    expect(await orders.listHeard({ account_id: mine, shop_id: SHOP_ID }, [5, 6])).toEqual([
      { ...order, changes: ['paid', 'shipped'] },
    ]);
    expect(await orders.listHeard({ account_id: other, shop_id: SHOP_ID }, [5])).toEqual([]);
    expect(await orders.listInTransit(SHOP_ID, 0)).toEqual([1]);
    await store.shops.deleteShop({ account_id: mine, shop_id: SHOP_ID });
    expect((await orders.listWatches(SHOP_ID)).map(({ account_id }) => account_id)).toEqual([other]);
    expect(await orders.listInTransit(SHOP_ID, 0)).toEqual([]);
  });
});

describe('a hint', () => {
  it('is taken by one, and by another when that one does not end it in time', async () => {
    const { orders } = await open();
    const hint = { webhook_id: 'msg_1', shop_id: SHOP_ID, receipt_id: 5, told: 'paid' } as const;
    expect(await orders.saveHint(hint, at(0))).toBe(true);
    expect(await orders.saveHint({ ...hint, receipt_id: 6 }, at(1))).toBe(false);
    expect(await orders.claimHint(at(0), at(60))).toEqual({ ...hint, attempt: 1, received_at: at(0) });
    expect(await orders.claimHint(at(59), at(119))).toBeUndefined();
    expect(await orders.claimHint(at(60), at(120))).toMatchObject({ attempt: 2 });
    await orders.finishHint('msg_1', at(61));
    await orders.postponeHint('msg_1', at(62));
    expect(await orders.claimHint(at(999), at(1000))).toBeUndefined();
    expect(await orders.saveHint(hint, at(1000))).toBe(false);
  });
});
