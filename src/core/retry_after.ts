const MAX_MS = 24 * 60 * 60 * 1000;

/** Headers of an answer, as they came. */
type RetryAfterHeaders = { retry_after: string | undefined; date: string | undefined };

/**
 * How many milliseconds an answer asks to wait, a day at most. Seconds, a fraction of them, or an HTTP date, which is read
 * against the answer's own Date where there is one, since the clocks may differ. Undefined when it says nothing sensible.
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
  // An HTTP date begins with its weekday; the parser of the language would make a date of `-5` too.
  if (!/^[a-z]{3}/i.test(text)) return Number.NaN;
  const answered_at = Date.parse(date);
  return Date.parse(text) - (Number.isNaN(answered_at) ? now.getTime() : answered_at);
}
