import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Door } from '../fuzz/send_case.js';
import { buildEnvironment, runCli, startServe, type Environment, type Served } from '../surfaces/faces.js';
import { startCaller } from './caller.js';
import { watchHolds, type Holds } from './holds.js';
import { sendFreeMessages, sendIntroductions, sendWorstCases, type Flood } from './requests.js';

/*
 * A caller with a key sends the most expensive requests it can, or as many as it can; all others are answered
 * throughout, and the process neither exits nor grows. The long run (npm run test:hardening) prints figures.
 */

const IS_LONG = process.env['HARDENING_CONNECTIONS'] !== undefined;
const SECONDS = IS_LONG ? 20 : 3;
/** Above the rate of the well-behaved caller; messages may come a hundred times as often in ten seconds. */
const PER_SECOND = 150;
const MOST_RSS_MB = 700;

let data_dir: string;
let env: Environment;
let holds: Holds;
let served: Served;
/** Belongs to another account than the well-behaved caller's. */
let door: Door;

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'hardening-requests-'));
  holds = watchHolds(data_dir);
  env = buildEnvironment(data_dir, { LOG_LEVEL: 'silent', RATE_LIMIT_PER_SECOND: String(PER_SECOND) });
  served = await startServe({ ...env, ...holds.environment });
  const { stdout } = await runCli(['keys', 'create', '--json', '--account', 'attacker'], env);
  door = { url: served.url, key: (JSON.parse(stdout) as { key: string }).key };
});
afterAll(async () => {
  await served.stop();
  await rm(data_dir, { recursive: true });
});

/** Undefined if the system does not report it. */
async function readRssMb(): Promise<number | undefined> {
  const status = await readFile(`/proc/${served.process.pid}/status`, 'utf8').catch(() => '');
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kb === undefined ? undefined : Math.round(Number(kb) / 1024);
}

async function endure(name: string, start: () => Flood) {
  const since_ms = Date.now();
  const caller = startCaller(served.url, served.key);
  const attack = start();
  await new Promise((done) => setTimeout(done, SECONDS * 1_000));
  const { failed, ...figures } = await caller.stop();
  await attack.end();
  const longest_hold_ms = await holds.findLongest(since_ms);
  const rss_mb = await readRssMb();
  if (IS_LONG) {
    const reported = { ...figures, failed: failed.length, attacker: attack.tally, longest_hold_ms, rss_mb };
    process.stdout.write(`${name}: ${JSON.stringify(reported)}\n`);
  }
  return { failed, answered: figures.answered, tally: attack.tally, rss_mb: rss_mb ?? 0 };
}

describe('while one caller overloads the service, the others are answered', () => {
  it.each<[string, () => Flood, string[]]>([
    ['requests made to cost as much as possible', () => sendWorstCases(door, 4), ['200', '400', '429']],
    ['clients that send 8 MB about themselves', () => sendIntroductions(door, 8_000_000, 4), ['400', '429']],
    ['clients that send 60 KB about themselves', () => sendIntroductions(door, 60_000, 8), ['200', '429']],
    ['messages that are not operations', () => sendFreeMessages(door, 16), ['200', '429']],
  ])('despite %s', async (name, start, statuses) => {
    const { failed, answered, tally, rss_mb } = await endure(name, start);
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(0);
    expect(Object.keys(tally)).not.toHaveLength(0);
    expect(Object.keys(tally).filter((status) => !statuses.includes(status))).toEqual([]);
    expect(rss_mb).toBeLessThan(MOST_RSS_MB);
  });
});
