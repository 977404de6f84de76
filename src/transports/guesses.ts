import { ServiceError } from '../core/errors.js';
import type { Clock } from '../core/ports/index.js';

const MAX_FAILURES = 30;
const WINDOW_MS = 60_000;
/** Addresses remembered at once; beyond it the oldest is forgotten. */
const MAX_ADDRESSES = 10_000;

/** Counts wrong credentials by address, on all ways in together. */
export type Guesses = {
  /** Throws RATE_LIMIT_SECOND for an address that failed 30 times within a minute. */
  refuse(address: string): void;
  /** One more wrong credential. */
  record(address: string): void;
};

export function createGuesses({ clock }: { clock: Clock }): Guesses {
  const failures = new Map<string, { count: number; started_ms: number }>();

  return {
    refuse(address) {
      const entry = failures.get(address);
      if (!entry || entry.count < MAX_FAILURES) return;
      const left_ms = entry.started_ms + WINDOW_MS - clock.now().getTime();
      if (left_ms <= 0) {
        failures.delete(address);
        return;
      }
      throw new ServiceError(
        'RATE_LIMIT_SECOND',
        'Too many requests with wrong credentials from this address.',
        { retry_after_seconds: left_ms / 1000 },
      );
    },
    record(address) {
      const now_ms = clock.now().getTime();
      const entry = failures.get(address);
      if (entry && entry.started_ms + WINDOW_MS > now_ms) {
        entry.count += 1;
        return;
      }
      failures.delete(address);
      if (failures.size >= MAX_ADDRESSES) {
        const [oldest] = failures.keys();
        if (oldest !== undefined) failures.delete(oldest);
      }
      failures.set(address, { count: 1, started_ms: now_ms });
    },
  };
}
