import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildEnvironment, startServe, type Served } from '../surfaces/faces.js';
import {
  holdIdle,
  sendGarbage,
  sendSlowBodies,
  sendSlowForms,
  sendSlowHeaders,
  type Attack,
} from './attacks.js';
import { startCaller } from './caller.js';
import { watchHolds, type Holds } from './holds.js';

/*
 * Some callers hold connections, send headers and bodies in a trickle, or send garbage; all others are
 * answered throughout. HARDENING_CONNECTIONS (npm run test:hardening) runs many of them and prints figures.
 */

const IS_LONG = process.env['HARDENING_CONNECTIONS'] !== undefined;
const CONNECTIONS = Number(process.env['HARDENING_CONNECTIONS'] ?? 300);
const SECONDS = IS_LONG ? 20 : 2;
/** As in src/transports/http/server.ts. */
const MAX_CONNECTIONS = 1_000;
const FEW = IS_LONG ? 200 : 20;
/** More than may be open, none of them silent. */
const MANY = MAX_CONNECTIONS * 1.2;

let data_dir: string;
let holds: Holds;
let served: Served;
let target: { port: number; key: string };

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'hardening-'));
  holds = watchHolds(data_dir);
  served = await startServe(buildEnvironment(data_dir, { LOG_LEVEL: 'silent', ...holds.environment }));
  target = { port: Number(new URL(served.url).port), key: served.key };
});
afterAll(async () => {
  await served.stop();
  await rm(data_dir, { recursive: true });
});

/** Open descriptors of the server; undefined if the system does not report them. */
async function countDescriptors(): Promise<number | undefined> {
  return readdir(`/proc/${served.process.pid}/fd`).then(
    ({ length }) => length,
    () => undefined,
  );
}

async function endure(name: string, start: () => Attack) {
  const since_ms = Date.now();
  const caller = startCaller(served.url, served.key);
  const attack = start();
  await attack.begun;
  await new Promise((done) => setTimeout(done, SECONDS * 1_000));
  const descriptors = await countDescriptors();
  const { failed, ...figures } = await caller.stop();
  const { open, lost } = attack;
  attack.end();
  if (IS_LONG) {
    const longest_hold_ms = await holds.findLongest(since_ms);
    const reported = {
      ...figures,
      failed: failed.length,
      descriptors,
      held: open,
      closed_by_server: lost,
      longest_hold_ms,
    };
    process.stdout.write(`${name}: ${JSON.stringify(reported)}\n`);
  }
  return { failed, answered: figures.answered, descriptors: descriptors ?? 0, lost };
}

describe('while some callers misbehave, the others are answered', () => {
  it.each<[string, () => Attack]>([
    [`${CONNECTIONS} idle connections`, () => holdIdle(target, CONNECTIONS)],
    [`${FEW} slow headers`, () => sendSlowHeaders(target, FEW)],
    [`${FEW} slow bodies`, () => sendSlowBodies(target, FEW)],
    [`${MANY} slow forms`, () => sendSlowForms(target, MANY)],
    [`${FEW} pipelines of rubbish`, () => sendGarbage(target, FEW)],
  ])('despite %s', async (name, start) => {
    const { failed, answered, descriptors } = await endure(name, start);
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(0);
    // The database, the log and the descriptors Node itself keeps open.
    expect(descriptors).toBeLessThan(MAX_CONNECTIONS + 100);
  });

  it('and the server keeps at most its limit of connections, closing silent ones first', async () => {
    const attack = holdIdle(target, MAX_CONNECTIONS * 2);
    await expect.poll(() => attack.lost, { timeout: 60_000 }).toBeGreaterThanOrEqual(MAX_CONNECTIONS);
    const response = await fetch(`${served.url}/healthz`);
    expect(response.status).toBe(200);
    attack.end();
  });
});
