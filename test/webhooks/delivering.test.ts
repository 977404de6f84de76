import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EventType } from '../../schemas/endpoint.js';
import type { DeliveryDetail, DeliveryOutcome } from '../../schemas/delivery.js';
import { startService, type TestService } from '../service.js';
import { startReceiver, verify, type Receiver } from './receivers.js';

const PATIENT = { timeout: 20_000, interval: 20 };

async function start(options: { data_dir?: string; is_sending?: boolean } = {}): Promise<TestService> {
  const { is_sending = true, ...rest } = options;
  const service = await startService({}, rest);
  onTestFinished(() => service.close({ keep: rest.data_dir !== undefined }));
  if (is_sending) service.app.delivery_worker.start();
  return service;
}

async function receive(...behaviour: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...behaviour);
  onTestFinished(() => receiver.close());
  return receiver;
}

/** Answers nothing until told to. */
async function receiveHeld() {
  const held: (() => void)[] = [];
  let isOpen = false;
  const receiver = await receive((response) => {
    const answer = () => void response.writeHead(200).end();
    if (isOpen) answer();
    else held.push(answer);
  });
  const letGo = () => {
    isOpen = true;
    for (const answer of held.splice(0)) answer();
  };
  return { ...receiver, letGo };
}

async function setEndpoint(service: TestService, url: string, more: object = {}): Promise<string> {
  const { secret } = await service.call<{ secret?: string }>('webhook_endpoint_set', { url, ...more });
  return secret ?? '';
}

let changes = 0;

/** An order event of the default account, or of another. */
async function record(
  service: TestService,
  options: { account_id?: string; subject?: string; event_type?: EventType; data?: object } = {},
): Promise<void> {
  changes += 1;
  const { account_id } = await service.app.core.accounts.getDefault();
  const reported = await service.app.core.events.record({
    account_id,
    event_type: 'order.paid',
    data: { order: changes },
    subject: `etsy:1:${changes}`,
    change_key: `change:${changes}`,
    ...options,
  });
  expect(reported).toBe('recorded');
}

/** `attempt status error` of each delivery, oldest first. */
async function listDeliveries(service: TestService): Promise<string[]> {
  const { deliveries } = await service.call<{ deliveries: { id: number }[] }>('webhooks_deliveries', {
    limit: 100,
  });
  const reported = await Promise.all(deliveries.map(({ id }) => getDelivery(service, id)));
  return reported.reverse().map(({ attempt, status, error }) => [attempt, status, error].join(' ').trim());
}

/** The status of each delivery, newest first, in one call: for polling. */
async function listStatuses(service: TestService): Promise<string[]> {
  const { deliveries } = await service.call<{ deliveries: { status: string }[] }>('webhooks_deliveries', {
    limit: 100,
  });
  return deliveries.map(({ status }) => status);
}

async function getDelivery(service: TestService, id: number): Promise<DeliveryDetail> {
  const { deliveries } = await service.call<{ deliveries: DeliveryDetail[] }>('webhooks_deliveries', { id });
  return deliveries[0]!;
}

const retry = (service: TestService, delivery_id: number) =>
  service.call<DeliveryOutcome>('webhook_delivery_retry', { delivery_id });

describe('an order event', () => {
  it('arrives as recorded and signed, and is shown as delivered', async () => {
    const service = await start();
    const receiver = await receive();
    const secret = await setEndpoint(service, receiver.url);
    // Characters that a buyer or the marketplace can write and many receivers cannot read.
    await record(service, { data: { note: 'gr\0öß\ud83der ✓\udc00' } });
    await expect.poll(() => listDeliveries(service), PATIENT).toEqual(['1 success']);

    const [received] = receiver.received;
    const event = verify(secret, received!);
    expect(event).toMatchObject({ id: received!.id, type: 'order.paid', data: { note: 'größer ✓' } });
    expect(await getDelivery(service, 1)).toMatchObject({
      payload: JSON.parse(received!.body),
      event_id: event.id,
      response_status_code: 204,
      url: receiver.url,
      completed_at: expect.any(String),
    });
  });

  it('is retried after some seconds, with the same id', async () => {
    const service = await start();
    const receiver = await receive((response) =>
      response.writeHead(receiver.received.length === 1 ? 503 : 200).end(),
    );
    const secret = await setEndpoint(service, receiver.url);
    await record(service);
    await expect.poll(() => listDeliveries(service), PATIENT).toEqual(['1 failed status_503', '2 pending']);
    const { due_at, created_at } = await getDelivery(service, 2);
    const delay_ms = Date.parse(due_at ?? '') - Date.parse(created_at);
    expect(delay_ms).toBeGreaterThanOrEqual(4_000);
    expect(delay_ms).toBeLessThanOrEqual(6_000);

    await expect.poll(() => listDeliveries(service), PATIENT).toEqual(['1 failed status_503', '2 success']);
    const [first, second] = receiver.received;
    expect(verify(secret, first!)).toEqual(verify(secret, second!));
    expect(first!.body).toBe(second!.body);
  });

  it('is sent only to destinations that subscribe to its type', async () => {
    const service = await start();
    const receiver = await receive();
    await setEndpoint(service, receiver.url, { events: ['order.shipped', 'order.shipped'] });
    await record(service, { event_type: 'order.paid' });
    await record(service, { event_type: 'order.shipped' });
    await expect.poll(() => receiver.received.length, PATIENT).toBe(1);
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ type: 'order.shipped' });
  });

  it('waits for the first attempt of the previous event of the same order, and no longer', async () => {
    const service = await start();
    const receiver = await receiveHeld();
    await setEndpoint(service, receiver.url);
    await record(service, { subject: 'etsy:1:a', event_type: 'order.paid' });
    await record(service, { subject: 'etsy:1:a', event_type: 'order.shipped' });
    await record(service, { subject: 'etsy:1:b', event_type: 'order.canceled' });
    const listTypes = () => receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    await expect.poll(listTypes, PATIENT).toEqual(['order.paid', 'order.canceled']);
    receiver.letGo();
    await expect.poll(listTypes, PATIENT).toEqual(['order.paid', 'order.canceled', 'order.shipped']);
  });

  it('recorded by another process is noticed', async () => {
    const service = await start();
    const receiver = await receive();
    await setEndpoint(service, receiver.url);
    const other = await start({ data_dir: service.data_dir, is_sending: false });
    await record(other);
    await expect.poll(() => receiver.received.length, PATIENT).toBe(1);
  });

  it('is sent once if two processes send', async () => {
    const service = await start();
    const receiver = await receive((response) => void setTimeout(() => response.end(), 5));
    await setEndpoint(service, receiver.url);
    const other = await start({ data_dir: service.data_dir });
    for (let n = 0; n < 60; n += 1) await record(n % 2 === 0 ? service : other);
    await expect.poll(() => listStatuses(service), PATIENT).toEqual(Array(60).fill('success'));
    expect(new Set(await listDeliveries(service))).toEqual(new Set(['1 success']));
    expect(receiver.listIds()).toHaveLength(60);
    expect(new Set(receiver.listIds()).size).toBe(60);
  });

  it('in flight is finished before the process ends, and no other is started', async () => {
    const service = await start();
    const receiver = await receiveHeld();
    await setEndpoint(service, receiver.url);
    await record(service);
    await expect.poll(() => receiver.received.length, PATIENT).toBe(1);
    const stopped = service.app.delivery_worker.stop();
    await record(service);
    receiver.letGo();
    await stopped;
    expect(await listDeliveries(service)).toEqual(['1 success', '1 pending']);
    expect(receiver.received).toHaveLength(1);
  });
});

describe('receivers that hang', () => {
  it('delay no other receiver', async () => {
    const service = await start();
    const { core } = service.app;
    const hung = await receiveHeld();
    const well = await receive();
    const crowd = await Promise.all(Array.from({ length: 12 }, (_, n) => core.accounts.create(`hung ${n}`)));
    for (const { account_id } of crowd) await core.endpoints.set(account_id, { url: hung.url });
    await setEndpoint(service, well.url);
    for (const { account_id } of crowd) {
      for (let n = 0; n < 4; n += 1) await record(service, { account_id });
    }
    for (let n = 0; n < 30; n += 1) await record(service);
    await expect.poll(() => new Set(well.listIds()).size, PATIENT).toBe(30);
    // The others have not answered yet: two deliveries each are in flight.
    await expect.poll(() => hung.received.length, PATIENT).toBe(24);
    hung.letGo();
    await expect.poll(() => hung.received.length, PATIENT).toBe(48);
  });

  it('that fail after they answered well put their unsent deliveries back in the queue', async () => {
    const service = await start({ is_sending: false });
    let answered = 0;
    const receiver = await receive((response) => {
      answered += 1;
      response.writeHead(answered <= 20 ? 200 : 500).end();
    });
    await setEndpoint(service, receiver.url);
    // However slow the machine, these and their next two attempts are on the one page that is read.
    for (let n = 0; n < 40; n += 1) await record(service);
    service.app.delivery_worker.start();
    await expect
      .poll(
        async () => (await listDeliveries(service)).filter((reported) => reported === '1 success').length,
        PATIENT,
      )
      .toBe(20);
    await expect
      .poll(
        async () => (await listDeliveries(service)).filter((reported) => reported === '1 pending').length,
        PATIENT,
      )
      .toBe(0);
    const firsts = (await listDeliveries(service)).filter((reported) => reported.startsWith('1 '));
    expect(new Set(firsts)).toEqual(new Set(['1 success', '1 failed status_500']));
    expect(firsts).toHaveLength(40);
  });

  it('with many deliveries are not sent everything at once', async () => {
    const service = await start();
    const receiver = await receive((response) => void setTimeout(() => response.end(), 10));
    await setEndpoint(service, receiver.url);
    for (let n = 0; n < 100; n += 1) await record(service);
    await expect.poll(() => receiver.received.length, PATIENT).toBe(100);
    expect(receiver.getMostAtOnce()).toBeLessThanOrEqual(8);
  });
});

describe('the destination', () => {
  it('is switched off after a 410, its pending deliveries are canceled, and setting it again switches it on', async () => {
    const service = await start();
    let refuse: (() => void) | undefined;
    const receiver = await receive((response) => {
      if (receiver.received.length === 1) refuse = () => response.writeHead(410).end();
      else response.end();
    });
    const secret = await setEndpoint(service, receiver.url);
    await record(service, { subject: 'etsy:1:z' });
    await record(service, { subject: 'etsy:1:z' });
    // Only now, because a destination that is switched off has no pending deliveries.
    await expect.poll(() => refuse, PATIENT).toBeDefined();
    refuse?.();
    const ended = ['1 failed status_410', '1 failed cancelled_endpoint_disabled'];
    await expect.poll(() => listDeliveries(service), PATIENT).toEqual(ended);
    expect(await service.call('webhook_endpoint_get')).toMatchObject({
      enabled: false,
      switch_off_reason: 'gone',
      switched_off_at: expect.any(String),
    });
    await record(service);
    expect(await service.refuse('webhook_test')).toMatchObject({
      code: 'WEBHOOK_NOT_CONFIGURED',
      message: 'The webhook destination is switched off.',
      hint: expect.stringContaining('webhook_endpoint_set'),
    });

    expect(await setEndpoint(service, receiver.url)).toBe('');
    await record(service);
    await expect.poll(() => listDeliveries(service), PATIENT).toEqual([...ended, '1 success']);
    expect(verify(secret, receiver.received[1]!)).toMatchObject({ type: 'order.paid' });
    expect(await service.call('webhook_endpoint_get')).toMatchObject({
      enabled: true,
      switch_off_reason: null,
    });
  });

  it('with a new secret also gets signatures with the old one', async () => {
    const service = await start();
    const receiver = await receive();
    const old = await setEndpoint(service, receiver.url);
    const secret = await setEndpoint(service, receiver.url, { rotate_secret: true });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).not.toBe(old);
    const { previous_secret_valid_until } = await service.call<{ previous_secret_valid_until: string }>(
      'webhook_endpoint_get',
    );
    const hours = (Date.parse(previous_secret_valid_until) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    await record(service);
    await expect.poll(() => receiver.received.length, PATIENT).toBe(1);
    expect(verify(secret, receiver.received[0]!)).toEqual(verify(old, receiver.received[0]!));
  });

  it('whose secret changed twice within a day still gets signatures with the first', async () => {
    const service = await start();
    const receiver = await receive();
    const rotate = () => setEndpoint(service, receiver.url, { rotate_secret: true });
    const secrets = [await setEndpoint(service, receiver.url), await rotate(), await rotate()];
    // Another change to it drops no secret.
    await setEndpoint(service, receiver.url, { events: ['order.paid'] });
    await service.call('webhook_test');
    for (const secret of secrets) {
      expect(verify(secret, receiver.received[0]!)).toMatchObject({ type: 'webhook.test' });
    }
  });

  it('set twice at the same moment has the secret that was returned last', async () => {
    const service = await start();
    const receiver = await receive();
    const answers = await Promise.all([1, 2, 3].map(() => setEndpoint(service, receiver.url)));
    const secrets = answers.filter((secret) => secret !== '');
    expect(secrets).toHaveLength(1);
    await service.call('webhook_test');
    expect(verify(secrets[0]!, receiver.received[0]!)).toMatchObject({ type: 'webhook.test' });
  });

  it('that is deleted cancels its pending deliveries', async () => {
    const service = await start({ is_sending: false });
    const receiver = await receive();
    await setEndpoint(service, receiver.url);
    await record(service);
    expect(await service.call('webhook_endpoint_delete')).toEqual({ deleted: true, cancelled_deliveries: 1 });
    expect(await service.call('webhook_endpoint_delete')).toEqual({
      deleted: false,
      cancelled_deliveries: 0,
    });
    expect(await listDeliveries(service)).toEqual(['1 failed cancelled_endpoint_deleted']);
    expect(await service.refuse('webhook_endpoint_get')).toMatchObject({ code: 'WEBHOOK_NOT_CONFIGURED' });
    expect(await service.refuse('webhook_delivery_retry', { delivery_id: 1 })).toMatchObject({
      code: 'WEBHOOK_NOT_CONFIGURED',
    });
  });

  it.each(['webhook_endpoint_delete', 'webhook_endpoint_set'])(
    'that changes receives no more than the deliveries in flight: %s',
    async (operation) => {
      const service = await start({ is_sending: false });
      const receiver = await receive((response) => void setTimeout(() => response.end(), 10));
      const next = await receive();
      await setEndpoint(service, receiver.url);
      for (let n = 0; n < 150; n += 1) await record(service);
      service.app.delivery_worker.start();
      await expect.poll(() => receiver.received.length, { timeout: 20_000, interval: 1 }).toBeGreaterThan(20);
      await service.call(operation, operation === 'webhook_endpoint_set' ? { url: next.url } : {});
      const received = receiver.received.length;
      await expect.poll(() => listStatuses(service), PATIENT).not.toContain('pending');
      expect(receiver.received.length - received).toBeLessThanOrEqual(8);
    },
  );

  it.each(['ftp://example.com/', 'https://user@example.com/', 'nonsense'])('must not be %s', async (url) => {
    const service = await start({ is_sending: false });
    expect(await service.refuse('webhook_endpoint_set', { url })).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringMatching(/^url: /),
    });
  });

  it('must be https unless configured otherwise', async () => {
    const service = await startService({ WEBHOOK_ALLOW_HTTP: 'off' });
    onTestFinished(() => service.close());
    expect(await service.refuse('webhook_endpoint_set', { url: 'http://example.com/' })).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('https'),
    });
  });
});

describe('a manual retry', () => {
  it('sends a pending delivery immediately, and finishes it if it succeeds', async () => {
    const service = await start();
    const receiver = await receive((response) =>
      response.writeHead(receiver.received.length < 2 ? 500 : 200).end(),
    );
    await setEndpoint(service, receiver.url);
    await record(service);
    await expect.poll(() => listDeliveries(service), PATIENT).toEqual(['1 failed status_500', '2 pending']);
    expect(await retry(service, 2)).toEqual({
      success: true,
      response_status_code: 200,
      error: null,
      delivery_id: 2,
    });
    expect(await listDeliveries(service)).toEqual(['1 failed status_500', '2 success']);
  });

  it('of a finished delivery is a new delivery, and its success cancels the pending one', async () => {
    const service = await start();
    const receiver = await receive((response) =>
      response.writeHead(receiver.received.length < 3 ? 500 : 200).end(),
    );
    await setEndpoint(service, receiver.url);
    await record(service);
    await expect.poll(() => listDeliveries(service), PATIENT).toEqual(['1 failed status_500', '2 pending']);
    expect(await retry(service, 1)).toMatchObject({ success: false, error: 'status_500', delivery_id: 3 });
    expect(await retry(service, 1)).toMatchObject({ success: true, error: null, delivery_id: 4 });
    expect(await listDeliveries(service)).toEqual([
      '1 failed status_500',
      '2 failed cancelled_delivered',
      '3 failed status_500',
      '4 success',
    ]);
  });

  it('of a delivery in flight waits for it, and sends nothing', async () => {
    const service = await start();
    const receiver = await receiveHeld();
    await setEndpoint(service, receiver.url);
    await record(service);
    await expect.poll(() => receiver.received.length, PATIENT).toBe(1);
    const retries = [retry(service, 1), retry(service, 1)];
    await pause(300);
    receiver.letGo();
    const outcome = { success: true, response_status_code: 200, error: null, delivery_id: 1 };
    expect(await Promise.all(retries)).toEqual([outcome, outcome]);
    expect(receiver.received).toHaveLength(1);
  });

  it('of a delivery whose process is gone says that it was interrupted', async () => {
    const service = await start({ is_sending: false });
    const receiver = await receive();
    await setEndpoint(service, receiver.url);
    await record(service);
    const { account_id } = await service.app.core.accounts.getDefault();
    const other = await startService({}, { data_dir: service.data_dir });
    expect(await other.app.core.outbox.claimDue(account_id, 1)).toHaveLength(1);
    await other.close({ keep: true });
    expect(await retry(service, 1)).toMatchObject({ success: false, error: 'interrupted', delivery_id: 1 });
    expect(await retry(service, 2)).toMatchObject({ success: true, delivery_id: 2 });
    expect(receiver.received).toHaveLength(1);
  });

  it('goes to the current URL', async () => {
    const service = await start();
    const before = await receive((response) => response.writeHead(500).end());
    const after = await receive();
    await setEndpoint(service, before.url);
    await record(service);
    await expect.poll(() => listDeliveries(service), PATIENT).toEqual(['1 failed status_500', '2 pending']);
    await setEndpoint(service, after.url);
    expect(await retry(service, 1)).toMatchObject({ success: true, delivery_id: 3 });
    expect(before.received).toHaveLength(1);
    expect(await getDelivery(service, 3)).toMatchObject({ url: after.url });
  });

  it('is refused for a delivery that does not exist or is no longer kept', async () => {
    const service = await start();
    const receiver = await receive();
    await setEndpoint(service, receiver.url);
    expect(await service.refuse('webhook_delivery_retry', { delivery_id: 99 })).toMatchObject({
      code: 'DELIVERY_NOT_FOUND',
    });
    await record(service);
    await expect.poll(() => listDeliveries(service), PATIENT).toEqual(['1 success']);
    const { account_id } = await service.app.core.accounts.create('another');
    const stranger = { caller: { account_id, credential: 'key' as const, credential_id: 'test' } };
    expect(await service.refuse('webhook_delivery_retry', { delivery_id: 1 }, stranger)).toMatchObject({
      code: 'DELIVERY_NOT_FOUND',
    });
    await service.app.store.webhooks.sweepPayloads(-60_000, 10);
    expect(await service.refuse('webhook_delivery_retry', { delivery_id: 1 })).toMatchObject({
      code: 'PAYLOAD_EXPIRED',
    });
    expect(await getDelivery(service, 1)).toMatchObject({ payload: null, status: 'success' });
  });
});

describe('a test event', () => {
  it('is signed, sent once, and listed', async () => {
    const service = await start();
    const receiver = await receive((response) => response.writeHead(500).end());
    expect(await service.refuse('webhook_test')).toMatchObject({ code: 'WEBHOOK_NOT_CONFIGURED' });
    const secret = await setEndpoint(service, receiver.url);
    expect(await service.call('webhook_test')).toEqual({
      success: false,
      response_status_code: 500,
      error: 'status_500',
      reason: 'The receiver answered 500; only 200 to 299 counts as received.',
      delivery_id: 1,
    });
    expect(verify(secret, receiver.received[0]!)).toMatchObject({ type: 'webhook.test' });
    expect(await listDeliveries(service)).toEqual(['1 failed status_500']);
    expect(await service.call('webhook_endpoint_get')).toMatchObject({ enabled: true, failing_since: null });
  });
});
