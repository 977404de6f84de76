import { setTimeout as pause } from 'node:timers/promises';

/** Aborts at the first SIGTERM or SIGINT. A second one ends the process immediately. */
export function createStopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(1);
      controller.abort(new Error(`stopped by ${name}`));
    });
  }
  return controller.signal;
}

export function whenStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Closes, but waits no longer than this many milliseconds: the rest then resumes at the next start. */
export async function closeWithin(grace_ms: number, close: () => Promise<void>): Promise<void> {
  await Promise.race([close(), pause(grace_ms, undefined, { ref: false })]);
}
