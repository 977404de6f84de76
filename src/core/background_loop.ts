import type { Clock, Log } from './ports/index.js';

/** Another process may have added work, so the loop checks at least this often. */
const LONGEST_SLEEP_MS = 15_000;
const AFTER_FAILURE_MS = 5_000;

/** Background work that runs when it is due, until it is stopped. */
export type BackgroundLoop = {
  start(): void;
  /** Something is due now. */
  wake(): void;
  /** Stops the running work at its next step, and waits for that. */
  stop(): Promise<void>;
};

type BackgroundLoopOptions = {
  clock: Clock;
  log: Log;
  /** The longest sleep; default: 15 seconds. */
  longest_sleep_ms?: number;
  /** Whether a process that has nothing else to do may exit during the sleep. */
  is_idle?: boolean;
};

/** @param work does everything that is due; returns when the next work is due, undefined if not known */
export function createBackgroundLoop(
  { clock, log, longest_sleep_ms = LONGEST_SLEEP_MS, is_idle = false }: BackgroundLoopOptions,
  work: (signal: AbortSignal) => Promise<Date | undefined>,
): BackgroundLoop {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let sleeping = new AbortController();
  let isWoken = false;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      isWoken = false;
      await sleep(await runOnce());
    }
  }

  async function runOnce(): Promise<number> {
    try {
      const next = await work(stopping.signal);
      const wait_ms = next ? next.getTime() - clock.now().getTime() : longest_sleep_ms;
      return Math.min(Math.max(0, wait_ms), longest_sleep_ms);
    } catch (error) {
      if (!stopping.signal.aborted) log.error('background work failed', { error });
      return AFTER_FAILURE_MS;
    }
  }

  async function sleep(duration_ms: number): Promise<void> {
    if (isWoken || stopping.signal.aborted) return;
    sleeping = new AbortController();
    await clock.sleep(duration_ms, sleeping.signal, { is_idle }).catch(() => undefined);
  }

  return {
    start() {
      running ??= run();
    },
    wake() {
      isWoken = true;
      sleeping.abort();
    },
    async stop() {
      stopping.abort(new Error('the service is stopping'));
      sleeping.abort();
      await running;
    },
  };
}
