import type { Ports } from '../ports/index.js';
import type { ShopRef } from '../ports/index.js';

/** A clock that jumped ahead, and that nothing has contradicted for so long, is believed. */
const DOUBT_MS = 60 * 60 * 1000;

/**
 * The latest that it can be now, in epoch seconds of the marketplace's time: no later than our clock and than its own, as its last
 * answer to the shop's application told it, and no later than either allowed within the last hour, with the time that has passed since. It may be too early;
 * too late it is only when both clocks have been ahead for an hour. To be asked for after an answer.
 */
export function createCeiling({
  clock,
  marketplace,
}: Pick<Ports, 'clock' | 'marketplace'>): (shop: ShopRef) => Promise<number> {
  /** What was read less the time that had passed then: the lowest of the last hour, and what is lowest after it. */
  const lowest: { base_ms: number; at_ms: number }[] = [];
  return async (shop) => {
    const skew_ms = await marketplace.getClockSkew(shop);
    const at_ms = clock.monotonic();
    const base_ms = clock.now().getTime() + Math.min(0, skew_ms) - at_ms;
    while ((lowest.at(-1)?.base_ms ?? -Infinity) >= base_ms) lowest.pop();
    lowest.push({ base_ms, at_ms });
    while ((lowest[0]?.at_ms ?? at_ms) < at_ms - DOUBT_MS) lowest.shift();
    return Math.floor((at_ms + (lowest[0]?.base_ms ?? base_ms)) / 1000);
  };
}
