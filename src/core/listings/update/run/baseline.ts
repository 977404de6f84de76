import type { MediaKind } from '../../publish/progress.js';
import type { KeptSnapshot, ListingSnapshot, MediaSources, SnapshotPart } from '../../snapshot/snapshot.js';
import type { ShopUpdateProgress } from './progress.js';

/**
 * What is kept of a listing once its change has ended; undefined where it stays as it was. What was written and could not be read back
 * is kept as nothing, so that the next look is taken as it comes; not where other hands are known to have changed it.
 */
export function findBaseline(
  { before, target, after, seen, sent, failure }: ShopUpdateProgress,
  baseline: KeptSnapshot | undefined,
): KeptSnapshot | undefined {
  if (after) return { ...(seen ?? after), sources: findSources(baseline?.sources, target, sent, after) };
  if (!before || !target || failure?.drift) return undefined;
  const unread = (Object.keys(before) as SnapshotPart[]).map((part) => [part, undefined]);
  return Object.fromEntries(unread) as KeptSnapshot;
}

/** Which of what hangs on the listing our form names, with what was sent now; what was taken away is sent again where it is wanted. */
function findSources(
  known: MediaSources | undefined,
  target: ShopUpdateProgress['target'],
  sent: ShopUpdateProgress['sent'],
  { images, videos, files }: Partial<ListingSnapshot>,
): MediaSources {
  const find = (kind: MediaKind, shown: readonly number[] | undefined) => {
    const own = (target?.[kind] ?? []).flatMap(({ id, file }, index): [string, string][] => {
      const there = sent[kind][index] ?? id;
      return there !== null && file ? [[String(there), file.url]] : [];
    });
    const all = [...Object.entries(known?.[kind] ?? {}), ...own];
    return Object.fromEntries(all.filter(([id]) => shown?.includes(Number(id)) ?? true));
  };
  return {
    images: find(
      'images',
      images?.map(({ listing_image_id }) => listing_image_id),
    ),
    videos: find(
      'videos',
      videos?.map(({ video_id }) => video_id),
    ),
    files: find(
      'files',
      files?.map(({ listing_file_id }) => listing_file_id),
    ),
  };
}
