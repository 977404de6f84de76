import type { FactsExamination } from '../../compose/published_document.js';
import { ok, problem, skipped, warning, type Check } from './check.js';

const YEAR_MS = 365 * 24 * 60 * 60_000;

const UPDATE = 'Install the newest release: its rules are read anew from the marketplace.';

/** What is written down of the marketplace's rules is not older than they live. */
export function checkFacts({ as_of }: { as_of: string }, now: Date): Check {
  if (now.getTime() - Date.parse(as_of) > YEAR_MS) {
    return warning(
      'rules',
      `What is known of the marketplace's rules is of ${as_of}, more than a year ago.`,
      UPDATE,
    );
  }
  return ok('rules', `What is known of the marketplace's rules is of ${as_of}.`);
}

/** What is written down of the marketplace's rules is what it publishes now. */
export function checkPublished(examined: FactsExamination): Check[] {
  const { source } = examined;
  if ('unreachable' in examined) {
    return [
      skipped(
        'published rules',
        `Not compared: ${source} could not be fetched (${examined.unreachable}). Offline, download it and name the file with --document.`,
      ),
    ];
  }
  if ('unreadable' in examined) {
    return [
      problem(
        'published rules',
        `Not compared: ${source} could not be read: ${examined.unreadable}.`,
        `Name the file or address of the marketplace's OpenAPI document.`,
      ),
    ];
  }
  if (examined.differences.length === 0) {
    return [ok('published rules', `What ${source} says is what this release knows.`)];
  }
  return examined.differences.map((difference) => warning('published rules', difference, UPDATE));
}
