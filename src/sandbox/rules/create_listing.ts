import type { Call } from '../requests/call.js';
import {
  parseBoolean,
  parseDecimal,
  parseIds,
  parseInteger,
  parseTexts,
  requireFields,
} from '../requests/fields.js';
import { INVENTED, VERBATIM } from '../requests/messages.js';
import { buildRefusal } from '../requests/refusal.js';
import { buildSingleInventory } from '../store/inventory.js';
import { insertListing } from '../store/listings.js';
import type { Listing, ListingFields } from '../store/listings.js';
import { takeId } from '../store/sequences.js';
import type { Shop } from '../store/shops.js';
import { MOST_USD } from './choices.js';
import { hangImages } from './image_order.js';
import { checkImageCount, checkListingTexts } from './listing_text.js';
import {
  checkOrigin,
  checkReadinessState,
  dropUndefined,
  parseGuarantee,
  parseListingFields,
  parseProductSafety,
} from './listing_request.js';
import { LISTING_DEFAULTS, toEndingAt } from './new_listing.js';

const REQUIRED = [
  'quantity',
  'title',
  'description',
  'price',
  'who_made',
  'when_made',
  'taxonomy_id',
] as const;
const MAX_QUANTITY = 999;

/**
 * Creates a draft. Unknown fields, including a SKU, are ignored; a physical draft needs a shipping and a
 * processing profile.
 */
export function createDraft(incoming: Call, shop: Shop): Listing {
  const call = withoutIgnored(incoming);
  const { db, fields, now_ms } = call;
  requireFields(fields, REQUIRED);
  const given = parseListingFields(call, shop);
  const styles = parseTexts(fields, 'styles');
  checkListingTexts({ styles });
  const image_ids = parseIds(fields, 'image_ids');
  checkImageCount(image_ids);

  const price = parseDecimal(fields, 'price') ?? 0;
  const price_amount = Math.round(price * 100);
  if (price_amount <= 0) throw buildRefusal(400, INVENTED.price_positive);
  if (shop.data.currency_code === 'USD' && price > MOST_USD) throw buildRefusal(400, INVENTED.price_too_high);
  const quantity = parseInteger(fields, 'quantity') ?? 0;
  if (quantity < 1 || quantity > MAX_QUANTITY) {
    throw buildRefusal(400, `The quantity must be 1 to ${MAX_QUANTITY}.`);
  }
  const listing_type = given.listing_type ?? 'physical';
  const readiness_state_id = parseReadiness(call, shop, listing_type, given);
  const { title = '', description = '', taxonomy_id = 0, who_made = '', when_made = '' } = given;

  const listing: Listing = {
    listing_id: takeId(db, 'listing'),
    shop_id: shop.shop_id,
    state: 'draft',
    is_seeded: false,
    is_frozen: false,
    created_at: now_ms,
    updated_at: now_ms,
    state_at: now_ms,
    ending_at: toEndingAt(now_ms),
    fields: {
      ...LISTING_DEFAULTS,
      ...given,
      title,
      description,
      taxonomy_id,
      who_made,
      when_made,
      listing_type,
      price_amount,
      quantity,
      readiness_state_id,
      is_customizable: parseBoolean(fields, 'is_customizable') ?? true,
      ...dropUndefined({
        styles,
        processing_min: parseInteger(fields, 'processing_min'),
        processing_max: parseInteger(fields, 'processing_max'),
      }),
      ecgt: parseGuarantee(fields, shop),
      gpsr: parseProductSafety(fields),
    },
    inventory: buildSingleInventory(db, { quantity, price_amount, readiness_state_id }),
  };
  checkOrigin(call, listing.fields);
  insertListing(db, listing);
  if (image_ids) hangImages(db, listing, image_ids);
  return listing;
}

function withoutIgnored(call: Call): Call {
  const { ignore_fields } = call.settings;
  if (ignore_fields.length === 0) return call;
  return { ...call, fields: new Map([...call.fields].filter(([name]) => !ignore_fields.includes(name))) };
}

function parseReadiness(
  call: Call,
  shop: Shop,
  listing_type: ListingFields['listing_type'],
  given: Partial<ListingFields>,
): number | null {
  const readiness_state_id = parseInteger(call.fields, 'readiness_state_id') ?? null;
  if (listing_type === 'download') {
    if (readiness_state_id !== null) throw buildRefusal(400, INVENTED.digital_no_readiness);
    return null;
  }
  if (readiness_state_id === null) throw buildRefusal(400, VERBATIM.readiness_required);
  if ((given.shipping_profile_id ?? null) === null) {
    throw buildRefusal(400, INVENTED.shipping_profile_required);
  }
  checkReadinessState(call, shop, readiness_state_id);
  return readiness_state_id;
}
