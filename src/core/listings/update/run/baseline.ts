import type { MediaKind } from '../../publish/progress.js';
import type { KeptSnapshot, ListingSnapshot, MediaSources, SnapshotPart } from '../../snapshot/snapshot.js';
import { listShownIds } from '../../snapshot/shown_ids.js';
import type { Target } from '../plan.js';
import { listOverwriting } from './leave_drift.js';
import type { ShopUpdateProgress } from './progress.js';

/**
 * The baseline once a change has ended; undefined if it stays as it was. A part that may have been written and could not be read back
 * is left empty, so that the next read of it becomes the baseline, unless it is known to have been edited manually.
 */
export function findBaseline(
  progress: ShopUpdateProgress,
  baseline: KeptSnapshot | undefined,
): KeptSnapshot | undefined {
  const { before, target, after, seen, sent, failure, taken_over } = progress;
  const pick = (snapshot: KeptSnapshot, is_written: boolean) =>
    PARTS.filter((part) => part in snapshot && isWritten(part, target) === is_written);
  if (after) {
    const sources = findSources(baseline?.sources, target, sent, after);
    // A failed change adopts nothing, so manual edits in parts that it did not write are still to be found.
    const left = failure ? pick(baseline ?? {}, false).filter((part) => part in after) : [];
    return {
      ...(seen ?? after),
      ...Object.fromEntries(left.map((part) => [part, baseline?.[part]])),
      sources,
    };
  }
  const isEdited = taken_over.some(({ kind }) => kind !== 'sold');
  if (!before || !target || isEdited || failure?.drift || listOverwriting(progress).length > 0)
    return undefined;
  return Object.fromEntries(pick(before, true).map((part) => [part, undefined]));
}

function isWritten(part: SnapshotPart, target: Target | null): boolean {
  return WRITTEN_WITH[part].some((written) => target?.[written] !== undefined);
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

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
const PARTS = Object.keys(WRITTEN_WITH) as SnapshotPart[];

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
