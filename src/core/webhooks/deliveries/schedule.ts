import { createHash } from 'node:crypto';

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** Seconds from the end of one attempt to the next. The first delivery is sent when the event is recorded. */
export const DELAYS_S = [
  0,
  5,
  5 * MINUTE_S,
  30 * MINUTE_S,
  2 * HOUR_S,
  5 * HOUR_S,
  10 * HOUR_S,
  14 * HOUR_S,
  20 * HOUR_S,
  24 * HOUR_S,
] as const;

/** Spread of the delays, so that deliveries that failed together are not retried together. */
const SPREAD = 0.2;

/**
 * The next attempt, and how long after the end of this one; null after the last.
 * @param retry_after_ms the receiver's Retry-After: it counts if it is longer than the schedule's own delay, up to the
 * schedule's next delay, and at most a day
 */
export function planNext(
  event_id: string,
  step: number,
  retry_after_ms = 0,
): { step: number; wait_ms: number } | null {
  const delay_s = DELAYS_S[step + 1];
  if (delay_s === undefined) return null;
  const factor = 1 + SPREAD * (2 * draw(`${event_id}.${step}`) - 1);
  const longest_s = Math.min(24 * HOUR_S, DELAYS_S[step + 2] ?? Infinity);
  const wait_ms = Math.max(delay_s * 1000 * factor, Math.min(retry_after_ms, longest_s * 1000));
  return { step: step + 1, wait_ms: Math.round(wait_ms) };
}

/** A number evenly distributed in 0 to 1, and the same for the same text. */
function draw(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}
