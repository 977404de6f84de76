const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** What is shown of a listing may be six hours old; the look itself and its turn take time. */
const EVERY_MS = 5.5 * HOUR_MS;
/** Reading managed listings again may take this part of a day's calls, over all shops. */
const DAY_SHARE = 0.25;

/** After a look that failed. */
export const AFTER_FAILURE_MS = 5 * 60_000;

/** In how many milliseconds all of a shop is read again: rarer only where all shops together would use up too much of the application's day. */
export function getNextLook(look: {
  /** That this one took. */
  calls: number;
  shops: number;
  /** Calls that the application has a day, when that is known. */
  day_limit: number | undefined;
}): number {
  const { calls, shops, day_limit } = look;
  const affordable_ms = day_limit === undefined ? 0 : (shops * calls * DAY_MS) / (day_limit * DAY_SHARE);
  return Math.round(Math.max(EVERY_MS, affordable_ms));
}
