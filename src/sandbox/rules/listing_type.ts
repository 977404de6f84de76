import type { Call } from '../requests/call.js';
import { INVENTED, VERBATIM } from '../requests/messages.js';
import { buildRefusal } from '../requests/refusal.js';
import { listFiles, saveVariationImages } from '../store/attachments.js';
import { buildSingleInventory } from '../store/inventory.js';
import type { Listing, ListingType } from '../store/listings.js';

/** Changes the type in an update. A digital listing needs a file, and no variations. */
export function changeType(call: Call, listing: Listing, listing_type: ListingType | undefined): Listing {
  if (listing_type === undefined || listing_type === listing.fields.listing_type) return listing;
  if (listing_type !== 'download') return toPhysical(listing, listing_type);
  if (listing.fields.has_variations) throw buildRefusal(409, INVENTED.type_change_with_variations);
  if (listFiles(call.db, listing.listing_id).length === 0) {
    throw buildRefusal(400, VERBATIM.digital_without_file);
  }
  return toDigital(call, listing);
}

/** Attaching a file makes a physical listing digital, and clears shipping, processing and variations. */
export function toDigital(call: Call, listing: Listing): Listing {
  const { price_amount, quantity } = listing.fields;
  const sku = listing.inventory.products.length === 1 ? (listing.inventory.products[0]?.sku ?? '') : '';
  saveVariationImages(call.db, listing.listing_id, []);
  return {
    ...listing,
    fields: {
      ...listing.fields,
      listing_type: 'download',
      shipping_profile_id: null,
      readiness_state_id: null,
      processing_min: null,
      processing_max: null,
      has_variations: false,
    },
    inventory: buildSingleInventory(call.db, { quantity, price_amount, readiness_state_id: null }, sku),
  };
}

/**
 * Makes a listing physical again, in an update or when its last file is deleted; shipping and processing stay
 * empty until they are set.
 */
export function toPhysical(listing: Listing, listing_type: ListingType = 'physical'): Listing {
  return { ...listing, fields: { ...listing.fields, listing_type } };
}
