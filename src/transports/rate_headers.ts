import type { LimitState } from '../core/operations/limits.js';

/** The four numbers under the interface's names: headers over REST, entries of `_meta` over MCP. */
export const RATE_HEADERS = {
  'X-RateLimit-Limit-Second': 'limit_second',
  'X-RateLimit-Remaining-Second': 'remaining_second',
  'X-RateLimit-Limit-Day': 'limit_day',
  'X-RateLimit-Remaining-Day': 'remaining_day',
} as const satisfies Record<string, keyof LimitState>;

export function toRateNumbers(limits: LimitState): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const name in RATE_HEADERS) numbers[name] = limits[RATE_HEADERS[name as keyof typeof RATE_HEADERS]];
  return numbers;
}
