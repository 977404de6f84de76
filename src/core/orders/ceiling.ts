import type { Ports } from '../ports/index.js';

/** A clock that jumped ahead is believed after this time, in ms, without a contradiction. */
const DOUBT_MS = 60 * 60 * 1000;

/**
 * The upper bound of the marketplace's time now, in epoch seconds: the lower one of our clock and the marketplace's, as its last answer
 * told it, and no later than the lowest bound of the last hour plus the time since. It may be too early; it is too late only when both
 * clocks have been ahead for an hour. Call it after an answer.
 */
export function createCeiling({ clock, marketplace }: Pick<Ports, 'clock' | 'marketplace'>): () => number {
  /** Bounds less the monotonic time when they were read: the lowest of the last hour, and the lowest ones after it. */
  const lowest: { base_ms: number; at_ms: number }[] = [];
  return () => {
    const skew_ms = marketplace.getClockSkew();
    const at_ms = clock.monotonic();
    const base_ms = clock.now().getTime() + Math.min(0, skew_ms) - at_ms;
    while ((lowest.at(-1)?.base_ms ?? -Infinity) >= base_ms) lowest.pop();
    lowest.push({ base_ms, at_ms });
    while ((lowest[0]?.at_ms ?? at_ms) < at_ms - DOUBT_MS) lowest.shift();
    return Math.floor((at_ms + (lowest[0]?.base_ms ?? base_ms)) / 1000);
  };
}
