import type { Log } from '../core/ports/world.js';
import type { HttpAnswer } from './http.js';

/** Between the Date header and the times of what the marketplace makes; less is what two of its machines may differ. */
const MAX_OFF_MS = 60_000;

/** The marketplace's own time, which no clock of ours has a part in. */
export type MarketplaceTime = {
  learn(answer: HttpAnswer): void;
  /** Holds the Date header against the time that something has which was made just now. */
  compare(created_at_epoch_s: number): void;
  /** Within a few seconds; undefined before the first answer. */
  find(): Date | undefined;
};

/**
 * The last Date header and its age. A computer that slept may have counted too little of that, so that it tells an earlier time at
 * worst. Where listings made a moment ago have another time than the header, theirs counts: something on the way has written it.
 * @param monotonic milliseconds from any beginning, which nobody can set
 */
export function createMarketplaceTime(log: Log, monotonic: () => number): MarketplaceTime {
  let last: { told_ms: number; received_ms: number } | undefined;
  let off_ms = 0;

  function findTold(): number | undefined {
    return last && last.told_ms + monotonic() - last.received_ms;
  }

  return {
    learn(answer) {
      const told_ms = Date.parse(answer.findHeader('date') ?? '');
      if (!Number.isNaN(told_ms)) last = { told_ms, received_ms: monotonic() };
    },
    compare(created_at_epoch_s) {
      const told_ms = findTold();
      if (told_ms === undefined || created_at_epoch_s === 0) return;
      const found_ms = created_at_epoch_s * 1000 - told_ms;
      const before_ms = off_ms;
      off_ms = Math.abs(found_ms) > MAX_OFF_MS ? found_ms : 0;
      if (Math.abs(off_ms - before_ms) <= MAX_OFF_MS) return;
      log.warn('the Date header of the marketplace and the times of its listings disagree', {
        header_is_ahead_by_s: Math.round(-found_ms / 1000),
      });
    },
    find() {
      const told_ms = findTold();
      return told_ms === undefined ? undefined : new Date(told_ms + off_ms);
    },
  };
}
