import { expect, it, onTestFinished } from 'vitest';
import { createDeliveryWorker } from '../../src/webhooks/index.js';
import { systemClock } from '../../src/world/clock.js';
import { startService } from '../service.js';
import { ask } from '../store/raw.js';
import { createTestLog } from '../store/ports.js';
import { startReceiver } from './receivers.js';

const PATIENT = { timeout: 60_000, interval: 20 };

it('concurrent stop() calls both resolve once the worker has stopped', async () => {
  const service = await startService();
  onTestFinished(() => service.close());
  const held: (() => void)[] = [];
  const receiver = await startReceiver((response) => void held.push(() => response.writeHead(204).end()));
  onTestFinished(() => receiver.close());
  await service.call('webhook_endpoint_set', { url: receiver.url });
  const { account_id } = await service.app.core.accounts.getDefault();
  await service.app.core.events.record({
    account_id,
    event_type: 'order.paid',
    data: {},
    subject: 'etsy:1:1',
    change_key: 'change:1',
  });
  const { delivery_worker } = service.app;
  delivery_worker.start();
  await expect.poll(() => held.length, PATIENT).toBe(1);
  const stops = [delivery_worker.stop(), delivery_worker.stop()];
  // Both have found that a delivery is in flight.
  await new Promise(setImmediate);
  for (const answer of held) answer();
  await Promise.all(stops);
});

it("a problem with one account does not delay other accounts' deliveries", async () => {
  const service = await startService();
  onTestFinished(() => service.close());
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { core, delivery_worker, store } = service.app;
  const accounts = [await core.accounts.getDefault(), await core.accounts.create('another')];
  for (const { account_id } of accounts) {
    await core.endpoints.set(account_id, { url: receiver.url });
    await core.events.record({
      account_id,
      event_type: 'order.paid',
      data: { account_id },
      subject: 'etsy:1:1',
      change_key: 'change:1',
    });
  }
  const [first, second] = await store.webhooks.listDueAccounts();
  await ask(service.data_dir, 'UPDATE webhook_endpoints SET secret = ? WHERE account_id = ?', [
    Buffer.of(0),
    first?.account_id ?? '',
  ]);

  delivery_worker.start();
  await expect.poll(() => receiver.received.length, PATIENT).toBe(1);
  expect(receiver.received[0]?.body).toContain(second?.account_id);
});

it("a worker uses the database's clock, not its own, to decide what is due", async () => {
  const service = await startService();
  onTestFinished(() => service.close());
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { core } = service.app;
  const { account_id } = await core.accounts.getDefault();
  await core.endpoints.set(account_id, { url: receiver.url });
  await core.events.record({
    account_id,
    event_type: 'order.paid',
    data: {},
    subject: 'etsy:1:1',
    change_key: 'change:1',
  });
  const clock = { ...systemClock, now: () => new Date(Date.now() - 24 * 60 * 60 * 1000) };
  const worker = createDeliveryWorker({
    deliveries: service.app.store.webhooks,
    outbox: core.outbox,
    clock,
    log: createTestLog(),
  });
  onTestFinished(() => worker.stop());
  worker.start();
  await expect.poll(() => receiver.received.length, PATIENT).toBe(1);
});
