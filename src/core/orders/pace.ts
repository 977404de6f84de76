const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The longest pause between two polls of a quiet shop. */
const LONGEST_MS = 15 * MINUTE_MS;
/** The share of an application's daily calls that polling orders may take, over all shops. */
const DAY_SHARE = 0.25;

/**
 * The pause before the next poll of a shop: shortest after news, twice as long after each poll without news,
 * and long enough that all shops together do not use up too much of the application's daily calls.
 */
export function getNextInterval(poll: {
  before_ms: number;
  has_news: boolean;
  least_ms: number;
  shops: number;
  /** The application's calls per day, if known. */
  day_limit: number | undefined;
}): number {
  const { before_ms, has_news, least_ms, shops, day_limit } = poll;
  const wanted = has_news ? least_ms : Math.max(least_ms, before_ms * 2);
  const affordable = day_limit === undefined ? 0 : (shops * DAY_MS) / (day_limit * DAY_SHARE);
  return Math.round(Math.max(Math.min(wanted, Math.max(LONGEST_MS, least_ms)), affordable));
}

/**
 * The pause after a failed poll: short at first, and never shorter than the marketplace asks for. In whole
 * milliseconds, since that is how pauses are stored.
 */
export function getPauseAfterFailure(before_ms: number, least_ms: number, retry_after_s = 0): number {
  const asked_ms = Math.ceil(retry_after_s * 1000);
  return Math.max(Math.min(Math.max(least_ms, before_ms * 2), LONGEST_MS), asked_ms);
}

/** The pause for a shop that no account's tokens can read. */
export const UNWATCHED_MS = 60_000;
