import type { Call } from './call.js';
import { getPathId } from './fields.js';
import { INVENTED } from './messages.js';
import { buildRefusal } from './refusal.js';
import { findListing } from '../store/listings.js';
import type { Listing } from '../store/listings.js';
import { findShop } from '../store/shops.js';
import type { Shop } from '../store/shops.js';

/** The shop of the path, for any caller. */
export function getShop(call: Call): Shop {
  const shop = findShop(call.db, getPathId(call, 'shop_id'));
  if (!shop) throw buildRefusal(404, INVENTED.shop_not_found);
  return shop;
}

/** The shop of the path; refused unless the caller owns it. */
export function getOwnShop(call: Call): Shop {
  const shop = getShop(call);
  if (shop.user_id !== call.caller?.user_id) throw buildRefusal(403, INVENTED.not_owner_of_shop);
  return shop;
}

/** The listing of the path, for any caller. A shop in the path must be the listing's. */
export function getListing(call: Call): Listing {
  const listing = findListing(call.db, getPathId(call, 'listing_id'));
  const isElsewhere = call.params.shop_id !== undefined && listing?.shop_id !== Number(call.params.shop_id);
  if (!listing || isElsewhere) throw buildRefusal(404, INVENTED.listing_not_found);
  return listing;
}

/** The listing of the path with its shop; refused unless the caller owns them. */
export function getOwnListing(call: Call): { shop: Shop; listing: Listing } {
  const owned = call.params.shop_id === undefined ? undefined : getOwnShop(call);
  const listing = getListing(call);
  const shop = owned ?? findShop(call.db, listing.shop_id);
  if (!shop || shop.user_id !== call.caller?.user_id) {
    throw buildRefusal(403, INVENTED.not_owner_of_listing);
  }
  return { shop, listing };
}

export function isOwner(call: Call, shop: Shop): boolean {
  return shop.user_id === call.caller?.user_id;
}
