import { describe, expect, it, onTestFinished } from 'vitest';
import { CLAY, openRig } from './harness.js';
import { openSubscribed as open, PATIENT } from './subscriber.js';

describe("the sandbox's messages", () => {
  it("report each change of an order, signed and in the marketplace's form", async () => {
    const { control, taken } = await open();
    const { receipt_id } = (await control('POST', '/receipts', { shop_id: CLAY.shop_id, is_paid: false }))
      .body;
    const path = `/shops/${CLAY.shop_id}/receipts/${receipt_id}`;
    await control('POST', '/receipts', { receipt_id, is_paid: true });
    await control('POST', '/receipts', { receipt_id, is_shipped: true });
    await control('POST', '/receipts', { receipt_id, is_delivered: true });
    await control('POST', '/receipts', { receipt_id });
    await expect.poll(() => taken.length, PATIENT).toBe(3);
    const resource_url = `https://api.etsy.com/v3/application${path}`;
    expect(taken.map(({ message }) => message)).toEqual(
      ['order.paid', 'order.shipped', 'order.delivered'].map((event_type) => ({
        event_type,
        resource_url,
        shop_id: CLAY.shop_id,
      })),
    );
  });

  it('are repeated under one id until they are accepted', async () => {
    const { control, taken } = await open([500, 302, 204]);
    await control('POST', '/receipts', { shop_id: CLAY.shop_id, is_canceled: true, is_paid: false });
    await expect.poll(() => taken.length, PATIENT).toBe(3);
    expect(new Set(taken.map(({ id }) => id)).size).toBe(1);
  });

  it('can be sent twice although they were accepted', async () => {
    const { control, taken } = await open();
    await control('POST', '/settings', { webhook_copies: 2 });
    await control('POST', '/receipts', { shop_id: CLAY.shop_id });
    await expect.poll(() => taken.length, PATIENT).toBe(2);
    expect(taken[0]).toEqual(taken[1]);
  });

  it('are not sent if no address for messages is set', async () => {
    const rig = await openRig();
    onTestFinished(() => rig.sandbox.close());
    const { status } = await rig.control('POST', '/receipts', { shop_id: CLAY.shop_id });
    expect(status).toBe(200);
  });
});

describe('a canceled order', () => {
  it('has a refund, unless it was never paid', async () => {
    const { control, call } = await open();
    for (const isPaid of [true, false]) {
      const made = await control('POST', '/receipts', { shop_id: CLAY.shop_id, is_paid: isPaid });
      const { receipt_id } = made.body;
      await control('POST', '/receipts', { receipt_id, is_canceled: true });
      const { body } = await call('GET', `/shops/${CLAY.shop_id}/receipts/${receipt_id}`);
      expect(body).toMatchObject({ status: 'canceled', is_paid: isPaid });
      expect(body.refunds.map(({ amount }: { amount: unknown }) => amount)).toEqual(
        isPaid ? [body.grandtotal] : [],
      );
    }
  });
});
