import type { MediaKind } from '../progress.js';
import type { KeptSnapshot, MediaSources, SnapshotPart } from '../snapshot/snapshot.js';
import type { ShopUpdateProgress } from './progress.js';

/**
 * What is kept of a listing once its change has ended; undefined where it stays as it was. What was written and could not be read back
 * is kept as nothing, so that the next look is taken as it comes.
 */
export function findBaseline(
  { before, target, after, sent }: ShopUpdateProgress,
  baseline: KeptSnapshot | undefined,
): KeptSnapshot | undefined {
  if (after) return { ...after, sources: addSources(baseline?.sources, target, sent) };
  if (!before || !target) return undefined;
  const unread = (Object.keys(before) as SnapshotPart[]).map((part) => [part, undefined]);
  return Object.fromEntries(unread) as KeptSnapshot;
}

/** Which of what hangs on the listing our form names, with what was sent now. */
function addSources(
  known: MediaSources | undefined,
  target: ShopUpdateProgress['target'],
  sent: ShopUpdateProgress['sent'],
): MediaSources {
  const add = (kind: MediaKind) => ({
    ...known?.[kind],
    ...Object.fromEntries(
      (target?.[kind] ?? []).flatMap(({ id, file }, index) => {
        const own = sent[kind][index] ?? id;
        return own !== null && file ? [[own, file.url]] : [];
      }),
    ),
  });
  return { images: add('images'), videos: add('videos'), files: add('files') };
}
