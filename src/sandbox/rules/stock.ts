import type { Product } from '../store/inventory.js';
import type { Listing } from '../store/listings.js';
import { applyInventory } from './inventory.js';
import { isOfferable } from './new_listing.js';

/**
 * The listing after a sale: products that share one quantity decrease together, and selling the last one
 * sells the listing out.
 */
export function takeStock(listing: Listing, sold: Product, quantity: number, now_ms: number): Listing {
  const { inventory } = listing;
  const toKey = ({ property_values }: Product): string =>
    JSON.stringify(
      property_values
        .filter(({ property_id }) => inventory.quantity_on_property.includes(property_id))
        .map(({ values }) => values),
    );
  const key = toKey(sold);
  const products = inventory.products.map((product) =>
    toKey(product) === key ? withQuantity(product, product.offering.quantity - quantity) : product,
  );
  const left = applyInventory(listing, { ...inventory, products }, now_ms);
  return isOfferable(left) ? left : { ...left, state: 'sold_out', state_at: now_ms };
}

/** Sets the quantity of every product to zero. */
export function sellOut(listing: Listing, now_ms: number): Listing {
  const products = listing.inventory.products.map((product) => withQuantity(product, 0));
  return applyInventory(listing, { ...listing.inventory, products }, now_ms);
}

function withQuantity(product: Product, quantity: number): Product {
  return { ...product, offering: { ...product.offering, quantity: Math.max(0, quantity) } };
}
