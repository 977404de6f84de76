import { createShortestTrip } from './shortest_trip.js';

/** The marketplace counts by a sliding second; the rest is for clocks that count in whole milliseconds. */
const WINDOW_MS = 1_020;
/** A call has arrived at the latest when its answer is here; but not so late when the answer takes long. */
export const MAX_WAY_MS = 300;
/** How long a call counts whose answer is not here. */
export const COUNTED_MS = MAX_WAY_MS + WINDOW_MS;

/** The calls of the last second, as the marketplace may be counting them. */
export type RateWindow = {
  /**
   * Counts a call that is sent now. What it returns is to be called when the answer is here, and tells how long it still counts from
   * then, in milliseconds.
   */
  add(now: number): (answered_at: number) => number;
  /** How long until fewer than `room` calls are counted; 0 or less for now. */
  getWait(room: number, now: number): number;
  /** Calls that may be counted now. */
  count(now: number): number;
  /** Calls that may have been counted when a call arrived whose answer is here now. */
  countBefore(now: number): number;
};

/**
 * When a call was sent is not when it arrives: some that were slow on the way and some that were quick can arrive within
 * the same second though they left in two. So each is counted until a second after it may have arrived: what its answer
 * took longer than the quickest one it may have spent on the way there, and the call that takes its place may be as quick.
 */
export function createRateWindow(): RateWindow {
  const shortest = createShortestTrip();
  /** In the order of sending, in which most of them are freed. */
  const calls: { free_at: number }[] = [];

  function listSince(time: number): { free_at: number }[] {
    return calls.filter(({ free_at }) => free_at > time);
  }

  function countSince(time: number): number {
    let count = 0;
    for (const { free_at } of calls) if (free_at > time) count += 1;
    return count;
  }

  function forgetBefore(time: number): void {
    for (let [first] = calls; first && first.free_at <= time; [first] = calls) calls.shift();
  }

  return {
    add(now) {
      const call = { free_at: now + COUNTED_MS };
      forgetBefore(now - MAX_WAY_MS);
      calls.push(call);
      const arrive = shortest.start(now);
      return (answered_at) => {
        arrive(answered_at);
        const delay_ms = Math.max(0, answered_at - now - shortest.get(answered_at));
        call.free_at = Math.min(call.free_at, now + delay_ms + WINDOW_MS);
        return Math.max(0, call.free_at - answered_at);
      };
    },
    count: countSince,
    countBefore: (now) => countSince(now - MAX_WAY_MS),
    getWait(room, now) {
      if (calls.length < room) return 0;
      const counted = listSince(now);
      if (counted.length < room) return 0;
      const ends = counted.map(({ free_at }) => free_at).sort((a, b) => a - b);
      return (ends[counted.length - room] ?? now) - now;
    },
  };
}
