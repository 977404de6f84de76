import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { openAddon } from '../../src/sqlite.js';
import { createServer } from '../crash/server.js';
import { startReceiver, verify } from '../webhooks/receivers.js';
import { startCallers } from './callers.js';
import { getMedian, getShare, startGauge } from './gauge.js';
import { startHostile } from './hostile.js';

/** The short run is part of npm run test:long; only npm run test:soak says something about memory. */
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 3);
const IS_LONG = SECONDS >= 60;
const EVENTS_A_SECOND = 4;
const PATIENT = { timeout: 60_000, interval: 50 };
/** Collects garbage on request: a heap that V8 has not collected yet says nothing about a leak. */
const COLLECTING = "--expose-gc --import data:text/javascript,process.on('SIGUSR2',()=>gc())";
/** Shorter than a send to a hanging receiver: so no other send waited behind one. */
const SECONDS_TO_ARRIVE = 12;

it(
  `${SECONDS} s of hostile receivers and callers: every event reaches the well-behaved receiver, none is lost, and memory and sockets do not grow`,
  { timeout: (SECONDS + 120) * 1000 },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'soak-'));
    const data_dir = join(directory, 'data');
    const environment = {
      DATA_DIR: data_dir,
      PORT: '0',
      LOG_LEVEL: 'error',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'on',
    };
    let secret = '';
    const delays_s: number[] = [];
    const well = await startReceiver((response, received) => {
      // Immediately: a receiver refuses a signature older than five minutes.
      const { created_at } = verify(secret, received);
      delays_s.push((received.at_ms - Date.parse(created_at)) / 1000);
      response.end();
    });
    const hostile = await startHostile(well.url);
    const app = await compose(loadConfig({}, environment), { is_http: false });
    const server = createServer({ environment: { ...environment, NODE_OPTIONS: COLLECTING } });
    onTestFinished(async () => {
      await server.close();
      await app.close();
      await Promise.all([well, ...hostile].map((receiver) => receiver.close()));
      await rm(directory, { recursive: true, force: true });
    });
    const { core } = app;

    const subscribe = async (name: string, url: string) => {
      const { account_id } = await core.accounts.create(name);
      return { account_id, endpoint: await core.endpoints.set(account_id, { url }) };
    };
    const subscriber = await subscribe('well', well.url);
    secret = subscriber.endpoint.secret ?? '';
    const others = await Promise.all(hostile.map(({ name, url }) => subscribe(name, url)));
    const life = server.start();
    const { account_id } = await core.accounts.create('attacker');
    const { key } = await core.accounts.createKey(account_id, 'soak');
    const callers = startCallers(await life.url, key);
    const gauge = startGauge(life.pid, 2_000);

    let events = 0;
    const end_ms = Date.now() + SECONDS * 1000;
    while (Date.now() < end_ms) {
      events += 1;
      for (const { account_id } of [subscriber, ...others]) {
        await core.events.record({
          account_id,
          event_type: 'order.paid',
          data: { events, note: 'n'.repeat(2_000) },
          subject: `order:${events}`,
          change_key: `soak:${events}`,
        });
      }
      await delay(1000 / EVENTS_A_SECOND);
    }
    const listArrived = () => new Set(well.listIds());
    await expect.poll(() => listArrived().size, PATIENT).toBe(events);
    const calls = await callers.stop();
    gauge.stop();
    // An orderly stop takes as long as the hanging sends.
    if (IS_LONG) void life.stop();
    else life.kill();
    const { code, signal } = await life.ended;
    expect(code ?? signal).toBe(IS_LONG ? 0 : 'SIGKILL');

    const counts = countEvents(data_dir);
    const half = Math.floor(gauge.samples.length / 2);
    const [before, after] = [gauge.samples.slice(half / 2, half), gauge.samples.slice(half)];
    const figures = {
      seconds: SECONDS,
      receivers: 1 + hostile.length,
      'hostile calls': calls.sent,
      'unanswered calls': calls.unanswered.length,
      events: counts.events,
      attempts: counts.deliveries,
      lost: counts.lost,
      'twice at the well one': well.received.length - events,
      'delay at the well one, median s': getMedian(delays_s).toFixed(2),
      'delay at the well one, 99 % s': getShare(delays_s, 0.99).toFixed(2),
      'delay at the well one, longest s': Math.max(...delays_s).toFixed(2),
      'memory before and after, MB': [before, after]
        .map((part) => getMedian(part.map(({ memory_mb }) => memory_mb)).toFixed(0))
        .join(' '),
      'sockets before and after, most': [before, after]
        .map((part) => Math.max(0, ...part.map(({ sockets }) => sockets)))
        .join(' '),
    };
    process.stdout.write(
      `${Object.entries(figures)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n')}\n`,
    );

    expect(calls.unanswered).toEqual([]);
    expect(counts).toMatchObject({ events: events * (1 + hostile.length), lost: 0 });
    // Redirects were not followed: the well-behaved receiver had its own events, once each.
    expect([well.received.length, delays_s.length]).toEqual([events, events]);
    expect(Math.max(...delays_s)).toBeLessThan(SECONDS_TO_ARRIVE);
    if (!IS_LONG) return;
    const grown_mb =
      getMedian(after.map(({ memory_mb }) => memory_mb)) -
      getMedian(before.map(({ memory_mb }) => memory_mb));
    expect(grown_mb).toBeLessThan(20);
    const most = (part: typeof after) => Math.max(...part.map(({ sockets }) => sockets));
    expect(most(after)).toBeLessThanOrEqual(most(before) + 10);
  },
);

/** An event is lost if it neither arrived nor will be retried; here none waits for another of its order. */
function countEvents(data_dir: string): { events: number; deliveries: number; lost: number } {
  const sqlite = openAddon(join(data_dir, 'service.db'), { readonly: true });
  const count = (sql: string) => sqlite.prepare<[], { n: number }>(sql).get()?.n ?? 0;
  try {
    return {
      events: count('SELECT count(*) AS n FROM events'),
      deliveries: count('SELECT count(*) AS n FROM deliveries'),
      lost: count(`SELECT count(*) AS n FROM events WHERE NOT EXISTS (
        SELECT 1 FROM deliveries
        WHERE deliveries.account_id = events.account_id AND deliveries.event_id = events.event_id
          AND (status = 'success'
            OR status = 'pending' AND (due_at IS NOT NULL OR claimed_by IS NOT NULL)))`),
    };
  } finally {
    sqlite.close();
  }
}
