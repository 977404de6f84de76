import { createServer } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLAY, openRig, type Rig } from './harness.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const PATIENT = { timeout: 15_000, interval: 10 };

type Taken = { id: string; message: { event_type: string; resource_url: string; shop_id: number } };

/** A subscriber that verifies what comes, and answers what it is told to, the last again and again. */
async function openSubscriber(answers: number[] = [204]): Promise<{ url: string; taken: Taken[] }> {
  const taken: Taken[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await buffer(request)).toString();
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const message = new Webhook(SECRET).verify(body, headers) as Taken['message'];
      taken.push({ id: headers['webhook-id'] ?? '', message });
      response.writeHead((answers.length > 1 ? answers.shift() : answers[0]) ?? 204).end();
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}/hook`, taken };
}

async function open(answers?: number[]): Promise<Rig & { taken: Taken[] }> {
  const { url, taken } = await openSubscriber(answers);
  const rig = await openRig({ webhook: { url, secret: SECRET } });
  onTestFinished(() => rig.sandbox.close());
  return { ...rig, taken };
}

describe("the sandbox's messages", () => {
  it('tell each change of an order, signed, as the marketplace writes them', async () => {
    const { control, call, taken } = await open();
    const { receipt_id } = (await control('POST', '/receipts', { shop_id: CLAY.shop_id, is_paid: false }))
      .body;
    const path = `/shops/${CLAY.shop_id}/receipts/${receipt_id}`;
    await control('POST', '/receipts', { receipt_id, is_paid: true });
    await call('POST', `${path}/tracking`, { json: { tracking_code: 'x', carrier_name: 'usps' } });
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

  it('come again until they are taken, under one id', async () => {
    const { control, taken } = await open([500, 302, 204]);
    await control('POST', '/receipts', { shop_id: CLAY.shop_id, is_canceled: true, is_paid: false });
    await expect.poll(() => taken.length, PATIENT).toBe(3);
    expect(new Set(taken.map(({ id }) => id)).size).toBe(1);
  });

  it('come twice although they were taken, when they are told to', async () => {
    const { control, taken } = await open();
    await control('POST', '/settings', { webhook_copies: 2 });
    await control('POST', '/receipts', { shop_id: CLAY.shop_id });
    await expect.poll(() => taken.length, PATIENT).toBe(2);
    expect(taken[0]).toEqual(taken[1]);
  });

  it('are none where nobody asked for any', async () => {
    const rig = await openRig();
    onTestFinished(() => rig.sandbox.close());
    const { status } = await rig.control('POST', '/receipts', { shop_id: CLAY.shop_id });
    expect(status).toBe(200);
  });
});

describe('a canceled order', () => {
  it('has its money back, and one that was never paid has none to come back', async () => {
    const { control, call } = await open();
    for (const is_paid of [true, false]) {
      const made = await control('POST', '/receipts', { shop_id: CLAY.shop_id, is_paid });
      const { receipt_id } = made.body;
      await control('POST', '/receipts', { receipt_id, is_canceled: true });
      const { body } = await call('GET', `/shops/${CLAY.shop_id}/receipts/${receipt_id}`);
      expect(body).toMatchObject({ status: 'canceled', is_paid });
      expect(body.refunds.map(({ amount }: { amount: unknown }) => amount)).toEqual(
        is_paid ? [body.grandtotal] : [],
      );
    }
  });
});
