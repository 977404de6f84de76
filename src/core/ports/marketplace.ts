import type {
  ProcessingProfile,
  ProductionPartner,
  ReturnPolicy,
  ShippingProfile,
  ShopSection,
  ShopDetails,
} from '../../../schemas/shop.js';
import type { ApplicationKey } from './store/applications.js';
import type { ShopRef, ShopTokens, TimeRange } from './records.js';
import type { AttributeSchema, VariationPropertySchema } from '../../../schemas/category.js';
import type { Receipt, ReceiptFilter, ReceiptPage } from './receipt.js';
import type {
  DraftListing,
  Inventory,
  ListingAttribute,
  ListingChanges,
  ListingDetails,
  ListingFile,
  ListingImage,
  ListingPage,
  ListingQuestion,
  ListingState,
  ListingTranslation,
  ListingVideo,
  MarketplaceListing,
  MediaFile,
  ShownVariationImage,
  VariationImage,
} from './marketplace_listing.js';

/** What a failed call means for its caller.
 * refused: the marketplace said no (4xx); known not done. not_found: 404 of the thing itself; known not done.
 * reconnect: the shop's tokens are over; known not done. credentials: the application's own key was refused; known not done.
 * no_application: there is no key to make the call with; known not done.
 * rate_limited: still 429 after the client's own waiting; known not done. unavailable: known not sent, or a read that failed.
 * unknown: a write whose outcome cannot be known (timeout, reset, 5xx, unreadable answer). */
export type MarketplaceFailure =
  | 'refused'
  | 'not_found'
  | 'reconnect'
  | 'credentials'
  | 'no_application'
  | 'rate_limited'
  | 'unavailable'
  | 'unknown';

/** The only error that a marketplace port throws (besides an AbortError of the caller's own signal). `message` is the marketplace's text, raw: quote it before showing. */
export class MarketplaceError extends Error {
  override readonly name = 'MarketplaceError';
  readonly failure: MarketplaceFailure;
  /** HTTP status; null when there was no answer. */
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
  /**
   * In ms of the clock's monotonic time: a call that could not be sent by then, because of the limits or because the process was
   * held up, throws `rate_limited`.
   */
  send_before_ms?: number;
  /**
   * Called once the limits have given the call its place, each time it is sent, for what has to be committed or checked right before;
   * resolves to `send_before_ms`, counted from then. The call is not sent when it rejects.
   */
  beforeSend?: () => Promise<number>;
  /** Its priority when the limits leave no room for all calls; left out: the priority of its operation. */
  lane?: 'interactive' | 'background';
};

/** The result of a seller's consent: the seller, and the tokens to keep. */
export type ShopAccess = {
  user_id: number;
  /** Null when that user has no shop. */
  shop_id: number | null;
  tokens: ShopTokens;
};

export type Category = { category_id: number; name: string; full_path: string[]; is_leaf: boolean };

/** OAuth with the marketplace: how an application gets tokens for a shop. */
export type Consents = {
  /** The page that asks a seller for consent. `state` comes back with the answer; the verifier is sent as a hash only. */
  buildConsentUrl(request: { redirect_uri: string; state: string; code_verifier: string }): Promise<string>;
  /** Trades the code of a finished consent, which is good once. `reconnect` for one that is wrong, used or too old. */
  exchangeCode(
    consent: { code: string; code_verifier: string; redirect_uri: string },
    options?: CallOptions,
  ): Promise<ShopAccess>;
  /** The id of the user who owns the shop. */
  getShopOwner(shop_id: number, options?: CallOptions): Promise<number>;
};

/** Calls for one shop, made with its tokens and the key of the application that they were given to. Prices are in major units. */
export type ShopCalls = {
  getShop(shop: ShopRef, options?: CallOptions): Promise<ShopDetails & { user_id: number }>;
  listShippingProfiles(shop: ShopRef, options?: CallOptions): Promise<ShippingProfile[]>;
  listShopSections(shop: ShopRef, options?: CallOptions): Promise<ShopSection[]>;
  listReturnPolicies(shop: ShopRef, options?: CallOptions): Promise<ReturnPolicy[]>;
  listProcessingProfiles(shop: ShopRef, options?: CallOptions): Promise<ProcessingProfile[]>;
  listProductionPartners(shop: ShopRef, options?: CallOptions): Promise<ProductionPartner[]>;

  createDraftListing(shop: ShopRef, draft: DraftListing, options?: CallOptions): Promise<MarketplaceListing>;
  getListing(shop: ShopRef, listing_id: number, options?: CallOptions): Promise<MarketplaceListing>;
  /** The listing with its photos, videos, translations and questions, in one call. */
  getListingDetails(shop: ShopRef, listing_id: number, options?: CallOptions): Promise<ListingDetails>;
  /** One page, with photos, newest first; `limit` up to 100. Its calls go before those of publishing, since a person waits. */
  listShopListings(
    shop: ShopRef,
    page: { state: Exclude<ListingState, 'removed'>; limit: number; offset: number },
    options?: CallOptions,
  ): Promise<ListingPage>;
  /**
   * Up to 100 listings in one call, which goes after all others. Unknown listings are absent; inactive ones may be, since the
   * marketplace does not document whether it shows them to their owner.
   */
  listListingsById(
    shop: ShopRef,
    listing_ids: readonly number[],
    options?: CallOptions,
  ): Promise<MarketplaceListing[]>;
  /** All pages. A new listing may be missing for some seconds. The marketplace lists no removed listings. */
  listListings(
    shop: ShopRef,
    state: Exclude<ListingState, 'removed'>,
    options?: CallOptions,
  ): Promise<MarketplaceListing[]>;
  /**
   * A `null` is sent as an empty value, to remove the field. The marketplace documents this for the units alone; the sandbox does
   * the same for the other fields. A new title removes the translations. `image_ids` replaces photos and their order.
   */
  updateListing(
    shop: ShopRef,
    listing_id: number,
    listing_type: 'physical' | 'digital',
    changes: ListingChanges,
    options?: CallOptions,
  ): Promise<MarketplaceListing>;
  /**
   * Puts the listing on sale. Costs a listing fee when it was a draft, sold out or expired; free for an inactive one whose four
   * months still run. A sold out listing gets a quantity of 1.
   */
  activateListing(
    shop: ShopRef,
    listing_id: number,
    listing_type: 'physical' | 'digital',
    options?: CallOptions,
  ): Promise<MarketplaceListing>;

  /** Makes the listing inactive, for free. The marketplace removes its translations. */
  takeOffSale(
    shop: ShopRef,
    listing_id: number,
    listing_type: 'physical' | 'digital',
    options?: CallOptions,
  ): Promise<MarketplaceListing>;

  uploadImage(
    shop: ShopRef,
    listing_id: number,
    file: MediaFile,
    place: { rank: number; alt_text?: string | undefined },
    options?: CallOptions,
  ): Promise<ListingImage>;
  /** Attaches a deleted photo again, or sets alt text and rank of an attached one; refused while the listing has 20 photos. */
  updateImage(
    shop: ShopRef,
    listing_id: number,
    image: { listing_image_id: number; rank: number; alt_text: string },
    options?: CallOptions,
  ): Promise<ListingImage>;
  deleteImage(
    shop: ShopRef,
    listing_id: number,
    listing_image_id: number,
    options?: CallOptions,
  ): Promise<void>;
  listImages(shop: ShopRef, listing_id: number, options?: CallOptions): Promise<ListingImage[]>;
  uploadVideo(
    shop: ShopRef,
    listing_id: number,
    file: MediaFile,
    options?: CallOptions,
  ): Promise<ListingVideo>;
  /** Attaches a video that a listing of the shop has, or had. Refused beyond two videos. */
  attachVideo(
    shop: ShopRef,
    listing_id: number,
    video_id: number,
    options?: CallOptions,
  ): Promise<ListingVideo>;
  deleteVideo(shop: ShopRef, listing_id: number, video_id: number, options?: CallOptions): Promise<void>;
  listVideos(shop: ShopRef, listing_id: number, options?: CallOptions): Promise<ListingVideo[]>;
  uploadFile(
    shop: ShopRef,
    listing_id: number,
    file: MediaFile,
    rank: number,
    options?: CallOptions,
  ): Promise<ListingFile>;
  /** Attaches a digital file that a listing of the shop has, or had. */
  attachFile(
    shop: ShopRef,
    listing_id: number,
    listing_file_id: number,
    rank: number,
    options?: CallOptions,
  ): Promise<ListingFile>;
  /** A listing whose last file is deleted becomes a physical one. */
  deleteFile(
    shop: ShopRef,
    listing_id: number,
    listing_file_id: number,
    options?: CallOptions,
  ): Promise<void>;
  listFiles(shop: ShopRef, listing_id: number, options?: CallOptions): Promise<ListingFile[]>;

  /** Replaces the whole inventory; product ids and value ids change with it, and photos of variations may be removed. */
  updateInventory(
    shop: ShopRef,
    listing_id: number,
    inventory: Inventory,
    options?: CallOptions,
  ): Promise<Inventory>;
  getInventory(shop: ShopRef, listing_id: number, options?: CallOptions): Promise<Inventory>;
  /** Inventory and listing in one call. */
  getInventoryWithListing(
    shop: ShopRef,
    listing_id: number,
    options?: CallOptions,
  ): Promise<{ inventory: Inventory; listing: MarketplaceListing }>;
  /** Answers the attribute as it is stored; undefined where the marketplace's answer does not have it. */
  updateAttribute(
    shop: ShopRef,
    listing_id: number,
    attribute: ListingAttribute,
    options?: CallOptions,
  ): Promise<ListingAttribute | undefined>;
  deleteAttribute(
    shop: ShopRef,
    listing_id: number,
    property_id: number,
    options?: CallOptions,
  ): Promise<void>;
  listAttributes(shop: ShopRef, listing_id: number, options?: CallOptions): Promise<ListingAttribute[]>;
  updateVariationImages(
    shop: ShopRef,
    listing_id: number,
    images: VariationImage[],
    options?: CallOptions,
  ): Promise<void>;
  listVariationImages(
    shop: ShopRef,
    listing_id: number,
    options?: CallOptions,
  ): Promise<ShownVariationImage[]>;
  /** Replaces all questions to buyers; up to five. */
  updateQuestions(
    shop: ShopRef,
    listing_id: number,
    questions: readonly ListingQuestion[],
    options?: CallOptions,
  ): Promise<void>;
  deletePersonalization(shop: ShopRef, listing_id: number, options?: CallOptions): Promise<void>;
  /** @param there whether the listing has a translation into this language: creating and changing one are different calls */
  writeTranslation(
    shop: ShopRef,
    listing_id: number,
    translation: ListingTranslation,
    there: { exists: boolean },
    options?: CallOptions,
  ): Promise<void>;

  /** One page, oldest change first. Needs the scope `transactions_r`, as getReceipt does. */
  listReceipts(shop: ShopRef, filter: ReceiptFilter, options?: CallOptions): Promise<ReceiptPage>;
  getReceipt(shop: ShopRef, receipt_id: number, options?: CallOptions): Promise<Receipt>;
};

/**
 * Everything the core needs from the marketplace. All methods throw MarketplaceError. Each call is made with the key of one
 * application and within its limits: for a shop, the application that its tokens were given to; else the installation's own, or
 * one that the account has brought. Reads are retried inside; writes are sent once, except after a 429, which the client waits
 * out (Retry-After, shared by all calls of the application) before trying again.
 */
export type Marketplace = ShopCalls & {
  /** The same, with calls for shops that end when the signal does: they reject with its reason, also those that were sent already. */
  until(signal: AbortSignal): Marketplace;
  /** Keystring of the installation's own application; undefined where it has none. */
  own_keystring: string | undefined;
  /** Throws `credentials` when the marketplace refuses this key. */
  checkKey(key: ApplicationKey, options?: CallOptions): Promise<void>;
  /** @param key null: the installation's own */
  getConsents(key: ApplicationKey | null): Consents;

  listCategories(account_id: string, options?: CallOptions): Promise<Category[]>;
  /** Throws not_found for an unknown or retired category. A property may serve as attribute, as variation, or both. */
  getCategoryProperties(
    account_id: string,
    category_id: number,
    options?: CallOptions,
  ): Promise<{ attributes: AttributeSchema[]; variations: VariationPropertySchema[] }>;
  searchActiveListings(
    account_id: string,
    query: { keywords: string; limit: number; offset: number },
    options?: CallOptions,
  ): Promise<{ count: number; results: Record<string, unknown>[] }>;

  /** Calls a day that the shop's application may make, by the last answer's headers; undefined before the first answer. */
  getDayLimit(shop: ShopRef): Promise<number | undefined>;
  /** Milliseconds that the marketplace's clock is ahead of ours, by its last answers; 0 before the first. */
  getClockSkew(): number;
  /** The marketplace's own time, which its listings' times are in. Undefined before its first answer. */
  findTime(): TimeRange | undefined;
};
