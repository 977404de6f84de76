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
