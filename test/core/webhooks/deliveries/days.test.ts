import { describe, expect, it, onTestFinished } from 'vitest';
import { createEndpoints } from '../../../../src/core/webhooks/endpoints.js';
import { createOutbox } from '../../../../src/core/webhooks/deliveries/outbox.js';
import { createWebhookSender } from '../../../../src/webhooks/index.js';
import { makeMedia } from '../../../media/sample.js';
import { openWorld } from '../../../store/world.js';
import { startReceiver } from '../../../webhooks/receivers.js';
import { systemRandomness } from '../../../../src/world/randomness.js';

/** Days of sending in a moment: the store, the sender and the receiver are real, and only the clock is not. */
async function openDays(status = 500, headers: Record<string, string> = {}) {
  const { store, clock, log } = await openWorld();
  const { account_id } = await store.accounts.getDefaultAccount();
  const receiver = await startReceiver((response) => response.writeHead(status, headers).end());
  onTestFinished(() => receiver.close());
  const webhook_sender = createWebhookSender({
    randomness: systemRandomness,
    clock,
    user_agent: 'test',
    egress_allow_cidrs: ['127.0.0.0/8'],
    allow_http_webhooks: true,
  });
  const { media } = await makeMedia({ allow_http_webhooks: true });
  const endpoints = createEndpoints({ store, webhook_sender, media });
  const outbox = createOutbox({ store, clock, log, webhook_sender }, endpoints);
  await endpoints.set(account_id, { url: receiver.url });
  let events = 0;
  const record = async () => {
    events += 1;
    await store.webhooks.recordEvent({
      account_id,
      event_id: `evt_${events}`,
      event_type: 'order.paid',
      payload: '{}',
      created_at: clock.now().toISOString(),
      subject: null,
      change_key: `change:${events}`,
    });
  };
  /** Sends everything due until then, each at its time. */
  const sendUntil = async (until_ms: number) => {
    for (;;) {
      const [first] = await store.webhooks.listDueAccounts();
      if (!first || clock.now().getTime() + first.due_in_ms > until_ms) break;
      clock.advance(first.due_in_ms);
      for (const delivery of await outbox.claimDue(account_id, 9)) await outbox.send(delivery);
    }
    clock.advance(Math.max(0, until_ms - clock.now().getTime()));
  };
  const list = async () => {
    const { items } = await store.webhooks.listDeliveries(account_id, { limit: 100, offset: 0 });
    return Promise.all(items.reverse().map(({ id }) => store.webhooks.findDelivery(account_id, id)));
  };
  return { store, clock, account_id, outbox, receiver, record, sendUntil, list };
}

const DAY_MS = 24 * 60 * 60 * 1000;

describe('an event that its receiver never accepts', () => {
  it('is tried ten times in about three days, and then given up', async () => {
    const { clock, receiver, record, sendUntil, list } = await openDays();
    const start_ms = clock.now().getTime();
    await record();
    await sendUntil(start_ms + 30 * DAY_MS);
    const deliveries = await list();
    expect(deliveries.map((delivery) => [delivery?.attempt, delivery?.status, delivery?.error])).toEqual(
      Array.from({ length: 10 }, (_, index) => [index + 1, 'failed', 'status_500']),
    );
    expect(receiver.received).toHaveLength(10);
    const days = (Date.parse(deliveries.at(-1)?.completed_at ?? '') - start_ms) / DAY_MS;
    expect(days).toBeGreaterThan(2.5);
    expect(days).toBeLessThan(3.8);
  });
});

describe('a receiver that asks to wait', () => {
  it.each([
    ['seconds', () => '120', 120, 120],
    ['a date, by its own clock', () => new Date(Date.parse(RECEIVER_NOW) + 120_000).toUTCString(), 120, 120],
    ['a day', () => '86400', 300, 300],
    ['an invalid value', () => 'soon', 4, 6],
    ['a negative value', () => '-5', 4, 6],
    ['zero', () => '0', 4, 6],
  ])('gets a suitable delay for %s', async (_what, build, least_s, most_s) => {
    const headers = { 'retry-after': build(), date: RECEIVER_NOW };
    for (const status of [429, 503]) {
      const { store, outbox, account_id, record } = await openDays(status, headers);
      await record();
      for (const delivery of await outbox.claimDue(account_id, 9)) await outbox.send(delivery);
      const [next] = await store.webhooks.listDueAccounts();
      const wait_s = (next?.due_in_ms ?? 0) / 1000;
      expect(wait_s).toBeGreaterThanOrEqual(least_s);
      expect(wait_s).toBeLessThanOrEqual(most_s);
    }
  });
});

/** Days away from this computer's time. */
const RECEIVER_NOW = 'Sun, 06 Nov 1994 08:49:37 GMT';

describe('an endpoint that fails for days', () => {
  it('is disabled after five, and its pending deliveries are canceled', async () => {
    const { store, clock, account_id, record, sendUntil, list } = await openDays();
    const start_ms = clock.now().getTime();
    for (let day = 0; day < 8; day += 1) {
      await record();
      await sendUntil(start_ms + (day + 1) * DAY_MS);
    }
    const endpoint = await store.webhooks.findEndpoint(account_id);
    expect(endpoint).toMatchObject({ is_enabled: false, switch_off_reason: 'failing' });
    const days = (Date.parse(endpoint?.switched_off_at ?? '') - start_ms) / DAY_MS;
    expect(days).toBeGreaterThanOrEqual(5);
    expect(days).toBeLessThan(5.1);
    const errors = (await list()).map((delivery) => delivery?.error);
    expect(new Set(errors)).toEqual(new Set(['status_500', 'cancelled_endpoint_disabled']));
  });
});

describe('a computer that slept between claiming a delivery and sending it', () => {
  it('does not send it late, reports so, and claims it again', async () => {
    const { clock, account_id, outbox, receiver, record, list } = await openDays();
    await record();
    const [delivery] = await outbox.claimDue(account_id, 1);
    clock.advance(20_000);
    expect(await outbox.send(delivery!)).toMatchObject({ success: false, error: 'interrupted' });
    expect(receiver.received).toEqual([]);
    const [first, second] = await list();
    expect(first).toMatchObject({ status: 'failed', error: 'interrupted', response_status_code: null });
    expect(second).toMatchObject({ status: 'pending', due_at: clock.now().toISOString() });
    expect(await outbox.claimDue(account_id, 1)).toMatchObject([{ id: 2, step: 0 }]);
  });
});
