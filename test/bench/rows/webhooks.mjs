import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'undici';
import { compose } from '../../../.build/src/compose.js';
import { loadConfig } from '../../../.build/src/config.js';
import { buildSignature, createDeliveryWorker } from '../../../.build/src/webhooks/index.js';
import { alternate } from '../harness/numbers.mjs';
import { buildSettings, makeFolder, startReference } from '../harness/processes.mjs';

/*
 * Sending what is due to a receiver that answers at once: claimed, signed, sent and recorded, beside undici alone posting the same
 * requests over as many connections as one receiver is given. What is promised (at least once, told truthfully) asks for more than
 * posting, so undici is also measured with that: the same claims, signatures and records, and nothing else. Each begins without
 * connections, as after a quiet moment.
 */

const ROUNDS = 31;
/** Until most of what runs often has been compiled. */
const WARM_UP = 6;
const EVENTS = 1_000;
const CONNECTIONS = 8;
/** As many as are claimed at once for a receiver that takes them fast. */
const CLAIMED_TOGETHER = 504;

export async function measure() {
  const folder = await makeFolder();
  const answer = join(folder.path, 'answer.json');
  await writeFile(answer, '{}');
  const receiver = await startReference('http.mjs', answer);
  const app = await compose(loadConfig({}, buildSettings(join(folder.path, 'data'))), { is_http: false });
  const { account_id } = await app.core.accounts.getDefault();
  await app.core.endpoints.set(account_id, { url: `${receiver.url}/hooks` });
  const sender = startSender(app);
  const payload = JSON.stringify({ type: 'order.paid', data: { note: 'x'.repeat(200) } });
  const times = { ours: [], reference: [], floor: [] };
  const toRun = (name, run) => async () => {
    const cpu = process.cpuUsage();
    const begin = performance.now();
    await run();
    times[name].push(EVENTS / ((performance.now() - begin) / 1000));
    const { user, system } = process.cpuUsage(cpu);
    return EVENTS / ((user + system) / 1e6);
  };
  const afterRecording = (name, run) => async () => {
    for (let number = 0; number < EVENTS; number += 1) {
      await record(app.store, account_id, `${name}_${times[name].length}_${number}`, payload);
    }
    return toRun(name, run)();
  };
  const runs = {
    ours: afterRecording('ours', () => sender.sendAll()),
    reference: toRun('reference', () => withPool(receiver, (pool) => postAll(pool, payload))),
    floor: afterRecording('floor', () =>
      withPool(receiver, (pool) => postClaimed(pool, app.store.webhooks, account_id)),
    ),
  };
  await alternate(WARM_UP, runs);
  const { floor, ...measured } = await alternate(ROUNDS, runs);
  await sender.stop();
  await app.close();
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
      ours: times.ours.slice(-ROUNDS),
      reference: times.reference.slice(-ROUNDS),
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

async function withPool({ url }, run) {
  const pool = new Pool(url, { connections: CONNECTIONS });
  await run(pool);
  await pool.close();
}

function record({ webhooks }, account_id, key, payload) {
  return webhooks.recordEvent({
    account_id,
    event_id: key,
    event_type: 'order.paid',
    payload,
    created_at: new Date().toISOString(),
    subject: key,
    change_key: key,
  });
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

async function postClaimed(pool, webhooks, account_id) {
  const now = new Date();
  const claim = {
    owner: 'bench',
    now: now.toISOString(),
    until: new Date(now.getTime() + 60_000).toISOString(),
  };
  const due = [];
  while (due.length < EVENTS) due.push(...(await webhooks.claimDue(account_id, claim, CLAIMED_TOGETHER)));
  const recorded = [];
  const work = async () => {
    for (let delivery = due.pop(); delivery; delivery = due.pop()) {
      const { event_id, payload, endpoint } = delivery;
      const timestamp_s = Math.floor(Date.now() / 1000);
      const signature = buildSignature([endpoint.secret], { id: event_id, timestamp_s, body: payload });
      const headers = buildHeaders(event_id, timestamp_s, signature);
      const answer = await pool.request({ method: 'POST', path: '/hooks', headers, body: payload });
      await answer.body.dump();
      const completed_at = new Date().toISOString();
      const end = { status: 'success', response_status_code: answer.statusCode, error: null, completed_at };
      recorded.push(webhooks.endDelivery(delivery, end, (health) => ({ health, next: null })));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await Promise.all(recorded);
}

async function postAll(pool, body) {
  let left = EVENTS;
  const headers = buildHeaders('reference_10_100', 1_000_000_000, `v1,${'x'.repeat(44)}`);
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const answer = await pool.request({ method: 'POST', path: '/hooks', headers, body });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

/** Those of a delivery. */
function buildHeaders(event_id, timestamp_s, signature) {
  return {
    'content-type': 'application/json',
    'user-agent': 'marketplace-listing-service/1.0.0',
    'accept-encoding': 'identity',
    'webhook-id': event_id,
    'webhook-timestamp': String(timestamp_s),
    'webhook-signature': signature,
  };
}
