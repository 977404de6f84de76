import type {
  Inventory,
  InventoryProduct,
  InventoryPropertyValue,
  ShownVariationImage,
} from '../../core/ports/marketplace_listing.js';
import type { WireInventory, WirePropertyValue, WireVariationImage } from './wire.js';
import { decodeEntities } from './entities.js';
import { toPrice } from './money.js';

/**
 * Prices are sent as plain numbers. Empty lists are sent too, because the marketplace refuses a missing one.
 */
export function toWireInventory({ products, ...on_property }: Inventory): Record<string, unknown> {
  return { products: products.map(toWireProduct), ...on_property };
}

function toWireProduct({ sku, property_values, ...offering }: InventoryProduct): Record<string, unknown> {
  return { sku, property_values, offerings: [offering] };
}

/**
 * Deleted products are left out. The marketplace creates one offering per product; if there are several, the
 * first counts.
 */
export function toInventory({ products, ...on_property }: WireInventory): Inventory {
  const existing = products.filter(({ is_deleted }) => !is_deleted);
  return { products: existing.flatMap(toProduct), ...on_property };
}

function toProduct({
  sku,
  property_values,
  offerings,
}: WireInventory['products'][number]): InventoryProduct[] {
  const offering = offerings.find(({ is_deleted }) => !is_deleted);
  if (!offering) return [];
  const { price, quantity, is_enabled, readiness_state_id } = offering;
  return [
    {
      sku: decodeEntities(sku ?? ''),
      property_values: property_values.map(toPropertyValue),
      price: toPrice(price),
      quantity,
      is_enabled,
      readiness_state_id,
    },
  ];
}

function toPropertyValue(wire: WirePropertyValue): InventoryPropertyValue {
  return {
    ...wire,
    property_name: decodeEntities(wire.property_name ?? ''),
    values: wire.values.map(decodeEntities),
  };
}

export function toVariationImage({ value, ...same }: WireVariationImage): ShownVariationImage {
  return { ...same, value: value === null ? null : decodeEntities(value) };
}
