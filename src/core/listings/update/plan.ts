import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type {
  Inventory,
  ListingAttribute,
  ListingChanges,
  ListingQuestion,
  ListingTranslation,
} from '../../ports/marketplace_listing.js';
import type { PlannedFile } from '../plan.js';
import type { ListingSnapshot } from '../snapshot/snapshot.js';

/** A photo, video or file that a listing is to have: one that is there already, by its id, or one to be sent. */
type TargetMedia = { id: number | null; file: PlannedFile | null };

/**
 * What one shop's listing is to become, by part and whole: what is left out stays as it is there. An update, an undo and what goes on
 * after a crash all compare this with what is read afresh, and make the calls that are still missing.
 */
export type Target = {
  /** The fields of updateListing that are to be set. */
  fields?: Omit<ListingChanges, 'image_ids'>;
  /** All photos, in their order. */
  images?: (TargetMedia & { alt_text: string })[];
  videos?: TargetMedia[];
  files?: TargetMedia[];
  inventory?: Inventory;
  /** By value; `image` is the position in the photos that the listing has then. */
  variation_images?: { property_id: number; value: string; image: number }[];
  attributes?: ListingAttribute[];
  questions?: ListingQuestion[];
  translations?: ListingTranslation[];
  /** inactive: off sale. active: on sale again; whether that costs a fee is decided before the job is made. */
  state?: 'inactive' | 'active';
};

/** One shop's part of an update. */
export type ShopUpdate = {
  shop_id: number;
  shop_name: string;
  currency_code: string;
  listing_id: number;
  warnings: Warning[];
};

/** What a job that changes listings does. `undo` and `off_sale` are such jobs too. */
export type UpdatePlan = {
  purpose: 'update' | 'undo' | 'off_sale' | 'on_sale';
  shops: ShopUpdate[];
  /** About the request as a whole. */
  warnings: Warning[];
  /** Our form of the listing once it is done; null where it stays. */
  request: ListingRequest | null;
};

/** What has happened to one listing in one shop in this job. Committed before each call and after it. */
export type UpdateProgress = {
  /** As it was read before the first write, in the parts that change. What an undo goes back to. */
  before: Partial<ListingSnapshot> | null;
  target: Target | null;
  /** As it was read back. */
  after: Partial<ListingSnapshot> | null;
  warnings: Warning[];
};
