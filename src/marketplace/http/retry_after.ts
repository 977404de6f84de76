import { readRetryAfter } from '../../core/retry_after.js';
import type { HttpAnswer } from './http.js';

const DEFAULT_MS = 1_000;

/** How many milliseconds a 429 asks to wait: at most a day, and one second if it states nothing usable. */
export function parseRetryAfter(answer: HttpAnswer, now: Date): number {
  const headers = { retry_after: answer.findHeader('retry-after'), date: answer.findHeader('date') };
  return readRetryAfter(headers, now) ?? DEFAULT_MS;
}
