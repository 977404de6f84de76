import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDeliveryWorker } from '../../../.build/src/webhooks/index.js';
import { alternate } from '../harness/numbers.mjs';
import { makeFolder, startReference } from '../harness/processes.mjs';
import { EVENTS, openWebhooks } from '../harness/webhooks.mjs';

/*
 * Sending what is due to a receiver that answers at once: claimed, signed, sent, and each end on the disk. Then the same while as many
 * are due at the receiver of another account that is slow.
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
  for (const has_slow of [false, true]) {
    const webhooks = await openWebhooks(fast.url);
    if (has_slow) await webhooks.recordAt(slow.url);
    const sender = startSender(webhooks);
    const { ours } = await alternate(ROUNDS, {
      ours: async () => {
        await webhooks.record();
        const begin = performance.now();
        await sender.sendAll();
        return EVENTS / ((performance.now() - begin) / 1000);
      },
    });
    await webhooks.close(() => sender.stop());
    lines.push({
      what: `webhooks, 1,000 due${has_slow ? ', beside a slow receiver' : ''}: rate`,
      unit: 'events/s',
      against: 'what is promised',
      ours,
      reference: ours.map(() => LEAST),
      target: { least: 1 },
      needs_quiet: true,
    });
  }
  await Promise.all([fast.stop(), slow.stop()]);
  await folder.remove();
  return lines;
}

/** A worker as in a service that has been up for a while, which sees what is due only when it is told to send it. */
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
    /** Until so many are told as arrived. */
    sendAll: () =>
      new Promise((resolve) => {
        finish = resolve;
        left = EVENTS;
        core.outbox.tellNew();
      }),
    stop: () => worker.stop(),
  };
}
