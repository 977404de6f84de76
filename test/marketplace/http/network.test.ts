import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openNetwork, type HttpRequest } from '../../../src/marketplace/http/network.js';
import { startScriptedServer } from '../scripted_server.js';

const TIMEOUT_MS = 200;

it('nothing is written to a connection that opens only after the deadline, as when the computer slept', async () => {
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
  answer.catch(() => undefined);
  // It connects, and this process does not notice until its time is over.
  for (let turn = 0; turn < 100; turn += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TIMEOUT_MS + 100);
  await expect(answer).rejects.toMatchObject({ name: 'DeadlineError' });
  await delay(100);
  expect(server.seen.map(({ path }) => path)).toEqual(['/before']);
  expect(progress.has_started).toBe(false);
});

it('a body that continues only after a pause is broken off, as when the computer slept', async () => {
  const server = await startScriptedServer(() => ({ status: 200, json: {} }));
  const network = openNetwork();
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(async () => {
    vi.useRealTimers();
    await network.close();
    await server.close();
  });
  const send = (pause_ms: number) => {
    async function* open() {
      yield Buffer.from('first');
      await delay(50);
      vi.advanceTimersByTime(pause_ms);
      yield Buffer.from('later');
    }
    const body = { content_type: 'text/plain', size_bytes: 10, open };
    const request = { method: 'POST', origin: server.url, path: '/', headers: {}, body } as const;
    return network.exchange({ ...request, timeout_ms: 120_000 }, { has_started: false });
  };
  await send(10_000);
  await expect(send(16_000)).rejects.toMatchObject({ name: 'DeadlineError' });
  expect(server.seen.map(({ body }) => body.toString())).toEqual(['firstlater']);
});
