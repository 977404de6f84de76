import type {
  ProcessingProfile,
  ProductionPartner,
  ReturnPolicy,
  ShippingProfile,
  ShopSection,
  ShopDetails,
} from '../../../schemas/shop.js';
import type { ShopRef } from './records.js';
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
import type { CallOptions } from './marketplace_call.js';

/**
 * Calls for one shop, made with its tokens and the key of the application that they were issued to. Prices
 * are in major units.
 */
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
  /**
   * One page, with photos, newest first; `limit` up to 100. Has priority over the calls of publishing, since
   * a person waits.
   */
  listShopListings(
    shop: ShopRef,
    page: { state: Exclude<ListingState, 'removed'>; limit: number; offset: number },
    options?: CallOptions,
  ): Promise<ListingPage>;
  /**
   * Up to 100 listings in one call, which has the lowest priority. Unknown listings are missing; inactive
   * ones may be, since the marketplace does not document whether it shows them to their owner.
   */
  listListingsById(
    shop: ShopRef,
    listing_ids: readonly number[],
    options?: CallOptions,
  ): Promise<MarketplaceListing[]>;
  /**
   * All pages. A new listing may be missing for some seconds. The marketplace does not list removed listings.
   */
  listListings(
    shop: ShopRef,
    state: Exclude<ListingState, 'removed'>,
    options?: CallOptions,
  ): Promise<MarketplaceListing[]>;
  /**
   * Sends `null` as an empty value, to remove the field. The marketplace documents this only for the units;
   * the sandbox does the same for the other fields. A new title removes the translations. `image_ids`
   * replaces photos and their order.
   */
  updateListing(
    shop: ShopRef,
    listing_id: number,
    listing_type: 'physical' | 'digital',
    changes: ListingChanges,
    options?: CallOptions,
  ): Promise<MarketplaceListing>;
  /**
   * Activates the listing. Costs a listing fee if it was a draft, sold out or expired; free for an inactive
   * listing whose four months still run. A sold out listing gets a quantity of 1.
   */
  activateListing(
    shop: ShopRef,
    listing_id: number,
    listing_type: 'physical' | 'digital',
    options?: CallOptions,
  ): Promise<MarketplaceListing>;

  /** Deactivates the listing, for free. The marketplace removes its translations. */
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
  /**
   * Attaches a deleted photo again, or sets alt text and rank of an attached one; refused if the listing has
   * 20 photos.
   */
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
  /** Attaches a video that a listing of the shop has, or had. Refused if the listing has two videos. */
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
  /** Deleting the last file makes the listing a physical one. */
  deleteFile(
    shop: ShopRef,
    listing_id: number,
    listing_file_id: number,
    options?: CallOptions,
  ): Promise<void>;
  listFiles(shop: ShopRef, listing_id: number, options?: CallOptions): Promise<ListingFile[]>;

  /**
   * Replaces the whole inventory; this changes product ids and value ids, and may remove photos of
   * variations.
   */
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
  /** By listing id. At most 100, all of which must exist. */
  listInventoriesById(
    shop: ShopRef,
    listing_ids: readonly number[],
    options?: CallOptions,
  ): Promise<Map<number, Inventory>>;
  /** Returns the attribute as stored; undefined if the marketplace's answer does not contain it. */
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
  /**
   * @param there whether the listing has a translation into this language: creating and changing one are
   * different calls
   */
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
