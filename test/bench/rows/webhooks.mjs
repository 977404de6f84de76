import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDeliveryWorker } from '../../../.build/src/webhooks/index.js';
import { ENGINES } from '../harness/engines.mjs';
import { alternate } from '../harness/numbers.mjs';
import { makeFolder, startReference } from '../harness/processes.mjs';
import { EVENTS, openWebhooks } from '../harness/webhooks.mjs';

/*
 * Sends due deliveries to a receiver that answers immediately: claimed, signed, sent, and each result written
 * to disk. Then the same while equally many are due at another account's slow receiver.
 */

const ROUNDS = 9;
const LEAST = 500;

export async function measure() {
  const folder = await makeFolder();
  const answer = join(folder.path, 'answer.json');
  await writeFile(answer, '{}');
  const fast = await startReference('http.mjs', answer);
  const slow = await startReference('slow.mjs');
  const lines = [];
  for (const hasSlow of [false, true]) {
    const opened = [];
    for (const engine of ENGINES) opened.push(await open(engine, fast.url, hasSlow && slow.url));
    const measured = await alternate(
      ROUNDS,
      Object.fromEntries(opened.map(({ engine, sendAll }) => [engine, sendAll])),
    );
    for (const { close } of opened) await close();
    for (const [engine, ours] of Object.entries(measured)) {
      lines.push({
        what: `webhooks, 1,000 due${hasSlow ? ', beside a slow receiver' : ''}: rate`,
        unit: 'events/s',
        against: 'what is promised',
        engine,
        ours,
        reference: ours.map(() => LEAST),
        target: engine === ENGINES[0].name ? { least: 1 } : {},
        needs_quiet: true,
      });
    }
  }
  await Promise.all([fast.stop(), slow.stop()]);
  await folder.remove();
  return lines;
}

async function open(engine, fast_url, slow_url) {
  const webhooks = await openWebhooks(fast_url, engine);
  if (slow_url) await webhooks.recordAt(slow_url);
  const sender = startSender(webhooks);
  return {
    engine: engine.name,
    async sendAll() {
      await webhooks.record();
      const begin = performance.now();
      await sender.sendAll();
      return EVENTS / ((performance.now() - begin) / 1000);
    },
    close: () => webhooks.close(() => sender.stop()),
  };
}

/**
 * A worker as in a service that has been up for a while, which notices due deliveries only when told to send
 * them.
 */
function startSender({ app: { core, service, store }, account_id }) {
  const { clock, log } = service;
  let left = 0;
  let finish;
  const outbox = {
    ...core.outbox,
    async send(delivery, ...more) {
      const outcome = await core.outbox.send(delivery, ...more);
      if (delivery.account_id !== account_id) return outcome;
      left -= 1;
      if (left === 0) finish();
      return outcome;
    },
  };
  const deliveries = { listDueAccounts: async () => (left > 0 ? store.webhooks.listDueAccounts() : []) };
  const worker = createDeliveryWorker({ deliveries, outbox, clock, log });
  worker.start();
  return {
    /** Waits until this many are reported as delivered. */
    sendAll: () =>
      new Promise((resolve) => {
        finish = resolve;
        left = EVENTS;
        core.outbox.notifyNew();
      }),
    stop: () => worker.stop(),
  };
}
