import type { HttpAnswer } from './http.js';

const DEFAULT_MS = 1_000;
const MAX_MS = 24 * 60 * 60 * 1000;

/**
 * How long a 429 asks to wait. Seconds, a fraction of them, or an HTTP date, which is read against the answer's own Date
 * where there is one, since the clocks may differ. One second when it says nothing sensible; a day at most.
 */
export function parseRetryAfter(answer: HttpAnswer, now: Date): number {
  const text = answer.findHeader('retry-after')?.trim() ?? '';
  const wait_ms = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) * 1000 : untilDate(text, answer, now);
  if (!Number.isFinite(wait_ms)) return DEFAULT_MS;
  return Math.min(MAX_MS, Math.max(0, Math.ceil(wait_ms)));
}

function untilDate(text: string, answer: HttpAnswer, now: Date): number {
  const answered_at = Date.parse(answer.findHeader('date') ?? '');
  return Date.parse(text) - (Number.isNaN(answered_at) ? now.getTime() : answered_at);
}
