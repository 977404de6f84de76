import { describeListing } from '../answers/associations.js';
import { toInventory } from '../answers/inventory.js';
import { ok } from '../requests/call.js';
import type { Call, Route } from '../requests/call.js';
import { parseChoice } from '../requests/fields.js';
import { getListing, getOwnListing, isOwner } from '../requests/ownership.js';
import { applyInventory, buildInventory } from '../rules/inventory.js';
import { parseInventory, parseMaxVariations } from '../rules/inventory_request.js';
import { listVariationImages, saveVariationImages } from '../store/attachments.js';
import { findVariationValue } from '../store/inventory.js';
import { saveListing } from '../store/listings.js';
import type { Listing } from '../store/listings.js';
import { findShop } from '../store/shops.js';

export const INVENTORY_ROUTES: readonly Route[] = [
  {
    operation: 'getListingInventory',
    method: 'GET',
    path: '/listings/:listing_id/inventory',
    scopes: ['listings_r'],
    run: (call) => {
      const hasListing = parseChoice(call.query, 'includes', ['Listing']) !== undefined;
      const listing = getListing(call);
      return ok({
        ...describeInventory(call, listing),
        ...(hasListing && { listing: describeListing(call, listing, true) }),
      });
    },
  },
  {
    operation: 'updateListingInventory',
    method: 'PUT',
    path: '/listings/:listing_id/inventory',
    scopes: ['listings_w'],
    body: 'json',
    run: (call) => {
      const { listing } = getOwnListing(call);
      const max_variations = parseMaxVariations(call);
      const inventory = buildInventory(call.db, listing, parseInventory(call.json), max_variations);
      const changed = applyInventory(listing, { ...inventory, sent: call.json }, call.now_ms);
      saveListing(call.db, changed);
      dropVariationImages(call, changed);
      return ok(describeInventory(call, changed));
    },
  },
];

/** The inventory as this caller may see it. */
export function describeInventory(call: Call, listing: Listing): Record<string, unknown> {
  return toInventory(listing, getCurrency(call, listing), isOwnerOf(call, listing));
}

function isOwnerOf(call: Call, listing: Listing): boolean {
  const shop = findShop(call.db, listing.shop_id);
  return shop !== undefined && isOwner(call, shop);
}

function getCurrency(call: Call, listing: Listing): string {
  return findShop(call.db, listing.shop_id)?.data.currency_code ?? 'USD';
}

// A write removes all of them, or only those of values that are gone: sellers have seen both.
function dropVariationImages(call: Call, listing: Listing): void {
  const kept = call.settings.inventory_drops_variation_images
    ? []
    : listVariationImages(call.db, listing.listing_id).filter(
        ({ property_id, value_id }) =>
          findVariationValue(listing.inventory, property_id, value_id) !== undefined,
      );
  saveVariationImages(call.db, listing.listing_id, kept);
}
