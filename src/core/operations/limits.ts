import { ServiceError } from '../errors.js';
import type { Clock, RatesLeft, Store } from '../ports/index.js';

/** The four numbers of the rate-limit headers. */
export type LimitState = {
  limit_second: number;
  remaining_second: number;
  limit_day: number;
  remaining_day: number;
};

export type Limits = {
  /**
   * Counts a call of the account. Throws RATE_LIMIT_SECOND or RATE_LIMIT_DAY; does not count a refused call.
   * @param patience_ms how long to wait for a slot in the second before refusing
   */
  take(account_id: string, patience_ms: number): Promise<LimitState>;
  /** The calls that are left, without counting one. */
  peek(account_id: string): Promise<LimitState>;
};

/**
 * Limits of an account, over all transports and processes: 2 requests per second and 5,000 per day, unless configured
 * otherwise.
 */
export function createLimits(
  rates: Store['rates'],
  clock: Clock,
  limits: { per_second: number; per_day: number },
): Limits {
  return {
    async take(account_id, patience_ms) {
      const until_ms = clock.monotonic() + patience_ms;
      for (;;) {
        const taken = await rates.take(account_id, limits);
        if (taken.is_allowed) return toState(taken);
        const { window, retry_after_ms } = taken;
        const isWorthWaiting = window === 'second' && clock.monotonic() + retry_after_ms <= until_ms;
        if (!isWorthWaiting) throw buildRefusal(window, retry_after_ms, limits);
        await clock.sleep(Math.max(1, retry_after_ms));
      }
    },
    peek: async (account_id) => toState(await rates.peek(account_id, limits)),
  };

  function toState({ remaining_second, remaining_day }: RatesLeft): LimitState {
    return { limit_second: limits.per_second, remaining_second, limit_day: limits.per_day, remaining_day };
  }
}

function buildRefusal(
  window: 'second' | 'day',
  retry_after_ms: number,
  limits: { per_second: number; per_day: number },
): ServiceError {
  const most = window === 'second' ? limits.per_second : limits.per_day;
  return new ServiceError(
    window === 'second' ? 'RATE_LIMIT_SECOND' : 'RATE_LIMIT_DAY',
    { code: 'calls_too_many', params: { most, window } },
    { retry_after_seconds: retry_after_ms / 1000 },
  );
}
