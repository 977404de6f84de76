import type { Call } from '../requests/call.js';
import { parseChoice, parseIds, parseInteger } from '../requests/fields.js';
import { INVENTED } from '../requests/messages.js';
import { buildRefusal } from '../requests/refusal.js';
import { deleteTranslations } from '../store/attachments.js';
import { saveListing } from '../store/listings.js';
import type { Listing } from '../store/listings.js';
import type { Shop } from '../store/shops.js';
import { changeState, checkRequiredAttributes } from './activation.js';
import { replaceImages } from './image_order.js';
import { checkImageCount } from './listing_text.js';
import {
  checkOrigin,
  dropUndefined,
  parseGuarantee,
  parseListingFields,
  parseProductSafety,
} from './listing_request.js';
import { changeType } from './listing_type.js';

/**
 * Changes the fields in the request. Silently ignores price, quantity, SKU, styles, processing profile and
 * is_customizable; the change of state comes last, on the updated listing. A new title deletes the
 * translations, and a digital listing whose type is not sent again becomes a physical one.
 */
export function updateListing(call: Call, shop: Shop, listing: Listing): Listing {
  const { db, fields, now_ms } = call;
  const { listing_type = 'physical', ...given } = parseListingFields(call, shop);
  const state = parseChoice(fields, 'state', ['active', 'inactive'] as const);
  const image_ids = parseIds(fields, 'image_ids');
  checkImageCount(image_ids);
  if (listing.fields.listing_type !== 'download' && given.shipping_profile_id === null) {
    throw buildRefusal(400, INVENTED.shipping_profile_required);
  }
  if (image_ids) replaceImages(db, listing, image_ids);
  const typed = changeType(call, listing, listing_type);
  const edited: Listing = {
    ...typed,
    updated_at: now_ms,
    fields: {
      ...typed.fields,
      ...given,
      ...dropUndefined({ featured_rank: parseInteger(fields, 'featured_rank', 1) }),
      gpsr: { ...typed.fields.gpsr, ...parseProductSafety(fields) },
      ecgt: { ...typed.fields.ecgt, ...parseGuarantee(fields, shop) },
    },
  };
  const isOfOrigin = given.who_made !== undefined || given.production_partner_ids !== undefined;
  if (isOfOrigin) checkOrigin(call, edited.fields);
  if (edited.state === 'active' && edited.fields.taxonomy_id !== listing.fields.taxonomy_id) {
    checkRequiredAttributes(call, edited);
  }
  if (edited.fields.title !== listing.fields.title) deleteTranslations(db, listing.listing_id);
  const changed = state === undefined ? edited : changeState(call, shop, edited, state);
  saveListing(db, changed);
  return changed;
}
