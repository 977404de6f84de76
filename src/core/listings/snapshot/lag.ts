import type { KeptSnapshot, ListingSnapshot, SnapshotPart } from '../../ports/listing/snapshot.js';
import { listShownIds } from './shown_ids.js';

/** For so long after a write, lists of the marketplace may not show all of it. */
const LAG_MS = 60_000;

/** The baseline of a listing, and how long ago it was saved. */
export type AgedBaseline = { snapshot: KeptSnapshot; age_ms: number };

/**
 * The parts whose lists show less than was written a moment ago, and nothing else. That is lag rather than a manual edit, and they are to
 * be read again.
 */
export function listLagging(
  baseline: AgedBaseline | undefined,
  fresh: Partial<ListingSnapshot>,
): SnapshotPart[] {
  if (!baseline || baseline.age_ms > LAG_MS) return [];
  return LISTS.filter((part) => {
    const wrote: readonly (number | null)[] | undefined = listShownIds(baseline.snapshot, part);
    const shows: typeof wrote = listShownIds(fresh, part);
    if (!wrote || !shows || shows.length >= wrote.length) return false;
    const left = wrote.filter((id) => shows.includes(id));
    return left.length === shows.length && left.every((id, index) => id === shows[index]);
  });
}

/** What was read, with the lists that lag as they were written. */
export function withoutLag(
  baseline: AgedBaseline | undefined,
  fresh: Partial<ListingSnapshot>,
): Partial<ListingSnapshot> {
  const written = listLagging(baseline, fresh).map((part) => [part, baseline?.snapshot[part]]);
  return { ...fresh, ...Object.fromEntries(written) };
}

const LISTS = ['images', 'videos', 'files', 'attributes', 'questions'] as const;
