import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDeliveryWorker } from '../../../.build/src/webhooks/index.js';
import { startClient } from '../harness/clients.mjs';
import { alternate } from '../harness/numbers.mjs';
import { EVENTS, timeEvents } from '../harness/events.mjs';
import { makeFolder, shareOneCore, startReference } from '../harness/processes.mjs';
import { openWebhooks } from '../harness/webhooks.mjs';

/*
 * Sending what is due to a receiver that answers at once: claimed, signed, sent and recorded, beside undici alone posting the same
 * requests over as many connections as one receiver is given. What is promised (at least once, told truthfully) asks for more than
 * posting, so undici is also measured with that: the same claims, signatures and records, and nothing else. Each has a process of
 * its own, all on one core with another one for the receiver, and begins without connections, as after a quiet moment.
 */

const ROUNDS = 31;
/** Until most of what runs often has been compiled. */
const WARM_UP = 6;

export async function measure() {
  const folder = await makeFolder();
  const answer = join(folder.path, 'answer.json');
  await writeFile(answer, '{}');
  const receiver = await startReference('http.mjs', answer);
  const webhooks = await openWebhooks(receiver.url);
  const sender = startSender(webhooks.app);
  const alone = await startClient('post.mjs', { url: receiver.url });
  const claimed = await startClient('post_claimed.mjs', { url: receiver.url });
  const rates = { ours: [], reference: [], floor: [] };
  const toRun = (name, run) => async () => {
    const { rate, cpu_rate } = await run();
    rates[name].push(rate);
    return cpu_rate;
  };
  const runs = {
    ours: toRun('ours', async () => {
      await webhooks.record();
      return timeEvents(() => sender.sendAll());
    }),
    reference: toRun('reference', () => alone.run()),
    floor: toRun('floor', () => claimed.run()),
  };
  const giveBack = shareOneCore([alone.pid, claimed.pid], [receiver.pid]);
  await alternate(WARM_UP, runs);
  const { floor, ...measured } = await alternate(ROUNDS, runs);
  giveBack();
  await Promise.all([alone.stop(), claimed.stop(), sender.stop()]);
  await webhooks.close();
  await receiver.stop();
  await folder.remove();
  const rest = { against: 'undici alone', target: { least: 0.5 } };
  return [
    {
      what: 'webhook sending, 1,000 due: processor time',
      unit: 'events/s CPU',
      ...rest,
      ...measured,
    },
    {
      what: 'webhook sending, 1,000 due: rate',
      unit: 'events/s',
      ...rest,
      ours: rates.ours.slice(-ROUNDS),
      reference: rates.reference.slice(-ROUNDS),
      needs_quiet: true,
    },
    {
      what: 'webhook sending, 1,000 due: processor time, beside the floor',
      unit: 'events/s CPU',
      against: 'undici with the same claims, signatures and records',
      target: { least: 0.83 },
      ours: measured.ours,
      reference: floor,
    },
  ];
}

/** A worker as in a service that has been up for a while, which sees what is due only when it is told to send it. */
function startSender({ core, service }) {
  const { clock, log } = service;
  let left = 0;
  let finish;
  const outbox = {
    ...core.outbox,
    listDueAccounts: async () => (left > 0 ? core.outbox.listDueAccounts() : []),
    async send(delivery, onAnswered) {
      const outcome = await core.outbox.send(delivery, onAnswered);
      left -= 1;
      if (left === 0) finish();
      return outcome;
    },
  };
  const worker = createDeliveryWorker({ ...core, outbox, clock, log });
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
