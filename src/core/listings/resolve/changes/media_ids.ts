import type { Publication, PublishJob } from '../../../ports/index.js';
import type { KeptSnapshot, MediaSources } from '../../../ports/listing/snapshot.js';

/**
 * The marketplace's ids of a listing's photos, videos and files in one shop, by the URL with which the request or a
 * caller names them.
 */
export type MediaIds = Record<keyof MediaSources, ReadonlyMap<string, number>>;

/**
 * The original URLs of a listing's photos, videos and files: from the snapshot, otherwise from the job that sent
 * them.
 * @param last the job that published it
 */
export function findSources(
  snapshot: KeptSnapshot | undefined,
  publication: Publication,
  last: PublishJob | undefined,
): MediaSources {
  if (snapshot?.sources) return snapshot.sources;
  const { images, videos, files } = publication.progress;
  const planned = last?.plan?.shops ?? [];
  // A shop of an earlier job had the files that the shops without changes of their own have.
  const like =
    planned.find(({ shop_id }) => shop_id === publication.shop_id) ??
    planned.find(({ action }) => action.own_warnings === undefined);
  const target = like?.action.target;
  return {
    images: toEntries(
      Object.entries(images).map(([at, { listing_image_id }]) => [
        listing_image_id,
        target?.images?.[Number(at)]?.file?.url,
      ]),
    ),
    videos: toEntries(videos.map(({ video_id }, at) => [video_id, target?.videos?.[at]?.file?.url])),
    files: toEntries(
      Object.entries(files).map(([at, { listing_file_id }]) => [
        listing_file_id,
        target?.files?.[Number(at)]?.file?.url,
      ]),
    ),
  };
}

/**
 * The media of a shop's listing, by URL. A photo may also be named by its marketplace URL in this shop, or in
 * another one that has the same photo.
 */
export function findMediaIds(
  own: MediaSources,
  everywhere: readonly { sources: MediaSources; snapshot: KeptSnapshot | undefined }[],
): MediaIds {
  const images = invert(own.images);
  const videos = invert(own.videos);
  for (const { sources, snapshot } of everywhere) {
    for (const { listing_image_id, url_fullxfull } of snapshot?.images ?? []) {
      const id = sources === own ? listing_image_id : images.get(sources.images[listing_image_id] ?? '');
      if (id !== undefined) images.set(url_fullxfull, id);
    }
    for (const { video_id, video_url } of snapshot?.videos ?? []) {
      const id = sources === own ? video_id : videos.get(sources.videos[video_id] ?? '');
      if (id !== undefined && video_url !== null) videos.set(video_url, id);
    }
  }
  return { images, videos, files: invert(own.files) };
}

function toEntries(ids: readonly (readonly [number, string | undefined])[]): Record<string, string> {
  return Object.fromEntries(ids.flatMap(([id, url]) => (url === undefined ? [] : [[id, url]])));
}

function invert(sources: Record<string, string>): Map<string, number> {
  return new Map(Object.entries(sources).map(([id, url]) => [url, Number(id)]));
}
