import type { Clock } from '../core/ports/index.js';

/** Until the first answer tells: the least that any application has been seen to have. */
const ASSUMED_PER_SECOND = 5;
/** The marketplace counts arrivals, we count departures; the difference is the network's. */
const WINDOW_MS = 1_020;
const DEFAULT_RETRY_MS = 1_000;

export type Pacing = {
  /** Resolves when the next call may be sent. First come, first served, over all calls of the application. */
  enter(signal?: AbortSignal): Promise<void>;
  /** Learns the limits that an answer tells. */
  learn(headers: Headers): void;
  /** After a 429: holds everything back. Returns for how long. */
  hold(headers: Headers): number;
};

export function createPacing(clock: Clock): Pacing {
  let per_second = ASSUMED_PER_SECOND;
  let held_until_ms = 0;
  let sent_at_ms: number[] = [];
  let queue: Promise<void> = Promise.resolve();

  async function takePlace(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const now_ms = clock.now().getTime();
      sent_at_ms = sent_at_ms.filter((at_ms) => at_ms > now_ms - WINDOW_MS);
      const oldest_ms =
        sent_at_ms.length >= per_second ? (sent_at_ms.at(-per_second) ?? now_ms) : now_ms - WINDOW_MS;
      const wait_ms = Math.max(held_until_ms - now_ms, oldest_ms + WINDOW_MS - now_ms);
      if (wait_ms <= 0) {
        sent_at_ms.push(now_ms);
        return;
      }
      await clock.sleep(wait_ms, signal);
    }
  }

  return {
    enter(signal) {
      const turn = queue.then(() => takePlace(signal));
      queue = turn.catch(() => undefined);
      return turn;
    },
    learn(headers) {
      const told = Number(headers.get('x-limit-per-second'));
      if (Number.isInteger(told) && told > 0) per_second = told;
    },
    hold(headers) {
      const wait_ms = parseRetryAfter(headers.get('retry-after'), clock.now());
      held_until_ms = Math.max(held_until_ms, clock.now().getTime() + wait_ms);
      return wait_ms;
    },
  };
}

/** Seconds, a fraction of them, or an HTTP date. */
export function parseRetryAfter(value: string | null, now: Date): number {
  if (value === null || value.trim() === '') return DEFAULT_RETRY_MS;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at_ms = Date.parse(value);
  return Number.isNaN(at_ms) ? DEFAULT_RETRY_MS : Math.max(0, at_ms - now.getTime());
}
