import type { Fact } from '../../../../schemas/issue.js';
import type {
  Inventory,
  ListingAttribute,
  ListingChanges,
  ListingQuestion,
  ListingTranslation,
} from '../marketplace_listing.js';

/** A file that preflight has fetched, checked and stored. */
export type PlannedFile = {
  /** As written by the caller; a later job finds the same bytes by it. */
  url: string;
  sha256: string;
  size_bytes: number;
  filename: string;
  content_type: string;
  /** For a converted photo: how. */
  changed?: Fact;
  /** For a photo: its path in the request, `images[2]`. Older plans have none. */
  path?: string;
  /** For a photo; undefined if it has none. */
  alt_text?: string | undefined;
};

/** A photo, video or file of the target: an existing one, by its id, or one to send. */
type TargetMedia = { id: number | null; file: PlannedFile | null };

/** `position`: of a photo to send, in the target's photos. */
export type TargetVariationImage = {
  property_id: number;
  value: string;
  image: { id: number } | { position: number };
};

/**
 * The target of one shop's listing: each part is given whole, and a missing part stays unchanged. An update, an
 * undo and a resumed job all compare the target with the current listing, and make the missing calls.
 */
export type Target = {
  /** The fields of updateListing to set. */
  fields?: Omit<ListingChanges, 'image_ids'>;
  /** All photos, in order. */
  images?: (TargetMedia & { alt_text: string })[];
  videos?: TargetMedia[];
  files?: TargetMedia[];
  inventory?: Inventory;
  /** All photos of variations, by value. */
  variation_images?: TargetVariationImage[];
  attributes?: ListingAttribute[];
  questions?: ListingQuestion[];
  translations?: ListingTranslation[];
  /** inactive: off sale. active: back on sale; whether that costs a fee is decided before the job is created. */
  state?: 'inactive' | 'active';
};
