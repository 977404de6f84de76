import { expect, it, onTestFinished } from 'vitest';
import { startService } from '../service.js';
import { startReceiver } from './receivers.js';

const PATIENT = { timeout: 60_000, interval: 20 };

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
