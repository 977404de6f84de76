import { describeListing } from '../answers/associations.js';
import { toInventory, toProduct } from '../answers/inventory.js';
import { toMoney } from '../answers/text.js';
import { ok } from '../call.js';
import type { Call, Route } from '../call.js';
import { getPathId, parseChoice } from '../fields.js';
import { VERBATIM } from '../messages.js';
import { getListing, getOwnListing, isOwner } from '../ownership.js';
import { buildRefusal } from '../refusal.js';
import { applyInventory, buildInventory } from '../rules/inventory.js';
import { parseInventory, parseMaxVariations } from '../rules/inventory-request.js';
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
      dropLostVariationImages(call, changed);
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

// A picture that belonged to a value which is gone goes with it.
function dropLostVariationImages(call: Call, listing: Listing): void {
  const value_ids = listing.inventory.products.flatMap((product) =>
    product.property_values.flatMap((value) => value.value_ids),
  );
  call.db.run(
    `DELETE FROM variation_images WHERE listing_id = ? AND value_id NOT IN (SELECT value FROM json_each(?))`,
    listing.listing_id,
    JSON.stringify(value_ids),
  );
}
