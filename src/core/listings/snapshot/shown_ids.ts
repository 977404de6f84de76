import type { MediaKind } from '../publish/progress.js';
import type { ListingSnapshot } from './snapshot.js';

/** The marketplace's ids of a listing's photos, videos or files, in their order; undefined where they were not read. */
export function listShownIds(
  { images, videos, files }: Partial<ListingSnapshot>,
  kind: MediaKind,
): number[] | undefined {
  const list = {
    images: () => images?.map(({ listing_image_id }) => listing_image_id),
    videos: () => videos?.map(({ video_id }) => video_id),
    files: () => files?.map(({ listing_file_id }) => listing_file_id),
  };
  return list[kind]();
}
