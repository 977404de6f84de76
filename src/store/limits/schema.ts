import type { AppLimits } from '../../core/ports/index.js';

/** The tables of the counters. `calls` of `recent_calls`: how many passed at that moment. Times are epoch milliseconds. */
export type RateTables = {
  recent_calls: { account_id: string; called_at_ms: number; calls: number };
  days: { account_id: string; started_at_ms: number; calls: number };
  app_limits: AppLimits & { app: string };
};
