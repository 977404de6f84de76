import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { ListingFile, ListingImage, ListingVideo } from '../../ports/marketplace_listing.js';

export type MediaItem = ListingImage | ListingVideo | ListingFile;

/** The marketplace's id of a photo, video or file. */
export function getMediaId(item: MediaItem): number {
  if ('listing_image_id' in item) return item.listing_image_id;
  return 'video_id' in item ? item.video_id : item.listing_file_id;
}

const IDS = {
  images: ({ images }) => images?.map(getMediaId),
  videos: ({ videos }) => videos?.map(getMediaId),
  files: ({ files }) => files?.map(getMediaId),
  attributes: ({ attributes }) => attributes?.map(({ property_id }) => property_id),
  questions: ({ questions }) => questions?.map(({ question_id }) => question_id),
} satisfies Record<string, (snapshot: Partial<ListingSnapshot>) => (number | null)[] | undefined>;

/** The marketplace's ids of the entries of a list part, in order; undefined if the part was not read. */
export function listShownIds<Part extends keyof typeof IDS>(
  snapshot: Partial<ListingSnapshot>,
  part: Part,
): ReturnType<(typeof IDS)[Part]> {
  return IDS[part](snapshot) as ReturnType<(typeof IDS)[Part]>;
}

/** The number of photos and videos a request can hold. */
export const FORM_IMAGES = 10;
export const FORM_VIDEOS = 1;
