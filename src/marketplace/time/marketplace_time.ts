import type { TimeRange } from '../../core/ports/records.js';
import type { Clock, Log } from '../../core/ports/world.js';
import type { HttpAnswer } from '../http/http.js';

/**
 * Difference between the Date header and the times of new listings from which the header counts as wrong; the
 * marketplace's own machines differ by less.
 */
const MAX_OFF_MS = 60_000;

/** The marketplace's own time, from the Date header of its latest answer. */
export type MarketplaceTime = {
  learn(answer: HttpAnswer): void;
  /** Compares the Date header with the creation time of a listing that was created just now. */
  compare(created_at_epoch_s: number): void;
  /** Undefined before the first answer. */
  find(): TimeRange | undefined;
};

/**
 * The marketplace's time, between two bounds: its last Date header plus the time since then. Monotonic time
 * cannot be set, but may stand still while a computer sleeps, so it gives the lower bound. The wall clock
 * counts the sleep, but may have been set; the upper bound is the later of the two. If new listings have a
 * different time than the header, the listings' time counts, because a proxy on the way wrote the header.
 */
export function createMarketplaceTime(log: Log, clock: Pick<Clock, 'now' | 'monotonic'>): MarketplaceTime {
  let last: { reported_ms: number; received_ms: number; sent_at_ms: number } | undefined;
  let off_ms = 0;

  function findReported(): number | undefined {
    return last && last.reported_ms + clock.monotonic() - last.received_ms;
  }

  return {
    learn(answer) {
      const reported_ms = Date.parse(answer.findHeader('date') ?? '');
      if (Number.isNaN(reported_ms)) return;
      const sent_at_ms = clock.now().getTime() - answer.round_trip_ms;
      last = { reported_ms, received_ms: clock.monotonic(), sent_at_ms };
    },
    compare(created_at_epoch_s) {
      const reported_ms = findReported();
      if (reported_ms === undefined || created_at_epoch_s === 0) return;
      const found_ms = created_at_epoch_s * 1000 - reported_ms;
      const before_ms = off_ms;
      off_ms = Math.abs(found_ms) > MAX_OFF_MS ? found_ms : 0;
      if (Math.abs(off_ms - before_ms) <= MAX_OFF_MS) return;
      log.warn('the Date header of the marketplace and the times of its listings disagree', {
        header_is_ahead_by_s: Math.round(-found_ms / 1000),
      });
    },
    find() {
      const reported_ms = findReported();
      if (!last || reported_ms === undefined) return undefined;
      const latest_ms = Math.max(reported_ms, last.reported_ms + clock.now().getTime() - last.sent_at_ms);
      return { earliest: new Date(reported_ms + off_ms), latest: new Date(latest_ms + off_ms) };
    },
  };
}
