import type { AppLimits } from '../../core/ports/index.js';

/**
 * The tables of the counters. `call_counts`: how many calls of the account ever passed, and before its day began. `recent_calls`:
 * how many had passed before the first one of that moment. Times are epoch milliseconds.
 */
export type RateTables = {
  call_counts: {
    account_id: string;
    calls: number;
    last_at_ms: number;
    day_started_at_ms: number;
    calls_before_day: number;
  };
  recent_calls: { account_id: string; called_at_ms: number; calls_before: number };
  app_limits: AppLimits & { app: string };
  /** Calls to the marketplace that count towards the application's second until then. */
  app_places: { app: string; place_id: string; free_at_ms: number };
  /** How often something was done in a window that began with the first time. */
  window_counts: { subject: string; counted: number; ends_at_ms: number };
};
