import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDeliveryWorker } from '../../../.build/src/webhooks/index.js';
import { startClient } from '../harness/clients.mjs';
import { alternate } from '../harness/numbers.mjs';
import { EVENTS, timeEvents } from '../harness/events.mjs';
import { makeFolder, shareOneCore, startReference } from '../harness/processes.mjs';
import { openWebhooks } from '../harness/webhooks.mjs';

/*
 * Sending what is due to a receiver that answers at once: claimed, signed, sent and recorded, each end on the disk by itself; beside
 * undici alone posting the same requests over as many connections as one receiver is given. How fast that is depends on the disk too:
 * SQLite commits one transaction after another.
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
  const runs = {
    ours: async () => {
      await webhooks.record();
      return (await timeEvents(() => sender.sendAll())).rate;
    },
    reference: async () => (await alone.run()).rate,
  };
  const giveBack = shareOneCore([alone.pid], [receiver.pid]);
  await alternate(WARM_UP, runs);
  const measured = await alternate(ROUNDS, runs);
  giveBack();
  await Promise.all([alone.stop(), sender.stop()]);
  await webhooks.close();
  await receiver.stop();
  await folder.remove();
  return [
    {
      what: 'webhook sending, 1,000 due, every end durable',
      unit: 'events/s',
      against: 'undici alone',
      target: {},
      needs_quiet: true,
      details: '500 a second are wanted',
      ...measured,
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
    async send(delivery) {
      const outcome = await core.outbox.send(delivery);
      left -= 1;
      if (left === 0) finish();
      return outcome;
    },
  };
  const worker = createDeliveryWorker({ outbox, clock, log });
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
