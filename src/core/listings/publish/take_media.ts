import { FORM_IMAGES, FORM_VIDEOS } from '../snapshot/form_room.js';
import type { ListingSnapshot } from '../snapshot/snapshot.js';
import type { ShopProgress } from './progress.js';

/** What hangs on a listing now counts as what was sent, so that publishing sends none of it anew. Parts that are left out stay. */
export function takeMedia(
  progress: ShopProgress,
  { images, videos, files }: Partial<Pick<ListingSnapshot, 'images' | 'videos' | 'files'>>,
): ShopProgress {
  return {
    ...progress,
    ...(images && { images: { ...images.slice(0, FORM_IMAGES) } }),
    ...(videos && { videos: videos.slice(0, FORM_VIDEOS) }),
    ...(files && { files: { ...files } }),
  };
}
