import type {
  Inventory,
  ListingAttribute,
  ListingDetails,
  ListingFile,
  ShownVariationImage,
} from '../../ports/marketplace_listing.js';

/**
 * All that the marketplace tells of one listing in one shop, by the part in which it is read; photos in rank order. What our own form
 * of a listing cannot say (a second video, a third variation, translations) is in it too.
 */
export type ListingSnapshot = ListingDetails & {
  inventory: Inventory;
  attributes: ListingAttribute[];
  variation_images: ShownVariationImage[];
  files: ListingFile[];
};

export type SnapshotPart = keyof ListingSnapshot;

/**
 * Which of a listing's photos, videos and files are those of our form: by the marketplace's id, the url that our form names it with.
 * No read tells it; what was sent or imported is kept with what was last seen.
 */
export type MediaSources = {
  images: Record<string, string>;
  videos: Record<string, string>;
  files: Record<string, string>;
};

/** A listing in one shop, as far as it was read, and where what hangs on it came from. */
export type KeptSnapshot = Partial<ListingSnapshot> & { sources?: MediaSources };
