import type { ShopCalls } from '../../core/ports/shop_calls.js';
import type { Inventory } from '../../core/ports/marketplace_listing.js';
import type { Call } from '../http/call.js';
import { buildJsonBody } from '../http/encode.js';
import { toInventory, toVariationImage, toWireInventory } from '../map/inventory.js';
import { toListing } from '../map/listing.js';
import { OPERATIONS } from './operations.js';
import * as wire from '../map/wire.js';
import { listingOfInventory } from '../map/wire_listing.js';

/** Products of a listing, and which photo belongs to which of their values. */
export function createInventory(
  call: Call,
): Pick<
  ShopCalls,
  | 'updateInventory'
  | 'getInventory'
  | 'getInventoryWithListing'
  | 'listInventoriesById'
  | 'updateVariationImages'
  | 'listVariationImages'
> {
  return {
    updateInventory: (shop, listing_id, inventory, options) =>
      call(
        OPERATIONS.updateListingInventory,
        {
          shop,
          path: { listing_id },
          // Without this, a listing that has a third variation loses it.
          query: { max_variations_supported: hasThirdVariation(inventory) ? 3 : undefined },
          body: buildJsonBody(toWireInventory(inventory)),
        },
        parseInventory,
        options,
      ),
    getInventory: (shop, listing_id, options) =>
      call(OPERATIONS.getListingInventory, { shop, path: { listing_id } }, parseInventory, options),
    getInventoryWithListing: (shop, listing_id, options) =>
      call(
        OPERATIONS.getListingInventory,
        { shop, path: { listing_id }, query: { includes: 'Listing' } },
        (body) => ({
          inventory: parseInventory(body),
          listing: toListing(wire.parseWire(listingOfInventory, body).listing),
        }),
        options,
      ),
    listInventoriesById: (shop, listing_ids, options) =>
      call(
        OPERATIONS.getListingsInventoryByListingIds,
        { shop, query: { listing_ids } },
        (body) => {
          const { results } = wire.parseWire(wire.listOf(wire.inventoryOfListing), body);
          return new Map(
            results.flatMap(({ listing_id, inventory }) =>
              inventory === null ? [] : [[listing_id, toInventory(inventory)] as const],
            ),
          );
        },
        options,
      ),
    updateVariationImages: (shop, listing_id, variation_images, options) =>
      call(
        OPERATIONS.updateVariationImages,
        {
          shop,
          path: { shop_id: shop.shop_id, listing_id },
          body: buildJsonBody({ variation_images }),
        },
        () => undefined,
        options,
      ),
    listVariationImages: (shop, listing_id, options) =>
      call(
        OPERATIONS.getListingVariationImages,
        { shop, path: { shop_id: shop.shop_id, listing_id } },
        (body) => wire.parseWire(wire.listOf(wire.variationImage), body).results.map(toVariationImage),
        options,
      ),
  };
}

function hasThirdVariation({ products }: Inventory): boolean {
  return products.some(({ property_values }) => property_values.length > 2);
}

function parseInventory(body: unknown) {
  return toInventory(wire.parseWire(wire.inventory, body));
}
