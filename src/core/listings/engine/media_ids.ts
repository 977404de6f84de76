import {
  MEDIA_KINDS,
  type MediaKind,
  type ChangeProgress,
  type PublicationProgress,
} from '../../ports/listing/progress.js';
import { FORM_IMAGES, FORM_VIDEOS, getMediaId, listShownIds, type MediaItem } from '../snapshot/shown_ids.js';
import type { Context, SentMedia } from './context.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';

/** The media of a publication. */
export function toPublishedMedia(progress: PublicationProgress): SentMedia {
  return {
    getIds: (kind) => toIds(progress[kind], getMediaId),
    listOtherIds: () => [],
    keep(index, item) {
      if ('listing_image_id' in item) progress.images[index] = item;
      else if ('video_id' in item) progress.videos = [item];
      else progress.files[index] = item;
    },
  };
}

/** The media of an update. */
export function toChangedMedia(progress: ChangeProgress): SentMedia {
  const { sent } = progress;
  return {
    getIds: (kind) => toIds(sent[kind], (id) => id),
    listOtherIds(kind) {
      const had = listShownIds(progress.before ?? {}, kind) ?? [];
      return kind === 'images' ? [...had, ...(progress.doubles ?? [])] : had;
    },
    keep(index, item) {
      const kind = 'listing_image_id' in item ? 'images' : 'video_id' in item ? 'videos' : 'files';
      sent[kind][index] = getMediaId(item);
    },
  };
}

function toIds<Item>(items: Record<number, Item>, getId: (item: Item) => number): Map<number, number> {
  return new Map(Object.entries(items).map(([index, item]) => [Number(index), getId(item)]));
}

/** The marketplace's id of the file at a position of the target; null if it has none yet. */
export function findMediaId(
  { sent, target }: Pick<Context, 'sent' | 'target'>,
  kind: MediaKind,
  index: number,
): number | null {
  return sent.getIds(kind).get(index) ?? target[kind]?.[index]?.id ?? null;
}

/**
 * The current id of a photo of the target, given its earlier id: a photo that had to be sent again has a new one.
 */
export function findSuccessor(cx: Pick<Context, 'sent' | 'target'>, image_id: number): number {
  const index = cx.target.images?.findIndex(({ id }) => id === image_id) ?? -1;
  return (index < 0 ? null : findMediaId(cx, 'images', index)) ?? image_id;
}

/** The ids of all positions that have one, in order. */
export function listMediaIds(cx: Context, kind: MediaKind): number[] {
  const positions = [...(cx.target[kind] ?? []).keys()];
  return positions.flatMap((index) => findMediaId(cx, kind, index) ?? []);
}

/** Known ids: of earlier files, of files in the target, and of files sent once or twice. */
export function listKnownIds({ sent, target }: Context, kind: MediaKind): Set<number> {
  return new Set([
    ...sent.getIds(kind).values(),
    ...sent.listOtherIds(kind),
    ...(target[kind] ?? []).flatMap(({ id }) => id ?? []),
  ]);
}

/** Positions of the target for which the listing has no file. */
export function listMissing(cx: Context, kind: MediaKind): number[] {
  const shown = listShownIds(cx.fresh, kind);
  return [...(cx.target[kind] ?? []).keys()].filter((index) => {
    const id = findMediaId(cx, kind, index);
    return id === null || shown?.includes(id) === false;
  });
}

/** Photos, videos or files as last read, plus the writes since. */
export function listShown<Kind extends MediaKind>({ fresh }: Context, kind: Kind): Shown<Kind>[] {
  const shown: Partial<ListingSnapshot>[Kind] = fresh[kind];
  return shown ?? [];
}

type Shown<Kind extends MediaKind> = ListingSnapshot[Kind][number];

/** The items that the target does not have; none if it leaves this kind unchanged. */
export function listSurplus<Kind extends MediaKind>(cx: Context, kind: Kind): Shown<Kind>[] {
  if (!cx.target[kind]) return [];
  const wanted = new Set(listMediaIds(cx, kind));
  return listShown(cx, kind).filter((item) => !wanted.has(getMediaId(item)));
}

/** Whether the listing has the items of the target, in its order. */
export function isInOrder(cx: Context, kind: MediaKind): boolean {
  if (!cx.target[kind]) return true;
  return String(listShownIds(cx.fresh, kind) ?? []) === String(listMediaIds(cx, kind));
}

/** The items with this one at the given rank; an item that is already there is moved. */
export function insert<Item extends MediaItem>(items: readonly Item[], item: Item, rank: number): Item[] {
  const others = items.filter((other) => getMediaId(other) !== getMediaId(item));
  return others.toSpliced(rank - 1, 0, item);
}

/** The ids of sent files that the listing does not show as read. */
export function listUnseenIds({ change, fresh }: Context): number[] {
  return MEDIA_KINDS.flatMap((kind) => {
    const shown = listShownIds(fresh, kind);
    return shown ? Object.values(change.sent[kind]).filter((id) => !shown.includes(id)) : [];
  });
}

/**
 * Records the current media of a listing as sent, so that publishing sends none of them again. Parts that are left
 * out stay unchanged.
 */
export function takeMedia(
  progress: PublicationProgress,
  { images, videos, files }: Partial<Pick<ListingSnapshot, 'images' | 'videos' | 'files'>>,
): PublicationProgress {
  return {
    ...progress,
    ...(images && { images: { ...images.slice(0, FORM_IMAGES) } }),
    ...(videos && { videos: videos.slice(0, FORM_VIDEOS) }),
    ...(files && { files: { ...files } }),
  };
}
