import { ok, warning, type Check } from './check.js';

const YEAR_MS = 365 * 24 * 60 * 60_000;

/** What is written down of the marketplace's rules is not older than they live. */
export function checkFacts(
  { as_of, open_when_made }: { as_of: string; open_when_made: string },
  now: Date,
): Check {
  const update = 'Install the newest release: its rules are read anew from the marketplace.';
  if (now.getTime() - Date.parse(as_of) > YEAR_MS) {
    return warning(
      'rules',
      `What is known of the marketplace's rules is of ${as_of}, more than a year ago.`,
      update,
    );
  }
  // `2020_2026`: each year the open period ends with that year.
  const year = Number(open_when_made.slice(-4));
  if (year < now.getUTCFullYear()) {
    return warning(
      'rules',
      `when_made ${open_when_made} was the open period of ${year}, which is over.`,
      update,
    );
  }
  return ok('rules', `What is known of the marketplace's rules is of ${as_of}.`);
}
