import type { Call } from '../requests/call.js';
import { INVENTED, VERBATIM } from '../requests/messages.js';
import { buildFieldRefusal, buildRefusal } from '../requests/refusal.js';
import { deleteTranslations, listFiles, listProperties } from '../store/attachments.js';
import { writeFee } from '../store/fees.js';
import type { Listing } from '../store/listings.js';
import { listPictures } from '../store/pictures.js';
import { findShippingProfile } from '../store/shop_settings.js';
import type { Shop } from '../store/shops.js';
import { isEuShop } from '../store/shops.js';
import { findCategory } from '../taxonomy.js';
import { NO_IMAGES } from './listing_text.js';
import { isOfferable, toEndingAt } from './new_listing.js';

/**
 * Moves a listing to active or inactive. Publishing a draft, and renewing an expired or sold out listing,
 * charges one fee and starts four months; activating a listing that is already active, or that was inactive
 * while the four months still run, costs nothing. A listing that becomes inactive loses its translations.
 */
export function changeState(call: Call, shop: Shop, listing: Listing, state: 'active' | 'inactive'): Listing {
  if (listing.state === 'removed') throw buildRefusal(400, INVENTED.state_removed);
  if (listing.state === state) return listing;
  if (state === 'inactive') {
    if (listing.state === 'draft') throw buildRefusal(400, INVENTED.state_from_draft);
    deleteTranslations(call.db, listing.listing_id);
    return { ...listing, state, state_at: call.now_ms };
  }
  const renewed = listing.state === 'sold_out' ? restock(listing) : listing;
  checkPublishable(call, shop, renewed);
  const isPaid = listing.state !== 'inactive' || listing.ending_at <= call.now_ms;
  if (isPaid) writeFee(call.db, listing, call.now_ms);
  return {
    ...renewed,
    state,
    state_at: call.now_ms,
    ending_at: isPaid ? toEndingAt(call.now_ms) : listing.ending_at,
  };
}

function checkPublishable(call: Call, shop: Shop, listing: Listing): void {
  const { db } = call;
  const { fields, listing_id } = listing;
  if (call.settings.vacation_shop_ids.includes(shop.shop_id)) {
    throw buildRefusal(400, INVENTED.shop_on_vacation);
  }
  if (listing.is_frozen) throw buildRefusal(400, VERBATIM.frozen);
  if (listPictures(db, listing_id).length === 0) throw buildFieldRefusal([NO_IMAGES]);
  if (fields.listing_type === 'download') {
    const needsFile = fields.when_made !== 'made_to_order';
    if (needsFile && listFiles(db, listing_id).length === 0) {
      throw buildRefusal(400, VERBATIM.digital_without_file);
    }
  } else {
    const profile_id = fields.shipping_profile_id;
    if (profile_id === null || !findShippingProfile(db, shop.shop_id, profile_id)) {
      throw buildRefusal(400, INVENTED.shipping_profile_required);
    }
    if (fields.return_policy_id === null && !isEuShop(shop)) {
      throw buildRefusal(400, INVENTED.return_policy_required);
    }
    if (listing.inventory.products.some(({ offering }) => offering.readiness_state_id === null)) {
      throw buildRefusal(400, VERBATIM.readiness_on_offerings);
    }
  }
  if (!isOfferable(listing)) throw buildRefusal(400, INVENTED.no_stock);
  checkRequiredAttributes(call, listing);
}

/** An active listing has the attributes that its category requires. */
export function checkRequiredAttributes(call: Call, listing: Listing): void {
  const given = new Set(listProperties(call.db, listing.listing_id).map((property) => property.property_id));
  const missing = findCategory(listing.fields.taxonomy_id)?.properties.find(
    (property) => property.is_required && !given.has(property.property_id),
  );
  if (missing) throw buildRefusal(400, `The property ${missing.display_name} is required in this category.`);
}

/** Sets the quantity of the first product to one and that of the others to none. */
function restock(listing: Listing): Listing {
  const products = listing.inventory.products.map((product, index) => ({
    ...product,
    offering: { ...product.offering, ...(index === 0 ? { quantity: 1, is_enabled: true } : { quantity: 0 }) },
  }));
  return {
    ...listing,
    fields: { ...listing.fields, quantity: 1 },
    inventory: { ...listing.inventory, products },
  };
}
