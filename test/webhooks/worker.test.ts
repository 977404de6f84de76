import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/world/clock.js';
import { createLog } from '../../src/world/log.js';
import { createDeliveryWorker } from '../../src/webhooks/index.js';
import { startService } from '../service.js';
import { startReceiver } from './receivers.js';

const PATIENT = { timeout: 60_000, interval: 20 };
const MANY = 1_200;

it('what is due for a receiver that became slower is not claimed all at once', async () => {
  const service = await startService();
  onTestFinished(() => service.close());
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  await service.call('webhook_endpoint_set', { url: receiver.url });
  const { accounts, events, outbox, endpoints } = service.app.core;
  const { account_id } = await accounts.getDefault();
  await Promise.all(
    Array.from({ length: MANY }, (_, n) =>
      events.record({
        account_id,
        event_type: 'order.paid',
        data: { order: n },
        subject: `etsy:1:${n}`,
        change_key: `change:${n}`,
      }),
    ),
  );

  // No time passes for the worker, until it has claimed as many as for the fastest of receivers: then more than half is at hand.
  let now_ms = Date.now();
  const limits: number[] = [];
  const worker = createDeliveryWorker({
    outbox: {
      ...outbox,
      async claimDue(account, limit) {
        limits.push(limit);
        const claimed = await outbox.claimDue(account, limit);
        if (limit > 400) now_ms += 400;
        return claimed;
      },
    },
    endpoints,
    clock: { ...systemClock, now: () => new Date(now_ms) },
    log: createLog('silent'),
  });
  worker.start();
  onTestFinished(() => worker.stop());
  await expect.poll(() => receiver.received.length, PATIENT).toBe(MANY);
  expect(Math.max(...limits)).toBeGreaterThan(400);
  expect(Math.min(...limits)).toBeGreaterThan(0);
});

it('two that ask it to stop both hear when it has', async () => {
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
  // Both have found that something is under way.
  await new Promise(setImmediate);
  for (const answer of held) answer();
  await Promise.all(stops);
});
