import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { startScriptedServer } from '../scripted_server.js';

const SLEEPER = fileURLToPath(new URL('sleeper.mjs', import.meta.url));

/** Longer than the sleeper's deadline. */
const SLEEP_MS = 2_000;

async function send(whenAsked: (pid: number) => void): Promise<string> {
  const server = await startScriptedServer(() => {
    whenAsked(child.pid ?? 0);
    return { status: 200, json: { told: 'while you slept' } };
  });
  const child = spawn(process.execPath, [SLEEPER, server.url], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await server.close();
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return printed;
}

it('an answer that arrived while the process slept past the deadline is used', async () => {
  const printed = await send((pid) => {
    process.kill(pid, 'SIGSTOP');
    void pause(SLEEP_MS).then(() => process.kill(pid, 'SIGCONT'));
  });
  expect(printed).toBe('{"told":"while you slept"}');
});
