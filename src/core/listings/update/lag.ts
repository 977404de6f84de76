import type { KeptSnapshot, ListingSnapshot, SnapshotPart } from '../snapshot/snapshot.js';

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
    const [wrote, shows] = [listIds(baseline.snapshot, part), listIds(fresh, part)];
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

function listIds(
  snapshot: Partial<ListingSnapshot>,
  part: (typeof LISTS)[number],
): (number | null)[] | undefined {
  switch (part) {
    case 'images':
      return snapshot.images?.map(({ listing_image_id }) => listing_image_id);
    case 'videos':
      return snapshot.videos?.map(({ video_id }) => video_id);
    case 'files':
      return snapshot.files?.map(({ listing_file_id }) => listing_file_id);
    case 'attributes':
      return snapshot.attributes?.map(({ property_id }) => property_id);
    case 'questions':
      return snapshot.questions?.map(({ question_id }) => question_id);
  }
}
