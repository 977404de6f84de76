import type { CreatedFields, ReadFields, UpdatedFields } from '../../../schemas/listing_fields.js';
import type { OpenedBlob } from './blobs.js';

/**
 * The fields that creating a draft sends. `listing_type` uses this service's names, prices are in major
 * units.
 */
export type DraftListing = CreatedFields;

/**
 * Fields that can be changed after creation. `listing_type` is not among them: the client sends the current
 * one with every change, because the marketplace may otherwise change it.
 */
export type ListingChanges = UpdatedFields & {
  /** All photos that the listing keeps, in order. */
  image_ids?: number[] | undefined;
};

export type ListingState = 'active' | 'inactive' | 'sold_out' | 'draft' | 'removed' | 'expired';

/**
 * A listing as the marketplace returns it; text entity-decoded, price in major units.
 * `production_partner_ids` is empty in answers to writes.
 */
export type MarketplaceListing = ReadFields & {
  listing_id: number;
  /**
   * The shop it belongs to, which may be another seller's, since active listings can be read without their
   * shop's token. Null if an answer omits it.
   */
  shop_id: number | null;
  state: ListingState;
  url: string;
  currency_code: string;
  created_at_epoch_s: number;
  /** Sales change it, too. */
  updated_at_epoch_s: number;
  /** When its four months on sale end; null if there is no such time, as for a draft. */
  ends_at_epoch_s: number | null;
  /** IETF tag of the language that title and description are in. */
  language: string | null;
  /** Set by reads with the shop's token; empty in answers to writes. */
  skus: string[];
};

/** A photo of a listing. The marketplace reports its size some seconds after the upload. */
export type ListingImage = {
  listing_image_id: number;
  url_fullxfull: string;
  rank: number;
  created_at_epoch_s: number;
  /** Of the full-size photo, in pixels; null until it is processed. */
  width: number | null;
  height: number | null;
  alt_text: string;
};
export type ListingVideo = { video_id: number; video_url: string | null };
export type ListingFile = { listing_file_id: number; filename: string; rank: number; size_bytes: number };

/**
 * A stored file to send. Each attempt reads it again while sending, so it is never held in memory as a whole.
 * `open` returns undefined if the file is gone.
 */
export type MediaFile = {
  open(): Promise<OpenedBlob | undefined>;
  size_bytes: number;
  filename: string;
  content_type: string;
};

export type InventoryPropertyValue = {
  property_id: number;
  property_name: string;
  scale_id: number | null;
  /** The value's ids: from the category when sent, the shop's own when read. */
  value_ids: number[];
  values: string[];
};

export type InventoryProduct = {
  sku: string;
  property_values: InventoryPropertyValue[];
  /** The product's only offering: its price, stock, state and processing time. */
  price: number;
  quantity: number;
  is_enabled: boolean;
  readiness_state_id: number | null;
};

export type Inventory = {
  products: InventoryProduct[];
  price_on_property: number[];
  quantity_on_property: number[];
  sku_on_property: number[];
  readiness_state_on_property: number[];
};

export type ListingAttribute = {
  property_id: number;
  value_ids: number[];
  values: string[];
  scale_id?: number | undefined;
};
export type VariationImage = { property_id: number; value_id: number; image_id: number };
/** `value` as the listing has it; null if the marketplace omits it. */
export type ShownVariationImage = VariationImage & { value: string | null };

/**
 * Title and description in a language other than the shop's. The marketplace has no call to delete a
 * translation.
 */
export type ListingTranslation = { language: string; title: string; description: string; tags: string[] };

/** A question to buyers (personalization), as the marketplace returns it; a listing has up to five. */
export type ListingQuestion = {
  /** Null for a new question; with its id, a question is changed instead of replaced. */
  question_id: number | null;
  /** text_input, dropdown, unlabeled_upload or labeled_upload; the marketplace may add others. */
  question_type: string;
  question_text: string;
  instructions: string | null;
  required: boolean;
  max_allowed_characters: number | null;
  max_allowed_files: number | null;
  options: { option_id: number | null; label: string }[];
  /** In major units of the shop's currency; null in a write removes it. */
  add_on_price: number | null;
};

/** One page of a shop's listings; `count` is the number of listings on all pages. */
export type ListingPage = { count: number; results: (MarketplaceListing & { images: ListingImage[] })[] };

/** Everything that one read of a listing returns. */
export type ListingDetails = {
  listing: MarketplaceListing;
  images: ListingImage[];
  videos: ListingVideo[];
  translations: ListingTranslation[];
  questions: ListingQuestion[];
};
