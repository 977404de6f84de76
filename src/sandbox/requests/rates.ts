import { countUse } from '../store/applications.js';
import type { Database } from '../store/database.js';

export type RateLimits = { rate_per_second: number; rate_per_day: number };

/** The result for one call. `retry_after_s` is set if it was refused, and then nothing was counted. */
type RateReading = {
  headers: Record<string, string>;
  refused?: { window: 'second' | 'day'; retry_after_s: number };
};

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/**
 * Counts one call of an application: any second (sliding) first, then 24 rolling hours in buckets of a
 * minute.
 */
export function takeCall(db: Database, keystring: string, now_ms: number, limits: RateLimits): RateReading {
  const used = readUse(db, keystring, now_ms);
  if (used.in_second >= limits.rate_per_second) {
    countUse(db, keystring, null);
    return refuse(limits, used, 'second', 1);
  }
  if (used.in_day >= limits.rate_per_day) {
    countUse(db, keystring, null);
    const oldest = db.find<{ minute: number }>(
      'SELECT min(minute) AS minute FROM calls_of_minute WHERE keystring = ?',
      keystring,
    );
    const free_at = ((oldest?.minute ?? 0) + DAY_MINUTES + 1) * MINUTE_MS;
    return refuse(limits, used, 'day', Math.max(1, Math.ceil((free_at - now_ms) / SECOND_MS)));
  }
  countUse(db, keystring, used.in_second + 1);
  db.run('INSERT INTO calls_of_second (keystring, at) VALUES (?,?)', keystring, now_ms);
  db.run(
    'INSERT INTO calls_of_minute VALUES (?, ?, 1) ON CONFLICT (keystring, minute) DO UPDATE SET calls = calls + 1',
    keystring,
    Math.floor(now_ms / MINUTE_MS),
  );
  return { headers: toHeaders(limits, { in_second: used.in_second + 1, in_day: used.in_day + 1 }) };
}

/** The same headers for a call that is not counted because it was refused before the limits. */
export function readRateHeaders(
  db: Database,
  keystring: string,
  now_ms: number,
  limits: RateLimits,
): Record<string, string> {
  return toHeaders(limits, readUse(db, keystring, now_ms));
}

type Use = { in_second: number; in_day: number };

function readUse(db: Database, keystring: string, now_ms: number): Use {
  db.run('DELETE FROM calls_of_second WHERE keystring = ? AND at <= ?', keystring, now_ms - SECOND_MS);
  const first = Math.floor(now_ms / MINUTE_MS) - DAY_MINUTES;
  db.run('DELETE FROM calls_of_minute WHERE keystring = ? AND minute < ?', keystring, first);
  const row = db.find<Use>(
    `SELECT (SELECT count(*) FROM calls_of_second WHERE keystring = ?) AS in_second,
       (SELECT coalesce(sum(calls), 0) FROM calls_of_minute WHERE keystring = ?) AS in_day`,
    keystring,
    keystring,
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
