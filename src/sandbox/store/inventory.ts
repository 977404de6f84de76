import type { Database } from './database.js';
import { takeId } from './sequences.js';

export type PropertyValue = {
  property_id: number;
  property_name: string;
  scale_id: number | null;
  value_ids: number[];
  values: string[];
};

type Offering = {
  offering_id: number;
  quantity: number;
  is_enabled: boolean;
  price_amount: number;
  readiness_state_id: number | null;
};

export type Product = {
  product_id: number;
  sku: string;
  property_values: PropertyValue[];
  offering: Offering;
};

export const ON_PROPERTY_FIELDS = [
  'price_on_property',
  'quantity_on_property',
  'sku_on_property',
  'readiness_state_on_property',
] as const;
export type OnPropertyField = (typeof ON_PROPERTY_FIELDS)[number];

/** A listing's inventory as stored; `sent` is the body of the last inventory write, for inspection in tests. */
export type Inventory = { products: Product[]; sent: unknown } & Record<OnPropertyField, number[]>;

/** The inventory of a new listing before its first inventory write: one product without variations. */
export function buildSingleInventory(
  db: Database,
  offering: Omit<Offering, 'offering_id' | 'is_enabled'>,
  sku = '',
): Inventory {
  return {
    products: [
      {
        product_id: takeId(db, 'product'),
        sku,
        property_values: [],
        offering: { offering_id: takeId(db, 'offering'), is_enabled: true, ...offering },
      },
    ],
    price_on_property: [],
    quantity_on_property: [],
    sku_on_property: [],
    readiness_state_on_property: [],
    sent: null,
  };
}

/**
 * The id that one shop has for one value of a property: created on the first write, and the same ever after.
 */
export function takeShopValueId(db: Database, shop_id: number, property_id: number, value: string): number {
  const known = db.find<{ value_id: number }>(
    'SELECT value_id FROM shop_values WHERE shop_id = ? AND property_id = ? AND value = ?',
    shop_id,
    property_id,
    value,
  );
  if (known) return known.value_id;
  const value_id = takeId(db, 'shop_value');
  db.run('INSERT INTO shop_values VALUES (?, ?, ?, ?)', value_id, shop_id, property_id, value);
  return value_id;
}

export function findShopValue(
  db: Database,
  shop_id: number,
  property_id: number,
  value_id: number,
): string | undefined {
  return db.find<{ value: string }>(
    'SELECT value FROM shop_values WHERE value_id = ? AND shop_id = ? AND property_id = ?',
    value_id,
    shop_id,
    property_id,
  )?.value;
}

/** The text of a value that the products have, by its shop-unique id. */
export function findVariationValue(
  inventory: Inventory,
  property_id: number,
  value_id: number,
): string | undefined {
  const values = inventory.products.flatMap((product) => product.property_values);
  return values.find((value) => value.property_id === property_id && value.value_ids.includes(value_id))
    ?.values[0];
}
