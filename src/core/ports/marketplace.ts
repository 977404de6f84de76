import type {
  ProcessingProfile,
  ProductionPartner,
  ReturnPolicy,
  ShippingProfile,
  ShopSection,
  StoreDetails,
} from '../../../schemas/store.js';
import type { ShopTokens } from './store.js';
import type { AttributeSchema, VariationPropertySchema } from '../../../schemas/category.js';
import type { Receipt, ReceiptFilter, ReceiptPage } from './receipt.js';

/** A shop of an account: whose tokens to use. */
export type ShopRef = { account_id: string; shop_id: number };

/** What a failed call means for whoever made it.
 * refused: the marketplace said no (4xx); known not done. not_found: 404 of the thing itself; known not done.
 * reconnect: the shop's grant is gone; known not done. credentials: the application's own key was refused; known not done.
 * rate_limited: still 429 after the client's own waiting; known not done. unavailable: known not sent, or a read that failed.
 * unknown: a write whose outcome nobody can know (timeout, reset, 5xx, unreadable answer). */
export type MarketplaceFailure =
  'refused' | 'not_found' | 'reconnect' | 'credentials' | 'rate_limited' | 'unavailable' | 'unknown';

/** The only error that a marketplace port throws (besides an AbortError of the caller's own signal). `message` is the marketplace's text, raw: quote it before showing. */
export class MarketplaceError extends Error {
  override readonly name = 'MarketplaceError';
  readonly failure: MarketplaceFailure;
  /** HTTP status; null when it said nothing. */
  readonly status: number | null;
  /** Names of our fields the refusal is about, as far as the answer tells (`title`, `shop_section_id`). */
  readonly fields: readonly string[];
  readonly retry_after_seconds: number | undefined;
  /** The marketplace's own id of the request, for its support. */
  readonly request_id: string | undefined;

  constructor(
    failure: MarketplaceFailure,
    message: string,
    options: {
      status?: number | null;
      fields?: readonly string[];
      retry_after_seconds?: number;
      request_id?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.status = options.status ?? null;
    this.fields = options.fields ?? [];
    this.retry_after_seconds = options.retry_after_seconds;
    this.request_id = options.request_id;
  }
}

export type CallOptions = {
  signal?: AbortSignal;
  /** A call that has not been sent by then, for the limits' sake or because the process was held up, is `rate_limited`. */
  send_before?: Date;
};

/** What creation sends. Undefined fields are not sent. `listing_type` in our words; prices in major units. */
export type DraftListing = {
  title: string;
  description: string;
  listing_type: 'physical' | 'digital';
  taxonomy_id: number;
  price: number;
  quantity: number;
  who_made: string;
  when_made: string;
  is_supply: boolean;
  shipping_profile_id?: number | undefined;
  return_policy_id?: number | undefined;
  readiness_state_id?: number | undefined;
  shop_section_id?: number | undefined;
  production_partner_ids?: number[] | undefined;
  tags?: string[] | undefined;
  materials?: string[] | undefined;
  styles?: string[] | undefined;
  is_customizable?: boolean | undefined;
  is_taxable?: boolean | undefined;
  should_auto_renew?: boolean | undefined;
  item_weight?: number | undefined;
  item_weight_unit?: string | undefined;
  item_length?: number | undefined;
  item_width?: number | undefined;
  item_height?: number | undefined;
  item_dimensions_unit?: string | undefined;
  processing_min?: number | undefined;
  processing_max?: number | undefined;
};

/** Fields that can be set after creation; the client always re-sends the type, which the marketplace may otherwise change. */
export type ListingChanges = Partial<
  Omit<
    DraftListing,
    | 'price'
    | 'quantity'
    | 'styles'
    | 'readiness_state_id'
    | 'is_customizable'
    | 'processing_min'
    | 'processing_max'
    | 'listing_type'
  >
>;

export type ListingState = 'active' | 'inactive' | 'sold_out' | 'draft' | 'removed' | 'expired';

/** A listing as the marketplace has it; text entity-decoded, price in major units. */
export type MarketplaceListing = {
  listing_id: number;
  state: ListingState;
  title: string;
  description: string;
  url: string;
  listing_type: 'physical' | 'digital' | 'both';
  taxonomy_id: number | null;
  price: number;
  currency_code: string;
  quantity: number;
  created_at_epoch_s: number;
  who_made: string | null;
  when_made: string | null;
  is_supply: boolean | null;
  tags: string[];
  materials: string[];
  styles: string[];
  shipping_profile_id: number | null;
  return_policy_id: number | null;
  shop_section_id: number | null;
  is_customizable: boolean;
  is_taxable: boolean;
  should_auto_renew: boolean;
  item_weight: number | null;
  item_weight_unit: string | null;
  item_length: number | null;
  item_width: number | null;
  item_height: number | null;
  item_dimensions_unit: string | null;
};

export type ListingImage = { listing_image_id: number; url_fullxfull: string; rank: number };
export type ListingVideo = { video_id: number; video_url: string | null };
export type ListingFile = { listing_file_id: number; filename: string; rank: number; size_bytes: number };

/** A stored file to send: read from disk while sending, never held in memory. */
export type MediaFile = { path: string; size_bytes: number; filename: string; content_type: string };

export type InventoryPropertyValue = {
  property_id: number;
  property_name: string;
  scale_id: number | null;
  /** The value's ids: from the category when sent, the shop's own when read back. */
  value_ids: number[];
  values: string[];
};

export type InventoryProduct = {
  sku: string;
  property_values: InventoryPropertyValue[];
  /** Exactly one offering a product. */
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

/** One free-text question. */
export type PersonalizationQuestion = {
  is_required: boolean;
  instructions: string | null;
  max_chars: number;
};

/** What a seller's consent came to: whose it is, and the tokens to keep. */
export type ShopGrant = {
  user_id: number;
  /** Null when that user has no shop. */
  shop_id: number | null;
  tokens: ShopTokens;
};

export type Category = { category_id: number; name: string; full_path: string[]; is_leaf: boolean };

/** Everything the core needs from the marketplace. Reads are tried again inside; writes are sent once, except after a 429,
 * which the client waits out (Retry-After, shared by all calls of the application) before trying again. */
export type Marketplace = {
  /** The page that asks a seller for consent. `state` comes back with the answer; the verifier is sent as a hash only. */
  buildConsentUrl(request: { redirect_uri: string; state: string; code_verifier: string }): Promise<string>;
  /** Trades the code of a finished consent, which is good once. `reconnect` for one that is wrong, used or too old. */
  exchangeCode(
    consent: { code: string; code_verifier: string; redirect_uri: string },
    options?: CallOptions,
  ): Promise<ShopGrant>;

  getShop(shop: ShopRef, options?: CallOptions): Promise<StoreDetails & { user_id: number }>;
  listShippingProfiles(shop: ShopRef, options?: CallOptions): Promise<ShippingProfile[]>;
  listShopSections(shop: ShopRef, options?: CallOptions): Promise<ShopSection[]>;
  listReturnPolicies(shop: ShopRef, options?: CallOptions): Promise<ReturnPolicy[]>;
  listProcessingProfiles(shop: ShopRef, options?: CallOptions): Promise<ProcessingProfile[]>;
  listProductionPartners(shop: ShopRef, options?: CallOptions): Promise<ProductionPartner[]>;

  listCategories(options?: CallOptions): Promise<Category[]>;
  /** Throws not_found for an unknown or retired category. A property may serve as attribute, as variation, or both. */
  getCategoryProperties(
    category_id: number,
    options?: CallOptions,
  ): Promise<{ attributes: AttributeSchema[]; variations: VariationPropertySchema[] }>;
  searchActiveListings(
    query: { keywords: string; limit: number; offset: number },
    options?: CallOptions,
  ): Promise<{ count: number; results: Record<string, unknown>[] }>;

  createDraftListing(shop: ShopRef, draft: DraftListing, options?: CallOptions): Promise<MarketplaceListing>;
  getListing(shop: ShopRef, listing_id: number, options?: CallOptions): Promise<MarketplaceListing>;
  /** All pages. May lag behind creation. */
  listDraftListings(shop: ShopRef, options?: CallOptions): Promise<MarketplaceListing[]>;
  updateListing(
    shop: ShopRef,
    listing_id: number,
    listing_type: 'physical' | 'digital',
    changes: ListingChanges,
    options?: CallOptions,
  ): Promise<MarketplaceListing>;
  /** Costs a listing fee when the listing was a draft. */
  activateListing(
    shop: ShopRef,
    listing_id: number,
    listing_type: 'physical' | 'digital',
    options?: CallOptions,
  ): Promise<MarketplaceListing>;

  uploadImage(
    shop: ShopRef,
    listing_id: number,
    file: MediaFile,
    rank: number,
    options?: CallOptions,
  ): Promise<ListingImage>;
  listImages(shop: ShopRef, listing_id: number, options?: CallOptions): Promise<ListingImage[]>;
  uploadVideo(
    shop: ShopRef,
    listing_id: number,
    file: MediaFile,
    options?: CallOptions,
  ): Promise<ListingVideo>;
  listVideos(shop: ShopRef, listing_id: number, options?: CallOptions): Promise<ListingVideo[]>;
  uploadFile(
    shop: ShopRef,
    listing_id: number,
    file: MediaFile,
    rank: number,
    options?: CallOptions,
  ): Promise<ListingFile>;
  listFiles(shop: ShopRef, listing_id: number, options?: CallOptions): Promise<ListingFile[]>;

  /** Replaces the whole inventory; product ids and value ids change with it. */
  updateInventory(
    shop: ShopRef,
    listing_id: number,
    inventory: Inventory,
    options?: CallOptions,
  ): Promise<Inventory>;
  getInventory(shop: ShopRef, listing_id: number, options?: CallOptions): Promise<Inventory>;
  updateAttribute(
    shop: ShopRef,
    listing_id: number,
    attribute: ListingAttribute,
    options?: CallOptions,
  ): Promise<void>;
  listAttributes(shop: ShopRef, listing_id: number, options?: CallOptions): Promise<ListingAttribute[]>;
  updateVariationImages(
    shop: ShopRef,
    listing_id: number,
    images: VariationImage[],
    options?: CallOptions,
  ): Promise<void>;
  updatePersonalization(
    shop: ShopRef,
    listing_id: number,
    question: PersonalizationQuestion,
    options?: CallOptions,
  ): Promise<void>;

  /** One page, oldest change first. Needs the scope `transactions_r`, as the next one does. */
  listReceipts(shop: ShopRef, filter: ReceiptFilter, options?: CallOptions): Promise<ReceiptPage>;
  getReceipt(shop: ShopRef, receipt_id: number, options?: CallOptions): Promise<Receipt>;

  /** Calls that the application has for a day, as the last answer told; undefined before the first. */
  getDayLimit(): number | undefined;
  /** Milliseconds the marketplace's clock is ahead of ours, as its last answers told; 0 before the first. */
  getClockSkew(): number;
};
