import { createShortestTrip } from './shortest_trip.js';

/** The marketplace's sliding second, and 20 ms more for clocks that count in whole milliseconds. */
const WINDOW_MS = 1_020;
/**
 * Longest time on the way to the marketplace that is allowed for. A call has arrived before it is answered, but an answer that takes
 * long is no sign of a long way.
 */
export const MAX_WAY_MS = 300;
/** How long a call counts that is not answered yet. */
export const COUNTED_MS = MAX_WAY_MS + WINDOW_MS;

/** The calls of the last second, as the marketplace may be counting them. */
type RateWindow = {
  /**
   * Counts a call that is sent now. Call the returned function when the answer is here; it answers for how many milliseconds from
   * then the call still counts.
   */
  add(now: number): (answered_at: number) => number;
  /** How long until fewer than `room` calls are counted; 0 or less for now. */
  getWait(room: number, now: number): number;
  /** Calls that may be counted now. */
  count(now: number): number;
  /** Calls that the marketplace may have counted when it got the call whose answer is here now. */
  countBefore(now: number): number;
};

/**
 * A call arrives later than it is sent. Some that were slow on the way and some that were quick can arrive within the same second
 * though they were sent in two. So a call counts until a second after the latest time at which it may have arrived: its way there
 * may have taken as much longer as its answer took than the quickest one, while the call that takes its place may be as quick as
 * that one.
 */
export function createRateWindow(): RateWindow {
  const shortest = createShortestTrip();
  /** The calls in the order of sending, which is about the order in which they stop counting. */
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
