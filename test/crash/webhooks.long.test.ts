import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DeliveryDetail } from '../../schemas/delivery.js';
import { compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { startReceiver, verify, type Received } from '../webhooks/receivers.js';
import { ENTRY } from '../wrapped/entry_file.js';
import { createChance } from './chance.js';
import { buildClockSteps, AHEAD_CLOCK } from './clocks.js';
import { createServer, type End } from './server.js';

/**
 * CRASH=full: every point several times, and 30 random kills. Otherwise only the points where most is at
 * stake, and a few kills.
 */
const IS_FULL = process.env['CRASH'] === 'full';
const SEED = Number(process.env['CRASH_SEED'] ?? 20_261_121);
const ROUNDS = IS_FULL ? [1, 2, 3, 7] : [1];
const RANDOM_KILLS = IS_FULL ? 30 : 2;
const MAX_BATCHES = 40;
const TIMEOUT_MS = 590_000;
const PATIENT = { timeout: 120_000, interval: 100 };

const listSides = (call: string) => [`before ${call}`, `after ${call}`];
const RECORD_POINTS = IS_FULL
  ? listSides('store.webhooks.recordEvent')
  : ['after store.webhooks.recordEvent'];
const SEND_POINTS = IS_FULL
  ? ['store.webhooks.claimDue', 'webhook_sender.send', 'store.webhooks.endDelivery'].flatMap(listSides)
  : listSides('webhook_sender.send');

describe('sending webhooks with kills, and clocks that are set', () => {
  it(
    'loses none, creates none twice, and keeps order and reports correct when killed before and after each call',
    { timeout: TIMEOUT_MS },
    async () => {
      const world = await open();
      const chance = createChance(SEED);
      let last = 0;
      for (const round of ROUNDS) {
        for (const point of RECORD_POINTS) {
          const end = await world.record(last + 1, last + 8, {
            ...buildClockSteps(chance),
            CRASH_AT: `${point}:${round}`,
          });
          expect({ point, ...end }).toEqual({ point, signal: 'SIGKILL', code: null, stderr: '' });
          // The same changes reach the process again after the kill.
          await world.record(last + 1, last + 8);
          last += 8;
        }
        for (const point of SEND_POINTS) {
          const life = world.server.start({ ...buildClockSteps(chance), CRASH_AT: `${point}:${round}` });
          let end: End | undefined;
          // A point is passed once for all deliveries claimed or recorded together, so events are recorded
          // until it was passed often enough.
          for (let batch = 0; end === undefined && batch < MAX_BATCHES; batch += 1) {
            await world.record(last + 1, last + 8);
            last += 8;
            end = await Promise.race([life.ended, delay(500, undefined)]);
          }
          expect({ point, ...end }).toEqual({ point, signal: 'SIGKILL', code: null, stderr: '' });
        }
      }
      const { interrupted, repeated } = await world.judge(last);
      // Kills before and after sending are reported alike, and the delivery is repeated.
      expect(interrupted).toBeGreaterThanOrEqual(2 * ROUNDS.length);
      expect(repeated).toBeGreaterThanOrEqual(ROUNDS.length);
    },
  );

  it(
    'loses none, creates none twice, and keeps order and reports correct when killed at random',
    { timeout: TIMEOUT_MS },
    async () => {
      const world = await open();
      const chance = createChance(SEED);
      let last = 0;
      for (let kill = 0; kill < RANDOM_KILLS; kill += 1) {
        await world.record(last + 1, last + 20);
        last += 20;
        const life = world.server.start(buildClockSteps(chance));
        await life.url;
        await delay(chance.below(400));
        life.kill();
        expect(await life.ended).toEqual({ signal: 'SIGKILL', code: null, stderr: '' });
      }
      await world.judge(last);
    },
  );
});

async function open() {
  const directory = await mkdtemp(join(tmpdir(), 'crash-webhooks-'));
  let secret = '';
  const arrived = new Map<string, Received[]>();
  const receiver = await startReceiver((response, received) => {
    // Checked at once: a receiver rejects signatures older than five minutes.
    const { id } = verify(secret, received);
    arrived.set(id, [...(arrived.get(id) ?? []), received]);
    setTimeout(() => response.writeHead(200).end(), 10);
  });
  const environment = {
    DATA_DIR: join(directory, 'data'),
    PORT: '0',
    LOG_LEVEL: 'error',
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'on',
  };
  const server = createServer({ environment });
  const app = await compose(loadConfig({}, environment), { is_http: false });
  onTestFinished(async () => {
    await server.close();
    await app.close();
    await receiver.close();
    await rm(directory, { recursive: true, force: true });
  });
  const { core } = app;
  const { account_id } = await core.accounts.getDefault();
  const endpoint = await core.endpoints.set(account_id, { url: receiver.url, events: ['order.paid'] });
  secret = endpoint.secret ?? '';

  async function record(from: number, to: number, extra: Record<string, string> = {}): Promise<End> {
    const { PATH = '' } = process.env;
    const env = { PATH, ...environment, ...extra };
    const child = spawn(process.execPath, [ENTRY, 'record', String(from), String(to)], { env });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdout.resume();
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    if (signal === null) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return { code, signal, stderr };
  }

  async function listDeliveries(): Promise<DeliveryDetail[]> {
    const found: DeliveryDetail[] = [];
    for (let offset = 0; ; offset += 100) {
      const page = { status: undefined, limit: 100, offset };
      const { items } = await app.store.webhooks.listDeliveries(account_id, page);
      const details = await Promise.all(
        items.map(({ id }) => app.store.webhooks.findDelivery(account_id, id)),
      );
      found.push(...details.flatMap((detail) => detail ?? []));
      if (items.length === 0) return found;
    }
  }

  /** Runs one last undisturbed life, then compares the reported deliveries with the received ones. */
  async function judge(count: number): Promise<{ interrupted: number; repeated: number }> {
    const life = server.start(AHEAD_CLOCK);
    await expect
      .poll(async () => (await listDeliveries()).filter(({ status }) => status === 'success').length, PATIENT)
      .toBe(count);
    expect(await life.stop()).toBe(0);
    const deliveries = await listDeliveries();
    expect(deliveries.filter(({ status }) => status === 'pending')).toEqual([]);
    const numbers = deliveries.flatMap(({ status, payload }) =>
      status === 'success' ? [readNumber(payload)] : [],
    );
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    for (const event_id of new Set(deliveries.map((delivery) => delivery.event_id))) {
      const ends = deliveries.flatMap((delivery) =>
        delivery.event_id === event_id ? [delivery.error ?? delivery.status] : [],
      );
      const interrupted = ends.filter((end) => end === 'interrupted').length;
      expect(ends.sort()).toEqual([...Array<string>(interrupted).fill('interrupted'), 'success']);
      const times = arrived.get(event_id)?.length ?? 0;
      expect(times).toBeGreaterThanOrEqual(1);
      // An interrupted delivery may or may not have arrived.
      expect(times).toBeLessThanOrEqual(1 + interrupted);
      expect(new Set(arrived.get(event_id)?.map(({ body }) => body)).size).toBe(1);
    }
    expect(arrived.size).toBe(count);
    // The first arrivals of one order's events are in the order they were recorded.
    const firsts = [...arrived.values()].map(([first]) => readNumber(JSON.parse(first?.body ?? '')));
    const late = firsts.filter((number, index) =>
      firsts.slice(0, index).some((before) => before > number && toOrder(before) === toOrder(number)),
    );
    expect(late).toEqual([]);
    return {
      interrupted: deliveries.filter(({ error }) => error === 'interrupted').length,
      repeated: receiver.received.length - count,
    };
  }

  return { server, record, judge };
}

/** Groups numbers like the subjects in wrapped/entry.ts. */
function toOrder(number: number): number {
  return Math.floor(number / 4);
}

function readNumber(payload: unknown): number {
  return (payload as { data: { n: number } }).data.n;
}
