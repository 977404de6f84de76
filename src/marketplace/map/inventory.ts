import type { Inventory, InventoryProduct, InventoryPropertyValue } from '../../core/ports/index.js';
import { toPrice } from './money.js';
import { toNumberOrNull, toStringOrNull, type Reader, type Wire } from './read.js';
import { decodeEntities } from './text.js';

/** The write's shape: prices are plain numbers, each product has one offering. */
export function toInventoryBody(inventory: Inventory): Wire {
  const { products, ...on_property } = inventory;
  return {
    products: products.map(({ sku, property_values, ...offering }) => ({
      sku,
      property_values,
      offerings: [offering],
    })),
    ...on_property,
  };
}

/** The read's shape differs: prices are money, ids are new with each write, deleted products may still be there. */
export function toInventory(read: Reader, body: unknown): Inventory {
  const wire = read.object(body);
  return {
    products: read.list(wire, 'products').flatMap((product) => toProduct(read, product) ?? []),
    price_on_property: read.numbers(wire, 'price_on_property'),
    quantity_on_property: read.numbers(wire, 'quantity_on_property'),
    sku_on_property: read.numbers(wire, 'sku_on_property'),
    readiness_state_on_property: read.numbers(wire, 'readiness_state_on_property'),
  };
}

function toProduct(read: Reader, wire: Wire): InventoryProduct | undefined {
  if (wire['is_deleted'] === true) return undefined;
  const offering = read.list(wire, 'offerings').find((candidate) => candidate['is_deleted'] !== true);
  if (!offering) return undefined;
  return {
    sku: toStringOrNull(wire['sku']) ?? '',
    property_values: read.list(wire, 'property_values').map((value) => toPropertyValue(read, value)),
    price: toPrice(offering['price'])?.price ?? 0,
    quantity: read.number(offering, 'quantity'),
    is_enabled: offering['is_enabled'] === true,
    readiness_state_id: toNumberOrNull(offering['readiness_state_id']),
  };
}

function toPropertyValue(read: Reader, wire: Wire): InventoryPropertyValue {
  return {
    property_id: read.number(wire, 'property_id'),
    property_name: decodeEntities(toStringOrNull(wire['property_name']) ?? ''),
    scale_id: toNumberOrNull(wire['scale_id']),
    value_ids: read.numbers(wire, 'value_ids'),
    values: read.strings(wire, 'values').map(decodeEntities),
  };
}
