import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { CrashPoint } from '../../wrapped/crash_point.js';
import type { Life } from '../server.js';
import type { Instance } from './fleet.js';

const POLL_MS = 100;

/**
 * Restarts the instance and suspends it at the point. `done` resolves once it was suspended for the given time
 * and resumed, and rejects if it did not reach the point.
 */
export async function suspendAt(
  instance: Instance,
  point: CrashPoint,
  { duration_ms, patience_ms }: { duration_ms: number; patience_ms: number },
): Promise<{ done: Promise<void> }> {
  const life = await instance.kill({ CRASH_AT: `${point}/stop` });
  await life.url;
  return { done: wakeLate(life, point, duration_ms, patience_ms) };
}

async function wakeLate(life: Life, point: string, duration_ms: number, patience_ms: number): Promise<void> {
  for (let waited_ms = 0; !isSuspended(life.pid); waited_ms += POLL_MS) {
    if (waited_ms > patience_ms) throw new Error(`${point} was not reached`);
    await delay(POLL_MS);
  }
  // The point has suspended the process. This also keeps callers away from it until `wake`.
  life.sleep();
  await delay(duration_ms);
  life.wake();
}

function isSuspended(pid: number): boolean {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The state follows the process name, which is in parentheses.
  return text.slice(text.lastIndexOf(')') + 2).startsWith('T');
}
