import type {
  Inventory,
  ListingAttribute,
  ListingDetails,
  ListingFile,
  ShownVariationImage,
} from '../marketplace_listing.js';

/**
 * One listing in one shop as the marketplace returns it, by the part in which it is read; photos in rank order.
 * Includes data a request cannot express: a second video, a third variation, translations.
 */
export type ListingSnapshot = ListingDetails & {
  inventory: Inventory;
  attributes: ListingAttribute[];
  variation_images: ShownVariationImage[];
  files: ListingFile[];
};

export type SnapshotPart = keyof ListingSnapshot;

/**
 * By the marketplace's id of a photo, video or file: its URL in the request. The marketplace does not return it, so
 * it is stored with the snapshot when a file is sent or imported.
 */
export type MediaSources = {
  images: Record<string, string>;
  videos: Record<string, string>;
  files: Record<string, string>;
};

/** The parts of a listing that were read, and the source URLs of its media. */
export type KeptSnapshot = Partial<ListingSnapshot> & {
  sources?: MediaSources;
};
