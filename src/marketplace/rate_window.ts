/** The marketplace counts by a sliding second; the rest is for clocks that count in whole milliseconds. */
const WINDOW_MS = 1_020;
/** A call has arrived at the latest when its answer is here; but not so late when the answer takes long. */
const MAX_WAY_MS = 300;

/** The calls of the last second, as the marketplace may be counting them. */
export type RateWindow = {
  /** Counts a call that is sent now. What it returns is to be called when the answer is here. */
  add(now: number): (answered_at: number) => void;
  /** How long until fewer than `room` calls are counted; 0 or less for now. */
  getWait(room: number, now: number): number;
  /** Calls that may be counted now. */
  count(now: number): number;
};

/**
 * When a call was sent is not when it arrives: some that were slow on the way and some that were quick can arrive within
 * the same second though they left in two. So each is counted from its start until a second after its arrival.
 */
export function createRateWindow(): RateWindow {
  let calls: { free_at: number }[] = [];
  function forget(now: number): void {
    calls = calls.filter(({ free_at }) => free_at > now);
  }

  return {
    add(now) {
      const call = { free_at: now + MAX_WAY_MS + WINDOW_MS };
      calls.push(call);
      return (answered_at) => {
        call.free_at = Math.min(call.free_at, answered_at + WINDOW_MS);
      };
    },
    count(now) {
      forget(now);
      return calls.length;
    },
    getWait(room, now) {
      forget(now);
      if (calls.length < room) return 0;
      const ends = calls.map(({ free_at }) => free_at).sort((a, b) => a - b);
      return (ends[calls.length - room] ?? now) - now;
    },
  };
}
