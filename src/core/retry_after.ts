const MAX_MS = 24 * 60 * 60 * 1000;

/** Headers of an answer, as received. */
type RetryAfterHeaders = { retry_after: string | undefined; date: string | undefined };

/**
 * How many milliseconds an answer asks to wait, at most a day. Accepts seconds, a fraction of them, or an HTTP date, which is
 * compared with the answer's own Date if there is one, since the clocks may differ. Undefined if it has no valid value.
 */
export function readRetryAfter(
  { retry_after = '', date = '' }: RetryAfterHeaders,
  now: Date,
): number | undefined {
  const text = retry_after.trim();
  const wait_ms = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) * 1000 : untilDate(text, date, now);
  return Number.isFinite(wait_ms) ? Math.min(MAX_MS, Math.max(0, Math.ceil(wait_ms))) : undefined;
}

function untilDate(text: string, date: string, now: Date): number {
  // An HTTP date begins with its weekday; JavaScript's parser would also read `-5` as a date.
  if (!/^[a-z]{3}/i.test(text)) return Number.NaN;
  const answered_at = Date.parse(date);
  return Date.parse(text) - (Number.isNaN(answered_at) ? now.getTime() : answered_at);
}
