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
 * By the marketplace's id of a photo, video or file: the url that the request names it with. No read tells it, so it is kept with the
 * snapshot when a file is sent or imported.
 */
export type MediaSources = {
  images: Record<string, string>;
  videos: Record<string, string>;
  files: Record<string, string>;
};

/** A listing in one shop, as far as it was read, and the urls that its media came from. */
export type KeptSnapshot = Partial<ListingSnapshot> & {
  sources?: MediaSources;
};
