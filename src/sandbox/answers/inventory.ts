import type { Listing } from '../store/listings.js';
import type { Product, PropertyValue } from '../store/inventory.js';
import { findScaleName } from '../taxonomy.js';
import { toMoney } from './text.js';

/** A ListingInventory on the wire. Only the owner sees SKUs; others get empty ones. */
export function toInventory(
  listing: Listing,
  currency_code: string,
  hasSkus: boolean,
): Record<string, unknown> {
  const { inventory } = listing;
  return {
    products: inventory.products.map((product) => toProduct(product, listing, currency_code, hasSkus)),
    price_on_property: inventory.price_on_property,
    quantity_on_property: inventory.quantity_on_property,
    sku_on_property: inventory.sku_on_property,
    readiness_state_on_property: inventory.readiness_state_on_property,
  };
}

function toProduct(
  product: Product,
  listing: Listing,
  currency_code: string,
  hasSku: boolean,
): Record<string, unknown> {
  const { price_amount, ...offering } = product.offering;
  return {
    product_id: product.product_id,
    sku: hasSku ? product.sku : '',
    is_deleted: false,
    offerings: [{ ...offering, is_deleted: false, price: toMoney(price_amount, currency_code) }],
    property_values: product.property_values.map((value) =>
      toPropertyValue(value, listing.fields.taxonomy_id),
    ),
  };
}

export function toPropertyValue(value: PropertyValue, taxonomy_id: number): Record<string, unknown> {
  const { property_id, property_name, scale_id, value_ids, values } = value;
  return {
    property_id,
    property_name,
    scale_id,
    scale_name: findScaleName(taxonomy_id, property_id, scale_id),
    value_ids,
    values,
  };
}
