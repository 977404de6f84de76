import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { SANDBOX_SHOPS } from '../../src/sandbox/index.js';
import { openAddon } from '../../src/sqlite.js';
import { createServer } from '../crash/server.js';
import { openWorld, type SandboxState } from '../crash/world.js';
import { openMcpHttp, openMcpStdio, openRest, type Answer } from './faces.js';

const PATIENT = { timeout: 30_000, interval: 100 };
const [SHOP = { shop_id: 0, user_id: 0 }] = SANDBOX_SHOPS;

/** A server and an assistant's process on one data folder, with a shop whose access token has expired. */
async function begin() {
  const world = await openWorld();
  const server = createServer(world);
  const closing = [() => server.close(), () => world.close()];
  onTestFinished(async () => {
    for (const close of closing) await close();
  });
  const url = await server.start({ ORDER_POLL_SECONDS: 'off' }).url;
  const { PATH = '' } = process.env;
  const rest = openRest(url, world.key);
  const mcp = await openMcpHttp(url, world.key);
  const stdio = await openMcpStdio({ PATH, ...world.environment });
  // The process opens the database with its first call, before the lock is taken.
  await stdio.call('stores_list');
  closing.unshift(mcp.close, stdio.close);
  await world.control('POST', '/tokens/expire', { user_id: SHOP.user_id });
  return {
    world,
    faces: { rest, mcp, stdio },
    sync: (face: typeof rest) => face.call('store_sync', { shop_id: SHOP.shop_id }),
    async askReady() {
      const answer = await fetch(`${url}/readyz`);
      return { ...((await answer.json()) as { reasons?: string[] }), status: answer.status };
    },
    async countRefreshes() {
      const { calls } = await world.control<SandboxState>('GET', '/state');
      return calls['requestToken'] ?? 0;
    },
  };
}

it(
  'new tokens survive a database that was locked when they arrived, for every process and on every face',
  { timeout: 120_000 },
  async () => {
    const { world, faces, sync, askReady, countRefreshes } = await begin();
    const action = { type: 'commit_then_slow', ms: 1_000 };
    await world.control('POST', '/faults', { rules: [{ operation: 'requestToken', times: 1, action }] });
    const first = sync(faces.rest);
    await expect.poll(countRefreshes, PATIENT).toBe(1);
    // The old pair is no longer valid, and the response with the new one is in flight.
    const blocker = openAddon(join(world.environment['DATA_DIR'] ?? '', 'service.db'));
    blocker.exec('BEGIN IMMEDIATE');
    await expect.poll(askReady, PATIENT).toMatchObject({
      status: 503,
      reasons: [expect.stringContaining('new marketplace tokens of 1 shop cannot be saved')],
    });
    const beside = sync(faces.stdio);
    await pause(500);
    blocker.exec('COMMIT');
    blocker.close();

    await expect.poll(askReady, PATIENT).toMatchObject({ status: 200 });
    await first;
    const answers: Answer[] = [await beside];
    for (const face of Object.values(faces)) answers.push(await sync(face));
    expect(answers.map((answer) => (answer.ok ? 'ok' : answer.error))).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(await countRefreshes()).toBe(1);
  },
);
