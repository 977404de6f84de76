import type { Call } from '../requests/call.js';
import { isOwner } from '../requests/ownership.js';
import { LANGUAGES } from '../rules/choices.js';
import { listFiles, listQuestions, listTranslations, listVideos } from '../store/attachments.js';
import type { Listing } from '../store/listings.js';
import { listPictures } from '../store/pictures.js';
import type { ListingPicture } from '../store/pictures.js';
import { findShippingProfile, listProductionPartners } from '../store/shop_settings.js';
import { findShop } from '../store/shops.js';
import type { Shop } from '../store/shops.js';
import { toPersonalization, toTranslation, toVideo } from './attachments.js';
import { toInventory } from './inventory.js';
import { toListing } from './listing.js';
import { toListingImage } from './picture.js';
import { toProductionPartner, toShippingProfile, toShop, toUser } from './shop.js';
import { toMoney } from './text.js';

export const SINGLE_INCLUDES = [
  'Images',
  'Shop',
  'User',
  'Translations',
  'Videos',
  'Personalization',
  'BuyerPrice',
] as const;
/** The list of a shop's listings still accepts the two that were removed elsewhere. */
export const SHOP_INCLUDES = [...SINGLE_INCLUDES, 'Shipping', 'Inventory'] as const;
export type Include = (typeof SHOP_INCLUDES)[number];

/** A ShopListing for this call, with the values from other tables. */
export function describeListing(
  call: Call,
  listing: Listing,
  hasReadiness: boolean,
  shop = getShopOf(call, listing),
): Record<string, unknown> {
  return toListing(listing, {
    shop,
    origin: call.origin,
    has_personalization: listQuestions(call.db, listing.listing_id).length > 0,
    file_names: listFiles(call.db, listing.listing_id).map((file) => file.name),
    with_readiness: hasReadiness,
    with_gpsr: call.settings.shows_gpsr,
  });
}

/**
 * A ShopListingWithAssociations: associations that are not included are null, or an empty list if the schema
 * allows no null.
 */
export function describeWithAssociations(
  call: Call,
  listing: Listing,
  includes: readonly Include[],
  hasReadiness: boolean,
): Record<string, unknown> {
  const { db, origin } = call;
  const { listing_id, fields } = listing;
  const shop = getShopOf(call, listing);
  const isOwn = isOwner(call, shop);
  const { currency_code } = shop.data;
  const isIncluded = (name: Include): boolean => includes.includes(name);
  return {
    ...describeListing(call, listing, hasReadiness, shop),
    shipping_profile: isIncluded('Shipping') ? describeShippingProfile(call, shop, listing) : null,
    user: isIncluded('User') ? toUser(shop) : null,
    shop: isIncluded('Shop') ? toShop(call, shop) : null,
    images: isIncluded('Images') ? describeImages(call, listing_id) : [],
    videos: isIncluded('Videos')
      ? leaveOutNew(call, listVideos(db, listing_id)).map((video) => toVideo(video, origin))
      : [],
    inventory: isIncluded('Inventory') ? toInventory(listing, currency_code, isOwn) : null,
    production_partners: describePartners(call, listing),
    skus: isOwn ? listing.inventory.products.map((product) => product.sku).filter((sku) => sku !== '') : [],
    translations: isIncluded('Translations') ? describeTranslations(call, listing_id) : null,
    views: listing.state === 'active' ? fields.views : 0,
    personalization: isIncluded('Personalization')
      ? toPersonalization(listQuestions(db, listing_id), currency_code)
      : null,
    buyer_price:
      isIncluded('BuyerPrice') && call.query.get('buyer_country')
        ? toBuyerPrice(fields.price_amount, currency_code)
        : null,
  };
}

export function describeImages(call: Call, listing_id: number): Record<string, unknown>[] {
  return leaveOutNew(call, listPictures(call.db, listing_id)).map((picture) =>
    describePicture(call, picture),
  );
}

export function describePicture(call: Call, picture: ListingPicture): Record<string, unknown> {
  return toListingImage(picture, call.origin, call.now_ms, call.settings.image_processing_ms);
}

/** The images, videos or files of a listing that a list already shows; new ones may appear late. */
export function leaveOutNew<Item extends { created_at: number }>(call: Call, items: readonly Item[]): Item[] {
  const { media_list_lag_ms } = call.settings;
  return items.filter(({ created_at }) => created_at + media_list_lag_ms <= call.now_ms);
}

function describeShippingProfile(call: Call, shop: Shop, listing: Listing): Record<string, unknown> | null {
  const { shipping_profile_id } = listing.fields;
  if (shipping_profile_id === null) return null;
  const profile = findShippingProfile(call.db, listing.shop_id, shipping_profile_id);
  return profile ? toShippingProfile(shop, profile) : null;
}

function describePartners(call: Call, listing: Listing): Record<string, unknown>[] {
  const { production_partner_ids } = listing.fields;
  if (production_partner_ids.length === 0) return [];
  return listProductionPartners(call.db, listing.shop_id)
    .filter((partner) => production_partner_ids.includes(partner.production_partner_id))
    .map(toProductionPartner);
}

function describeTranslations(call: Call, listing_id: number): Record<string, unknown> {
  const known = listTranslations(call.db, listing_id);
  return Object.fromEntries(
    LANGUAGES.map((language) => {
      const found = known.find((translation) => translation.language === language);
      return [language, found ? toTranslation(listing_id, found) : null];
    }),
  );
}

function toBuyerPrice(price_amount: number, currency_code: string): Record<string, unknown> {
  const price = toMoney(price_amount, currency_code);
  return {
    base_price: price,
    shipping_cost: null,
    is_free_shipping: false,
    original_price: price,
    discounted_price: null,
    discount_amount: null,
    discount_percentage: null,
    has_discount: false,
    discount_start_epoch: null,
    discount_end_epoch: null,
  };
}

function getShopOf(call: Call, listing: Listing): Shop {
  const shop = findShop(call.db, listing.shop_id);
  if (!shop) throw new Error(`listing ${listing.listing_id} has no shop`);
  return shop;
}
