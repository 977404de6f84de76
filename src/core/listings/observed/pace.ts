const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** A sighting that is shown may be six hours old at most; waiting for a place and the look itself take the rest. */
const EVERY_MS = 5.5 * HOUR_MS;
/** The part of an application's daily calls that looks at listings may take, over all shops. */
const DAY_SHARE = 0.25;

/** Until the next look after a failed one. */
export const AFTER_FAILURE_MS = 5 * 60_000;

/** Milliseconds until all listings of a shop are read again: longer than usual only where all shops together would use up too much of the application's daily calls. */
export function getNextLook(look: {
  /** Calls that this look took. */
  calls: number;
  shops: number;
  /** Calls that the application has a day, when that is known. */
  day_limit: number | undefined;
}): number {
  const { calls, shops, day_limit } = look;
  const affordable_ms = day_limit === undefined ? 0 : (shops * calls * DAY_MS) / (day_limit * DAY_SHARE);
  return Math.round(Math.max(EVERY_MS, affordable_ms));
}
