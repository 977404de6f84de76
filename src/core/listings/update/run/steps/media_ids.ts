import { MEDIA_KINDS, type MediaKind } from '../../../publish/progress.js';
import { listShownIds } from '../../../snapshot/shown_ids.js';
import { getTarget, type Changing } from '../changing.js';

/** The marketplace's id of the file at a position of the target; null where it has none yet. */
export function findMediaId(
  changing: Pick<Changing, 'progress'>,
  kind: MediaKind,
  index: number,
): number | null {
  return changing.progress.sent[kind][index] ?? getTarget(changing)[kind]?.[index]?.id ?? null;
}

/** The id of a photo of the target by the id that it had before: one that had to be sent again has another one. */
export function findSuccessor(changing: Pick<Changing, 'progress'>, image_id: number): number {
  const index = getTarget(changing).images?.findIndex(({ id }) => id === image_id) ?? -1;
  return (index < 0 ? null : findMediaId(changing, 'images', index)) ?? image_id;
}

/** The ids of all positions that have one, in order. */
export function listMediaIds(changing: Changing, kind: MediaKind): number[] {
  const positions = [...(getTarget(changing)[kind] ?? []).keys()];
  return positions.flatMap((index) => findMediaId(changing, kind, index) ?? []);
}

/** Known ids: of files that were there before, of the target, and of files that were sent, once or twice. */
export function listKnownIds(changing: Changing, kind: MediaKind): Set<number> {
  const { before, doubles = [] } = changing.progress;
  const had = listShownIds(before ?? {}, kind);
  const wanted = (getTarget(changing)[kind] ?? []).flatMap(({ id }) => id ?? []);
  const sent = [...Object.values(changing.progress.sent[kind]), ...(kind === 'images' ? doubles : [])];
  return new Set([...(had ?? []), ...wanted, ...sent]);
}

/** The ids of files that were sent, and that the listing does not show as it was read. */
export function listUnseenIds({ progress, fresh }: Changing): number[] {
  return MEDIA_KINDS.flatMap((kind) => {
    const shown = listShownIds(fresh, kind);
    return shown ? Object.values(progress.sent[kind]).filter((id) => !shown.includes(id)) : [];
  });
}
