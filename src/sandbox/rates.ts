import type { Database } from './store/database.js';

export type RateLimits = { rate_per_second: number; rate_per_day: number };

/** The outcome for one call. `retry_after_s` is set when it was refused, and then nothing was counted. */
export type RateReading = {
  headers: Record<string, string>;
  refused?: { window: 'second' | 'day'; retry_after_s: number };
};

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Counts one call of the application: any second (sliding) first, then 24 rolling hours in buckets of a minute. */
export function takeCall(db: Database, now_ms: number, limits: RateLimits): RateReading {
  const used = readUse(db, now_ms);
  if (used.in_second >= limits.rate_per_second) {
    return refuse(limits, used, 'second', 1);
  }
  if (used.in_day >= limits.rate_per_day) {
    const oldest = db.find<{ minute: number }>('SELECT min(minute) AS minute FROM minute_calls');
    const free_at = ((oldest?.minute ?? 0) + DAY_MINUTES + 1) * MINUTE_MS;
    return refuse(limits, used, 'day', Math.max(1, Math.ceil((free_at - now_ms) / SECOND_MS)));
  }
  db.run('INSERT INTO recent_calls (at) VALUES (?)', now_ms);
  db.run(
    'INSERT INTO minute_calls VALUES (?, 1) ON CONFLICT (minute) DO UPDATE SET calls = calls + 1',
    Math.floor(now_ms / MINUTE_MS),
  );
  return { headers: toHeaders(limits, { in_second: used.in_second + 1, in_day: used.in_day + 1 }) };
}

/** The same headers for a call that is not counted, one that was refused before it came to the limits. */
export function readRateHeaders(db: Database, now_ms: number, limits: RateLimits): Record<string, string> {
  return toHeaders(limits, readUse(db, now_ms));
}

type Use = { in_second: number; in_day: number };

function readUse(db: Database, now_ms: number): Use {
  db.run('DELETE FROM recent_calls WHERE at <= ?', now_ms - SECOND_MS);
  db.run('DELETE FROM minute_calls WHERE minute < ?', Math.floor(now_ms / MINUTE_MS) - DAY_MINUTES);
  const row = db.find<Use>(
    `SELECT (SELECT count(*) FROM recent_calls) AS in_second,
       (SELECT coalesce(sum(calls), 0) FROM minute_calls) AS in_day`,
  );
  return row ?? { in_second: 0, in_day: 0 };
}

function refuse(limits: RateLimits, used: Use, window: 'second' | 'day', retry_after_s: number): RateReading {
  return {
    headers: { ...toHeaders(limits, used), 'retry-after': String(retry_after_s) },
    refused: { window, retry_after_s },
  };
}

function toHeaders(limits: RateLimits, used: Use): Record<string, string> {
  return {
    'x-limit-per-second': String(limits.rate_per_second),
    'x-remaining-this-second': String(Math.max(0, limits.rate_per_second - used.in_second)),
    'x-limit-per-day': String(limits.rate_per_day),
    'x-remaining-today': String(Math.max(0, limits.rate_per_day - used.in_day)),
  };
}
