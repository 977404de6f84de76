import type { KeptSnapshot, ListingSnapshot, SnapshotPart } from '../../ports/listing/snapshot.js';
import { listShownIds } from './shown_ids.js';

/** For this long after a write, the marketplace's lists may not show all of it. */
const LAG_MS = 60_000;

/** The baseline of a listing, and how long ago it was saved. */
export type AgedBaseline = { snapshot: KeptSnapshot; age_ms: number };

/**
 * The parts whose lists show only some of the entries just written, and nothing else. That is lag rather than a
 * manual edit, and these parts must be read again.
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

/** The parts as read, except that lagging lists are as written. */
export function withoutLag(
  baseline: AgedBaseline | undefined,
  fresh: Partial<ListingSnapshot>,
): Partial<ListingSnapshot> {
  const written = listLagging(baseline, fresh).map((part) => [part, baseline?.snapshot[part]]);
  return { ...fresh, ...Object.fromEntries(written) };
}

const LISTS = ['images', 'videos', 'files', 'attributes', 'questions'] as const;
