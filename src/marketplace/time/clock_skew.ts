import type { Log } from '../../core/ports/world.js';
import type { HttpAnswer } from '../http/http.js';

/** Half the way there and back is only a good guess when the way was short: an upload's is mostly the upload. */
const MAX_ROUND_TRIP_MS = 5_000;
/** The header has whole seconds, cut off; the middle of that second is the best guess. */
const HALF_SECOND_MS = 500;

/** Claims and leases bear more; signatures, tokens and days begin to suffer. */
const FAR_MS = 60_000;

export type ClockSkew = {
  learn(answer: HttpAnswer, received_at: Date): void;
  /** Milliseconds the marketplace is ahead of us, within about a second; 0 before the first answer. */
  get: () => number;
};

/** Warns once of a clock that is far from the marketplace's. */
export function createClockSkew(log: Pick<Log, 'warn'>): ClockSkew {
  let skew_ms = 0;
  let isTold = false;
  return {
    learn(answer, received_at) {
      const told_at = Date.parse(answer.findHeader('date') ?? '');
      if (Number.isNaN(told_at) || answer.round_trip_ms > MAX_ROUND_TRIP_MS) return;
      skew_ms = told_at + HALF_SECOND_MS - (received_at.getTime() - answer.round_trip_ms / 2);
      if (isTold || Math.abs(skew_ms) <= FAR_MS) return;
      isTold = true;
      log.warn("the clock of this computer is far from the marketplace's: set it, as by NTP", {
        behind_by_s: Math.round(skew_ms / 1000),
      });
    },
    get: () => skew_ms,
  };
}
