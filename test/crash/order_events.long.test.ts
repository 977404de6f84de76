import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OrderEventBody } from '../../schemas/event.js';
import { startReceiver } from '../webhooks/receivers.js';
import { createChance } from './chance.js';
import { buildClockSteps, AHEAD_CLOCK } from './clocks.js';
import { createServer, type Server } from './server.js';
import { openWorld, type World } from './world.js';

/** CRASH=full: every point. Otherwise only points between two operations that belong together. */
const IS_FULL = process.env['CRASH'] === 'full';
const MOST_AT_STAKE = [
  'before store.orders.saveHeardUntil',
  'after store.orders.saveHeardUntil',
  'before store.webhooks.recordEvent',
  'after store.webhooks.recordEvent',
  'before store.orders.saveRecorded',
  'before store.orders.saveHint',
  'after store.orders.saveHint',
  'after marketplace.getReceipt',
];
/** Each write that records orders, and each read that leads to it. */
const CALLS = [
  'store.webhooks.recordEvent',
  'store.orders.claimPoll',
  'marketplace.listReceipts',
  'store.orders.saveRecorded',
  'store.orders.saveHeardUntil',
  'store.orders.finishPoll',
  'store.orders.saveHint',
  'store.orders.claimHint',
  'marketplace.getReceipt',
  'store.orders.finishHint',
];
const POINTS = IS_FULL ? CALLS.flatMap((call) => [`before ${call}`, `after ${call}`]) : MOST_AT_STAKE;
const SEED = Number(process.env['CRASH_SEED'] ?? 20_261_122);
const PATIENT = { timeout: 90_000, interval: 50 };
/** A point not reached after this time will not be reached. */
const PATIENCE_MS = 60_000;

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const SETTINGS = {
  ETSY_WEBHOOK_SECRET: SECRET,
  ORDER_POLL_SECONDS: '1',
  EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  WEBHOOK_ALLOW_HTTP: 'on',
};

describe('a server that is killed while it receives orders, and whose clock is set during each of its lives', () => {
  it(
    'loses no change of an order, turns none into two events, and keeps their order',
    { timeout: 590_000 },
    async () => {
      const chance = createChance(SEED);
      const world = await openWorld();
      const server = createServer(world);
      const receiver = await startReceiver();
      const marketplace = sendUntilTaken(server);
      onTestFinished(async () => {
        await marketplace.close();
        await server.close();
        await receiver.close();
        await world.close();
      });
      await setDestination(world, server, receiver.url);

      const expected: string[] = [];
      const reached: string[] = [];
      let receipt_id = 0;
      for (const [index, point] of POINTS.entries()) {
        const life = server.start({ ...SETTINGS, ...buildClockSteps(chance), CRASH_AT: point });
        // Every other time an existing order proceeds, so that the lives of two servers report it.
        const change = index % 2 === 0 ? 'paid' : 'shipped';
        receipt_id = await changeOrder(world, change === 'paid' ? undefined : receipt_id, change);
        expected.push(`order.${change} ${receipt_id}`);
        marketplace.send(world, receipt_id, change);
        const patience = setTimeout(() => void life.stop(), PATIENCE_MS);
        const end = await life.ended;
        clearTimeout(patience);
        if (end.signal === 'SIGKILL') reached.push(point);
      }
      expect(reached).toEqual(POINTS);

      const last = server.start({ ...SETTINGS, ...AHEAD_CLOCK });
      const result = () =>
        receiver.received.map(({ id, body }) => {
          const { type, data } = JSON.parse(body) as OrderEventBody;
          return { id, change: `${type} ${data.order.receipt_id}` };
        });
      await expect
        .poll(() => [...new Set(result().map(({ change }) => change))].sort(), PATIENT)
        .toEqual([...expected].sort());
      // Duplicates would be created by the next polls and messages.
      await expect.poll(marketplace.countWaiting, PATIENT).toBe(0);
      await pause(2_500);
      expect(new Set(result().map(({ id }) => id)).size).toBe(expected.length);
      const arrived = result().map(({ change }) => change);
      const late = expected.filter((change) => {
        const paid = change.replace('shipped', 'paid');
        return arrived.indexOf(change) < arrived.indexOf(paid);
      });
      expect(late).toEqual([]);
      expect(await last.stop()).toBe(0);
      process.stdout.write(
        `order events: ${reached.length} kills, ${expected.length} changes, none lost, none twice\n`,
      );
    },
  );
});

/** Returns once the first poll is over, so that everything after it is new. */
async function setDestination(world: World, server: Server, url: string): Promise<void> {
  const life = server.start({ ...SETTINGS, LOG_LEVEL: 'silent' });
  const answer = await fetch(`${await life.url}/api/v1/webhooks/endpoint`, {
    method: 'PUT',
    headers: { 'x-service-api-key': world.key, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  expect(answer.status).toBe(200);
  await expect.poll(async () => (await countPolls(world)) >= 4, PATIENT).toBe(true);
  await life.stop();
}

async function countPolls(world: World): Promise<number> {
  const { calls } = await world.control<{ calls: Record<string, number> }>('GET', '/state');
  return calls['getShopReceipts'] ?? 0;
}

async function changeOrder(world: World, receipt_id: number | undefined, change: string): Promise<number> {
  const shop_id = world.stock.targets[0]?.shop_id;
  const body = receipt_id === undefined ? { shop_id } : { receipt_id, [`is_${change}`]: true };
  return (await world.control<{ receipt_id: number }>('POST', '/receipts', body)).receipt_id;
}

/** Sends messages like the marketplace: repeats each until it is accepted. */
function sendUntilTaken(server: Server) {
  const webhook = new Webhook(SECRET);
  const waiting = new Map<string, string>();
  const closing = new AbortController();
  const run = (async () => {
    while (!closing.signal.aborted) {
      await pause(50);
      for (const [id, body] of waiting) {
        const url = await Promise.race([server.getUrl(), pause(100).then(() => undefined)]);
        if (url === undefined) continue;
        const at = new Date();
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': webhook.sign(id, at, body),
        };
        const answer = await fetch(`${url}/webhooks/marketplace`, { method: 'POST', headers, body }).catch(
          () => undefined,
        );
        if (answer?.status === 204) waiting.delete(id);
      }
    }
  })();
  return {
    send(world: World, receipt_id: number, change: string) {
      const shop_id = world.stock.targets[0]?.shop_id;
      const resource_url = `https://api.etsy.com/v3/application/shops/${shop_id}/receipts/${receipt_id}`;
      waiting.set(
        `msg_${receipt_id}_${change}`,
        JSON.stringify({ event_type: `order.${change}`, resource_url, shop_id }),
      );
    },
    countWaiting: () => waiting.size,
    async close() {
      closing.abort();
      await run;
    },
  };
}
