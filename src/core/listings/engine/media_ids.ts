import type { ListingFile, ListingImage, ListingVideo } from '../../ports/index.js';
import {
  MEDIA_KINDS,
  type MediaKind,
  type ChangeProgress,
  type PublicationProgress,
} from '../../ports/listing/progress.js';
import { FORM_IMAGES, FORM_VIDEOS, listShownIds } from '../snapshot/shown_ids.js';
import type { Context, SentMedia } from './context.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';

/** The media of a publication. */
export function toPublishedMedia(progress: PublicationProgress): SentMedia {
  const listSent = (kind: MediaKind) => listPublished(progress)[kind].map(({ id }) => id);
  return {
    findId: (kind, index) => listPublished(progress)[kind].find((item) => Number(item.index) === index)?.id,
    keep(_kind: MediaKind, index: number, item: ListingImage | ListingVideo | ListingFile) {
      if ('listing_image_id' in item) progress.images[index] = item;
      else if ('video_id' in item) progress.videos = [item];
      else progress.files[index] = item;
    },
    listSent,
    listIds: listSent,
  };
}

function listPublished({ images, videos, files }: PublicationProgress) {
  return {
    images: Object.entries(images).map(([index, { listing_image_id: id }]) => ({ index, id })),
    videos: videos.map(({ video_id: id }, index) => ({ index, id })),
    files: Object.entries(files).map(([index, { listing_file_id: id }]) => ({ index, id })),
  };
}

/** The media of an update. */
export function toChangedMedia(progress: ChangeProgress): SentMedia {
  const { sent } = progress;
  return {
    findId: (kind, index) => sent[kind][index],
    keep(kind: MediaKind, index: number, item: ListingImage | ListingVideo | ListingFile) {
      if ('listing_image_id' in item) sent[kind][index] = item.listing_image_id;
      else sent[kind][index] = 'video_id' in item ? item.video_id : item.listing_file_id;
    },
    listSent: (kind) => Object.values(sent[kind]),
    listIds(kind) {
      const had = listShownIds(progress.before ?? {}, kind) ?? [];
      const doubles = kind === 'images' ? (progress.doubles ?? []) : [];
      return [...had, ...Object.values(sent[kind]), ...doubles];
    },
  };
}

/** The marketplace's id of the file at a position of the target; null if it has none yet. */
export function findMediaId(
  { sent, target }: Pick<Context, 'sent' | 'target'>,
  kind: MediaKind,
  index: number,
): number | null {
  return sent.findId(kind, index) ?? target[kind]?.[index]?.id ?? null;
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
  return new Set([...sent.listIds(kind), ...(target[kind] ?? []).flatMap(({ id }) => id ?? [])]);
}

/** Positions of the target for which the listing has no file. */
export function listMissing(cx: Context, kind: MediaKind): number[] {
  const shown = listShownIds(cx.fresh, kind);
  return [...(cx.target[kind] ?? []).keys()].filter((index) => {
    const id = findMediaId(cx, kind, index);
    return id === null || shown?.includes(id) === false;
  });
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
