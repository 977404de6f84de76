import type { Fact } from '../../../schemas/issue.js';
import { ServiceError } from '../errors.js';
import type { Clock } from '../ports/index.js';

/** The most keys remembered at once; beyond that, the oldest is forgotten. */
const MAX_KEYS = 10_000;

/** A counter by a key, such as a client's address. In memory. */
type WindowLimit = {
  /** Throws RATE_LIMIT_SECOND for a key that has reached its limit. */
  refuse(key: string): void;
  /** Counts `count` more; default: one. */
  record(key: string, count?: number): void;
};

/**
 * A limiter: a maximum per fixed window that begins with the first event.
 * @param problem of the refusal
 */
export function createWindowLimit(
  clock: Clock,
  { max, window_ms, problem }: { max: number; window_ms: number; problem: Fact },
): WindowLimit {
  const counted = new Map<string, { count: number; started_ms: number }>();

  const find = (key: string) => {
    const entry = counted.get(key);
    return entry && entry.started_ms + window_ms > clock.now().getTime() ? entry : undefined;
  };
  return {
    refuse(key) {
      const entry = find(key);
      if (!entry || entry.count < max) return;
      throw new ServiceError('RATE_LIMIT_SECOND', problem, {
        retry_after_seconds: (entry.started_ms + window_ms - clock.now().getTime()) / 1000,
      });
    },
    record(key, count = 1) {
      const entry = find(key);
      if (entry) {
        entry.count += count;
        return;
      }
      counted.delete(key);
      const [oldest] = counted.keys();
      if (counted.size >= MAX_KEYS && oldest !== undefined) counted.delete(oldest);
      counted.set(key, { count, started_ms: clock.now().getTime() });
    },
  };
}
