import type { MediaKind } from '../../publish/progress.js';
import type { KeptSnapshot, ListingSnapshot, MediaSources, SnapshotPart } from '../../snapshot/snapshot.js';
import { listShownIds } from '../../snapshot/shown_ids.js';
import type { Target } from '../plan.js';
import { listOverwriting } from './leave_drift.js';
import type { ShopUpdateProgress } from './progress.js';

/**
 * The snapshot of a listing once its change has ended; undefined where it stays as it was. A part that may have been written and could
 * not be read back is left empty, so that the next read of it is taken as the base; but not where it is known to have been edited by
 * hand.
 */
export function findBaseline(
  progress: ShopUpdateProgress,
  baseline: KeptSnapshot | undefined,
): KeptSnapshot | undefined {
  const { before, target, after, seen, sent, failure } = progress;
  const adopted = failure ? pickUnwritten(baseline?.adopted, target) : undefined;
  if (after) {
    return { ...(seen ?? after), sources: findSources(baseline?.sources, target, sent, after), adopted };
  }
  if (!before || !target || failure?.drift || listOverwriting(progress).length > 0) return undefined;
  const unread = (Object.keys(before) as SnapshotPart[]).filter((part) =>
    WRITTEN_WITH[part].some((written) => target[written] !== undefined),
  );
  return { ...before, ...Object.fromEntries(unread.map((part) => [part, undefined])), adopted };
}

/** A change that failed takes nothing over; of parts that it may have written, edits by hand cannot be told from what it wrote. */
function pickUnwritten(adopted: KeptSnapshot['adopted'], target: Target | null): KeptSnapshot['adopted'] {
  const isUnwritten = (part: SnapshotPart) =>
    WRITTEN_WITH[part].every((written) => target?.[written] === undefined);
  return (
    adopted &&
    Object.fromEntries(Object.entries(adopted).filter(([part]) => isUnwritten(part as SnapshotPart)))
  );
}

/** For each part, the parts of a target whose writes may change it. */
const WRITTEN_WITH: Record<SnapshotPart, readonly (keyof Target)[]> = {
  // A digital file makes the listing digital, and takes its variations away.
  listing: ['fields', 'state', 'inventory', 'files'],
  inventory: ['inventory', 'fields', 'state', 'files'],
  variation_images: ['variation_images', 'images', 'inventory', 'files'],
  images: ['images'],
  videos: ['videos'],
  files: ['files'],
  // Another category takes what does not fit it.
  attributes: ['attributes', 'fields'],
  questions: ['questions'],
  // Another title, and being off sale, remove them.
  translations: ['translations', 'fields', 'state'],
};

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
