import type { ListingSnapshot } from '../../ports/listing/snapshot.js';

const IDS = {
  images: ({ images }) => images?.map(({ listing_image_id }) => listing_image_id),
  videos: ({ videos }) => videos?.map(({ video_id }) => video_id),
  files: ({ files }) => files?.map(({ listing_file_id }) => listing_file_id),
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
