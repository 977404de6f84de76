import type { MediaKind } from '../../publish/progress.js';
import type { KeptSnapshot, ListingSnapshot, MediaSources, SnapshotPart } from '../../snapshot/snapshot.js';
import { listShownIds } from '../../snapshot/shown_ids.js';
import { listOverwriting } from './leave_drift.js';
import type { ShopUpdateProgress } from './progress.js';

/**
 * The snapshot of a listing once its change has ended; undefined where it stays as it was. A part that was written and could not be
 * read back is left empty, so that the next read of it is taken as the base; but not where it is known to have been edited by hand.
 */
export function findBaseline(
  progress: ShopUpdateProgress,
  baseline: KeptSnapshot | undefined,
): KeptSnapshot | undefined {
  const { before, target, after, seen, sent, failure } = progress;
  if (after) return { ...(seen ?? after), sources: findSources(baseline?.sources, target, sent, after) };
  if (!before || !target || failure?.drift || listOverwriting(progress).length > 0) return undefined;
  const unread = (Object.keys(before) as SnapshotPart[]).map((part) => [part, undefined]);
  return Object.fromEntries(unread) as KeptSnapshot;
}

/** The urls of the listing's media in the request, with those that were sent now; a deleted file is sent again where it is wanted. */
function findSources(
  known: MediaSources | undefined,
  target: ShopUpdateProgress['target'],
  sent: ShopUpdateProgress['sent'],
  after: Partial<ListingSnapshot>,
): MediaSources {
  const find = (kind: MediaKind) => {
    const shown = listShownIds(after, kind);
    const own = (target?.[kind] ?? []).flatMap(({ id, file }, index): [string, string][] => {
      const there = sent[kind][index] ?? id;
      return there !== null && file ? [[String(there), file.url]] : [];
    });
    const all = [...Object.entries(known?.[kind] ?? {}), ...own];
    return Object.fromEntries(all.filter(([id]) => shown?.includes(Number(id)) ?? true));
  };
  return { images: find('images'), videos: find('videos'), files: find('files') };
}
