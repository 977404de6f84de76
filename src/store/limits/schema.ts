import type { AppBucket } from '../../core/ports/index.js';
import type { Json } from '../json.js';

/**
 * The tables of the counters. `call_counts`: how many calls the account has ever made, and how many before its current day
 * began. `recent_calls`: for each moment, how many calls the account had made before. Times are epoch milliseconds.
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
  app_limits: Omit<AppBucket, 'slots'> & { app: string; slots: Json<AppBucket['slots']> };
  /** Counts of a subject in a window of time, which begins with the first one. */
  window_counts: { subject: string; counted: number; ends_at_ms: number };
};
