import { describe, expect, it } from 'vitest';
import { CLAY, DAY_MS, LINEN, openOrderRig, subscribe, type OrderRig, type Process } from './rig.js';

/** Long enough for another poll, but not for one of orders in transit. */
const SOON_MS = 5 * 60_000;

/** ClayAndOak connected to the default account, which subscribes to all events; the first poll is over. */
async function begin(): Promise<OrderRig & Process> {
  const rig = await openOrderRig();
  await rig.connect(rig.account_id, CLAY);
  const process = rig.openProcess();
  await subscribe(rig, rig.account_id, process.core);
  await process.poll();
  return { ...rig, ...process };
}

const listReported = async (rig: OrderRig, account_id?: string) =>
  (await rig.listEvents(account_id)).map(({ type, receipt_id }) => [type, receipt_id]);

describe('polling a shop', () => {
  it('reports nothing that happened before it was connected', async () => {
    const rig = await begin();
    await rig.poll();
    expect(await rig.listEvents()).toEqual([]);
  });

  it('reports each change of an order once, in order, despite other changes', async () => {
    const rig = await begin();
    const receipt_id = await rig.order({ is_paid: false });
    await rig.poll();
    expect(await rig.listEvents()).toEqual([]);
    await rig.change(receipt_id, { is_paid: true });
    await rig.poll();
    await rig.poll();
    await rig.change(receipt_id, { is_shipped: true });
    await rig.poll();
    await rig.change(receipt_id, {});
    await rig.poll();
    await rig.change(receipt_id, { is_delivered: true });
    await rig.poll();
    await rig.poll();
    expect(await listReported(rig)).toEqual([
      ['order.paid', receipt_id],
      ['order.shipped', receipt_id],
      ['order.delivered', receipt_id],
    ]);
  });

  it('reports changes between two polls in their order', async () => {
    const rig = await begin();
    const sent = await rig.order({ is_shipped: true, is_delivered: true });
    const lost = await rig.order({ is_canceled: true });
    await rig.poll();
    expect(await listReported(rig)).toEqual([
      ['order.paid', sent],
      ['order.shipped', sent],
      ['order.delivered', sent],
      ['order.paid', lost],
      ['order.canceled', lost],
    ]);
  });

  it('reports changes of older orders, but not their history', async () => {
    const rig = await openOrderRig();
    const [paid, shipped, old] = [
      await rig.order(),
      await rig.order({ is_shipped: true }),
      await rig.order(),
    ];
    rig.advance(100 * DAY_MS);
    const younger = await rig.order();
    rig.advance(1000);
    await rig.connect(rig.account_id, CLAY);
    const { core, poll } = rig.openProcess();
    await subscribe(rig, rig.account_id, core);
    await poll();
    expect(await rig.listEvents()).toEqual([]);
    await rig.change(paid, { is_shipped: true });
    await rig.change(shipped, { is_delivered: true });
    await rig.change(old, { is_canceled: true });
    await rig.change(younger, { is_canceled: true });
    await poll();
    expect(await listReported(rig)).toEqual([
      ['order.shipped', paid],
      ['order.canceled', old],
      ['order.canceled', younger],
    ]);
  });

  it('reports orders placed between connecting and the first poll', async () => {
    const rig = await openOrderRig();
    const before = await rig.order();
    rig.advance(1000);
    await rig.connect(rig.account_id, CLAY);
    const { core, poll } = rig.openProcess();
    await subscribe(rig, rig.account_id, core);
    const after = await rig.order({ is_canceled: true });
    await rig.change(before, { is_shipped: true });
    await poll();
    expect(await listReported(rig)).toEqual([
      ['order.shipped', before],
      ['order.paid', after],
      ['order.canceled', after],
    ]);
  });

  it('detects a delivery that the marketplace does not count as a change', async () => {
    const rig = await begin();
    const receipt_id = await rig.order({ is_shipped: true });
    await rig.poll();
    rig.advance(10 * DAY_MS);
    await rig.poll();
    await rig.control('/receipts/deliver-quietly', { receipt_id });
    await rig.poll();
    expect((await listReported(rig)).at(-1)).toEqual(['order.delivered', receipt_id]);
  });

  it('resumes where it was after a long pause, across many pages', async () => {
    const rig = await begin();
    const ids: number[] = [];
    for (let n = 0; n < 230; n += 1) {
      ids.push(await rig.order());
      if (n % 3 === 0) rig.advance(1000);
    }
    rig.advance(30 * DAY_MS);
    await rig.poll();
    expect((await listReported(rig)).map(([, receipt_id]) => receipt_id)).toEqual(ids);
  });

  it.each([{}, { is_shipped: true }])('costs one call if there is nothing new after %j', async (fields) => {
    const rig = await begin();
    await rig.order(fields);
    await rig.poll(SOON_MS);
    const before = await rig.countCalls();
    await rig.poll(SOON_MS);
    expect((await rig.countCalls()) - before).toBe(1);
  });
});

describe('two accounts with one shop', () => {
  it('both receive its orders, with one poll', async () => {
    const rig = await begin();
    const { account_id: other } = await rig.store.accounts.createAccount('other');
    await rig.connect(other, CLAY);
    await subscribe(rig, other, rig.core);
    await rig.poll();
    const receipt_id = await rig.order();
    const before = await rig.countCalls();
    await rig.poll(SOON_MS);
    expect((await rig.countCalls()) - before).toBe(1);
    expect(await listReported(rig)).toEqual([['order.paid', receipt_id]]);
    expect(await listReported(rig, other)).toEqual([['order.paid', receipt_id]]);
  });

  it('miss nothing: one whose grant has ended receives everything after connecting again', async () => {
    const rig = await begin();
    const { account_id: other } = await rig.store.accounts.createAccount('other');
    await rig.connect(other, CLAY);
    await subscribe(rig, other, rig.core);
    await rig.poll();
    await rig.store.tokens.markReconnectRequired({ account_id: other, shop_id: CLAY.shop_id });
    const receipt_id = await rig.order();
    await rig.poll();
    expect(await listReported(rig)).toEqual([['order.paid', receipt_id]]);
    expect(await listReported(rig, other)).toEqual([]);
    await rig.connect(other, CLAY);
    await rig.poll();
    expect(await listReported(rig, other)).toEqual([['order.paid', receipt_id]]);
  });

  it("fall back to the other's grant while the application of the first is refused, for a poll and for a message", async () => {
    const rig = await openOrderRig();
    const { account_id: other } = await rig.store.accounts.createAccount('other');
    const [mine = '', theirs = ''] = [rig.account_id, other].sort();
    await rig.connect(mine, CLAY);
    const shop = { account_id: mine, shop_id: CLAY.shop_id };
    const kept = await rig.store.tokens.findTokens(shop);
    if (!kept) throw new Error('no tokens are kept');
    const revoked = { keystring: 'revoked', shared_secret: 'secret', webhook_secret: null };
    await rig.store.tokens.saveTokens(shop, kept, revoked);
    await rig.connect(theirs, CLAY);
    const { core, poll, hear } = rig.openProcess();
    await subscribe(rig, theirs, core);
    await poll();
    const receipt_id = await rig.order();
    await poll();
    expect(await listReported(rig, theirs)).toEqual([['order.paid', receipt_id]]);
    const second = await rig.order();
    await hear('paid', second);
    expect(await listReported(rig, theirs)).toEqual([
      ['order.paid', receipt_id],
      ['order.paid', second],
    ]);
    // Its grant is as good as before.
    expect(await rig.store.shops.findShop(shop)).toMatchObject({ is_reconnect_required: false });
  });

  it("fall back to the other's grant if that of the first has ended", async () => {
    const rig = await openOrderRig();
    const { account_id: other } = await rig.store.accounts.createAccount('other');
    const mine = rig.account_id < other ? rig.account_id : other;
    const theirs = mine === other ? rig.account_id : other;
    await rig.connect(mine, CLAY);
    await rig.control('/tokens/revoke', { user_id: CLAY.user_id });
    await rig.connect(theirs, CLAY);
    const { core, poll } = rig.openProcess();
    await subscribe(rig, theirs, core);
    await poll();
    const receipt_id = await rig.order();
    await poll();
    expect(await listReported(rig, theirs)).toEqual([['order.paid', receipt_id]]);
    const kept = await rig.store.shops.findShop({ account_id: mine, shop_id: CLAY.shop_id });
    expect(kept?.is_reconnect_required).toBe(true);
  });
});

describe('a shop that cannot be polled', () => {
  it.each([
    {
      reason: 'scope',
      spoil: (rig: OrderRig) => rig.connect(rig.account_id, LINEN, ['shops_r', 'listings_r']),
    },
    {
      reason: 'reconnect',
      spoil: async (rig: OrderRig) => {
        await rig.connect(rig.account_id, LINEN);
        await rig.control('/tokens/revoke', { user_id: LINEN.user_id });
      },
    },
  ])('is skipped and reported once ($reason)', async ({ reason, spoil }) => {
    const rig = await openOrderRig();
    await rig.connect(rig.account_id, CLAY);
    await spoil(rig);
    const { core, poll } = rig.openProcess();
    await subscribe(rig, rig.account_id, core);
    for (let n = 0; n < 4; n += 1) await poll();
    const result = rig.log.lines.filter(({ message }) => message.startsWith('no order events for a shop'));
    expect(result.map(({ fields }) => fields)).toEqual([{ shop_id: LINEN.shop_id, reason }]);
    const receipt_id = await rig.order();
    await poll();
    expect(await listReported(rig)).toEqual([['order.paid', receipt_id]]);
  });
});

describe('the last calls of a day', () => {
  it('are not used for polls, and the shop is polled later', async () => {
    const rig = await begin();
    const receipt_id = await rig.order();
    await rig.control('/settings', { rate_per_day: 10 });
    await rig.poll();
    const before = await rig.countCalls();
    await rig.poll();
    expect(await rig.countCalls()).toBe(before);
    await rig.control('/settings', { rate_per_day: 100_000 });
    await rig.poll(DAY_MS);
    expect(await listReported(rig)).toEqual([['order.paid', receipt_id]]);
  });
});

describe("the marketplace's messages", () => {
  it('are reported at once, and not again', async () => {
    const rig = await begin();
    const receipt_id = await rig.order();
    expect(await rig.hear('paid', receipt_id, 'msg_1')).toBe('taken');
    expect(await rig.hear('paid', receipt_id, 'msg_1')).toBe('known');
    expect(await rig.hear('paid', receipt_id, 'msg_2')).toBe('taken');
    await rig.poll();
    await rig.change(receipt_id, { is_shipped: true });
    await rig.change(receipt_id, { is_delivered: true });
    await rig.hear('delivered', receipt_id);
    await rig.hear('shipped', receipt_id);
    await rig.poll();
    expect((await listReported(rig)).map(([type]) => type)).toEqual([
      'order.paid',
      'order.shipped',
      'order.delivered',
    ]);
  });

  it('about unknown orders are believed as far as the order confirms them', async () => {
    const rig = await openOrderRig();
    const receipt_id = await rig.order({ is_shipped: true });
    rig.advance(100 * DAY_MS);
    await rig.connect(rig.account_id, CLAY);
    const { core, hear } = rig.openProcess();
    await subscribe(rig, rig.account_id, core);
    await hear('canceled', receipt_id);
    expect(await listReported(rig)).toEqual([]);
    await rig.change(receipt_id, { is_delivered: true });
    await hear('delivered', receipt_id);
    expect(await listReported(rig)).toEqual([['order.delivered', receipt_id]]);
  });

  it('about an order recorded so long ago that it was forgotten report what is new, and nothing again', async () => {
    const rig = await openOrderRig();
    await rig.connect(rig.account_id, CLAY);
    const { core, hear, poll } = rig.openProcess();
    const receipt_id = await rig.order();
    await poll();
    rig.advance(399 * DAY_MS);
    expect(await core.sweeper.sweep()).toMatchObject({ events: 1 });
    rig.advance(2 * DAY_MS);
    expect(await core.sweeper.sweep()).toMatchObject({ orders: 1 });

    await rig.connect(rig.account_id, CLAY);
    await subscribe(rig, rig.account_id, core);
    await rig.change(receipt_id, { is_canceled: true });
    await hear('canceled', receipt_id);
    expect(await listReported(rig)).toEqual([['order.canceled', receipt_id]]);
  });

  it('about changes the order does not show yet are followed up again', async () => {
    const rig = await begin();
    const receipt_id = await rig.order({ is_paid: false });
    await rig.hear('paid', receipt_id);
    expect(await listReported(rig)).toEqual([]);
    await rig.change(receipt_id, { is_paid: true });
    rig.advance(5000);
    await rig.core.orders.hints.followNext(new AbortController().signal);
    expect(await listReported(rig)).toEqual([['order.paid', receipt_id]]);
    expect(await rig.core.orders.hints.findNextAt()).toBeUndefined();
  });

  it('are followed up later if the marketplace does not answer, and dropped after a day', async () => {
    const rig = await begin();
    const receipt_id = await rig.order();
    await rig.control('/faults', {
      rules: [{ operation: 'getShopReceipt', times: 100, action: { type: 'status', status: 500 } }],
    });
    await rig.hear('paid', receipt_id);
    expect(await rig.core.orders.hints.findNextAt()).toBeDefined();
    rig.advance(DAY_MS + 1);
    await rig.core.orders.hints.followNext(new AbortController().signal);
    expect(await rig.core.orders.hints.findNextAt()).toBeUndefined();
    expect(await rig.listEvents()).toEqual([]);
  });

  it('about unknown shops and orders are dropped', async () => {
    const rig = await begin();
    const message = { webhook_id: 'msg_1', shop_id: LINEN.shop_id, receipt_id: 1, told: 'paid' } as const;
    expect(await rig.core.orders.hints.take(message)).toBe('ignored');
    await rig.hear('paid', 1);
    for (const pause_ms of [5_000, 30_000]) {
      // It may be faster than its order.
      expect(await rig.core.orders.hints.findNextAt()).toBeDefined();
      rig.advance(pause_ms);
      await rig.core.orders.hints.followNext(new AbortController().signal);
    }
    expect(await rig.core.orders.hints.findNextAt()).toBeUndefined();
  });

  it('that are faster than their order are followed up until it is there', async () => {
    const rig = await begin();
    const receipt_id = await rig.order();
    await rig.control('/faults', {
      rules: [{ operation: 'getShopReceipt', times: 1, action: { type: 'status', status: 404 } }],
    });
    await rig.hear('paid', receipt_id);
    expect(await listReported(rig)).toEqual([]);
    rig.advance(5_000);
    await rig.core.orders.hints.followNext(new AbortController().signal);
    expect(await listReported(rig)).toEqual([['order.paid', receipt_id]]);
  });
});
