const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A quiet shop is still looked at after this time at the latest. */
const LONGEST_MS = 15 * MINUTE_MS;
/** The part of an application's daily calls that looking at orders may take, over all shops. */
const DAY_SHARE = 0.25;

/**
 * How long to wait before a shop is looked at again: shortest after news, twice as long after each look without, and never
 * so short that all shops together would use up too much of the application's day.
 */
export function getNextInterval(look: {
  before_ms: number;
  has_news: boolean;
  least_ms: number;
  shops: number;
  /** Calls that the application has a day, when that is known. */
  day_limit: number | undefined;
}): number {
  const { before_ms, has_news, least_ms, shops, day_limit } = look;
  const wanted = has_news ? least_ms : Math.max(least_ms, before_ms * 2);
  const affordable = day_limit === undefined ? 0 : (shops * DAY_MS) / (day_limit * DAY_SHARE);
  return Math.round(Math.max(Math.min(wanted, Math.max(LONGEST_MS, least_ms)), affordable));
}

/** After a failed look: soon again at first, and never sooner than the marketplace asks for. In whole milliseconds, as they are stored. */
export function getPauseAfterFailure(before_ms: number, least_ms: number, retry_after_s = 0): number {
  const asked_ms = Math.ceil(retry_after_s * 1000);
  return Math.max(Math.min(Math.max(least_ms, before_ms * 2), LONGEST_MS), asked_ms);
}

/** A shop that no account's tokens can read is due again after this. */
export const UNWATCHED_MS = 60_000;
