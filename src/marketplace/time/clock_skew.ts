import type { Log } from '../../core/ports/world.js';
import type { HttpAnswer } from '../http/http.js';

/**
 * The skew assumes that the answer took half of the round trip. That is a good guess for a short round trip
 * only: most of an upload's is the upload.
 */
const MAX_ROUND_TRIP_MS = 5_000;
/** The header has whole seconds, truncated; the middle of that second is the best guess. */
const HALF_SECOND_MS = 500;

/**
 * From this skew on a warning is logged: claims would tolerate more, but signatures, tokens and daily limits
 * begin to suffer.
 */
const FAR_MS = 60_000;

export type ClockSkew = {
  learn(answer: HttpAnswer, received_at: Date): void;
  /** Milliseconds by which the marketplace's clock is ahead of this computer's, within about a second; 0 before the first answer. */
  get: () => number;
};

/** Warns once about a clock that is far from the marketplace's. */
export function createClockSkew(log: Pick<Log, 'warn'>): ClockSkew {
  let skew_ms = 0;
  let hasWarned = false;
  return {
    learn(answer, received_at) {
      const sent_at = Date.parse(answer.findHeader('date') ?? '');
      if (Number.isNaN(sent_at) || answer.round_trip_ms > MAX_ROUND_TRIP_MS) return;
      skew_ms = sent_at + HALF_SECOND_MS - (received_at.getTime() - answer.round_trip_ms / 2);
      if (hasWarned || Math.abs(skew_ms) <= FAR_MS) return;
      hasWarned = true;
      log.warn("this computer's clock is far from the marketplace's: synchronize it with NTP", {
        behind_by_s: Math.round(skew_ms / 1000),
      });
    },
    get: () => skew_ms,
  };
}
