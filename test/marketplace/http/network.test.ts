import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openNetwork, type HttpRequest } from '../../../src/marketplace/http/network.js';
import { startScriptedServer } from '../scripted_server.js';

const TIMEOUT_MS = 200;

it('writes nothing to a connection that stands only after the deadline, as when the computer slept meanwhile', async () => {
  const server = await startScriptedServer(() => ({ status: 200, json: {} }));
  const network = openNetwork();
  onTestFinished(async () => {
    await network.close();
    await server.close();
  });
  const request: HttpRequest = {
    method: 'POST',
    origin: server.url,
    path: '/before',
    headers: { connection: 'close' },
    timeout_ms: TIMEOUT_MS,
  };
  // Everything is loaded from here on.
  await network.exchange({ ...request, timeout_ms: 10_000 }, { has_started: false });
  expect(server.seen.map(({ path }) => path)).toEqual(['/before']);

  const progress = { has_started: false };
  const answer = network.exchange({ ...request, path: '/late' }, progress);
  const refused = expect(answer).rejects.toMatchObject({ name: 'DeadlineError' });
  // It connects, and this process sees nothing of that until its time is over.
  for (let turn = 0; turn < 100; turn += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TIMEOUT_MS + 100);
  await refused;
  await delay(100);
  expect(server.seen.map(({ path }) => path)).toEqual(['/before']);
  expect(progress.has_started).toBe(false);
});
