import type { Awaitable } from './awaitable.js';
import { ServiceError } from './errors.js';
import type { Clock, RatesLeft, RateTaken, Store } from './ports/index.js';

/** The four numbers of the rate-limit headers. */
export type LimitState = {
  limit_second: number;
  remaining_second: number;
  limit_day: number;
  remaining_day: number;
};

export type Limits = {
  /**
   * Counts a call of the account. Throws RATE_LIMIT_SECOND or RATE_LIMIT_DAY; a refused call is not counted.
   * @param patience_ms how long to wait for a place in the second before refusing
   */
  take(account_id: string, patience_ms: number): Awaitable<LimitState>;
  /** What is left, without counting anything. */
  look(account_id: string): Promise<LimitState>;
};

/** Per account, over all faces and processes: the interface's 2 requests a second and 5,000 a day, unless configured otherwise. */
export function createLimits(
  rates: Store['rates'],
  clock: Clock,
  limits: { per_second: number; per_day: number },
): Limits {
  return {
    take(account_id, patience_ms) {
      const now_ms = clock.now().getTime();
      const first = rates.take(account_id, now_ms, limits);
      if (!(first instanceof Promise) && first.is_allowed) return toState(first);
      return waitForPlace(account_id, now_ms + patience_ms, first);
    },
    look: async (account_id) => toState(await rates.look(account_id, clock.now().getTime(), limits)),
  };

  async function waitForPlace(
    account_id: string,
    until_ms: number,
    first: Awaitable<RateTaken>,
  ): Promise<LimitState> {
    let taken = await first;
    while (!taken.is_allowed) {
      const { window, retry_after_ms } = taken;
      const is_worth_waiting = window === 'second' && clock.now().getTime() + retry_after_ms <= until_ms;
      if (!is_worth_waiting) throw buildRefusal(window, retry_after_ms, limits);
      await clock.sleep(Math.max(1, retry_after_ms));
      taken = await rates.take(account_id, clock.now().getTime(), limits);
    }
    return toState(taken);
  }

  function toState({ remaining_second, remaining_day }: RatesLeft): LimitState {
    return { limit_second: limits.per_second, remaining_second, limit_day: limits.per_day, remaining_day };
  }
}

function buildRefusal(
  window: 'second' | 'day',
  retry_after_ms: number,
  limits: { per_second: number; per_day: number },
): ServiceError {
  const message =
    window === 'second'
      ? `More than ${limits.per_second} requests in one second.`
      : `More than ${limits.per_day} requests in 24 hours.`;
  const code = window === 'second' ? 'RATE_LIMIT_SECOND' : 'RATE_LIMIT_DAY';
  return new ServiceError(code, message, { retry_after_seconds: retry_after_ms / 1000 });
}
