import { describeListing } from '../answers/associations.js';
import { toInventory, toProduct } from '../answers/inventory.js';
import { toMoney } from '../answers/text.js';
import { ok } from '../requests/call.js';
import type { Call, Route } from '../requests/call.js';
import { getPathId, parseChoice } from '../requests/fields.js';
import { VERBATIM } from '../requests/messages.js';
import { getListing, getOwnListing, isOwner } from '../requests/ownership.js';
import { buildRefusal } from '../requests/refusal.js';
import { applyInventory, buildInventory } from '../rules/inventory.js';
import { parseInventory, parseMaxVariations } from '../rules/inventory-request.js';
import { listVariationImages, saveVariationImages } from '../store/attachments.js';
import { findVariationValue } from '../store/inventory.js';
import type { Product } from '../store/inventory.js';
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
      const includesListing = parseChoice(call.query, 'includes', ['Listing']) !== undefined;
      const listing = getListing(call);
      return ok({
        ...describeInventory(call, listing),
        ...(includesListing && { listing: describeListing(call, listing, true) }),
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
  {
    operation: 'getListingProduct',
    method: 'GET',
    path: '/listings/:listing_id/inventory/products/:product_id',
    scopes: ['listings_r'],
    run: (call) => {
      const listing = getListing(call);
      const product = getProduct(listing, getPathId(call, 'product_id'));
      return ok(toProduct(product, listing, getCurrency(call, listing), isOwnerOf(call, listing)));
    },
  },
  {
    operation: 'getListingOffering',
    method: 'GET',
    path: '/listings/:listing_id/products/:product_id/offerings/:product_offering_id',
    scopes: [],
    run: (call) => {
      const listing = getListing(call);
      const product = getProduct(listing, getPathId(call, 'product_id'));
      const { price_amount, ...offering } = product.offering;
      if (offering.offering_id !== getPathId(call, 'product_offering_id')) {
        throw buildRefusal(404, VERBATIM.not_found);
      }
      return ok({ ...offering, is_deleted: false, price: toMoney(price_amount, getCurrency(call, listing)) });
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

function getProduct(listing: Listing, product_id: number): Product {
  const product = listing.inventory.products.find((candidate) => candidate.product_id === product_id);
  if (!product) throw buildRefusal(404, VERBATIM.not_found);
  return product;
}

function getCurrency(call: Call, listing: Listing): string {
  return findShop(call.db, listing.shop_id)?.data.currency_code ?? 'USD';
}

// A write takes all of them away, or those of values which are gone: sellers have seen both.
function dropVariationImages(call: Call, listing: Listing): void {
  const kept = call.settings.inventory_drops_variation_images
    ? []
    : listVariationImages(call.db, listing.listing_id).filter(
        ({ property_id, value_id }) =>
          findVariationValue(listing.inventory, property_id, value_id) !== undefined,
      );
  saveVariationImages(call.db, listing.listing_id, kept);
}
