import type { Inventory, InventoryProduct } from '../../ports/marketplace_listing.js';
import { isSameValue, nameId, type FieldDifference, type IdNames } from './difference.js';

const FIELDS = ['price', 'quantity', 'sku', 'is_enabled', 'readiness_state_id'] as const;
type ProductField = (typeof FIELDS)[number];

/** What a request calls them. */
const IN_REQUEST = {
  price: 'price',
  quantity: 'quantity',
  sku: 'sku',
  is_enabled: 'enabled',
  readiness_state_id: 'processing_profile_id',
} as const satisfies Record<ProductField, string>;

/** Products are matched by their values: every id changes with each write. */
export function compareInventories(before: Inventory, after: Inventory, names: IdNames): FieldDifference[] {
  const [was, is] = [indexProducts(before), indexProducts(after)];
  return [
    ...compareProperties(before, after),
    ...after.products.flatMap((product) => {
      const known = was.get(toProductKey(product));
      return known
        ? compareProducts(known, product, names)
        : [{ field: toProductPath(product), before: null, after: describe(product, names) }];
    }),
    ...before.products
      .filter((product) => !is.has(toProductKey(product)))
      .map((product) => ({ field: toProductPath(product), before: describe(product, names), after: null })),
  ];
}

/** Of a product, its ids left out. */
export function toProductKey({ property_values }: InventoryProduct): string {
  const values = property_values.map(({ property_id, values: [value = ''] }) => [
    property_id,
    value.normalize('NFC').trim().toLowerCase(),
  ]);
  return JSON.stringify(values.sort(([a], [b]) => Number(a) - Number(b)));
}

/** By their keys. */
export function indexProducts(inventory: Inventory | undefined): Map<string, InventoryProduct> {
  return new Map((inventory?.products ?? []).map((product) => [toProductKey(product), product]));
}

/** `Size: S, Color: Red`; empty where a listing has no variations. */
export function toProductLabel({ property_values }: InventoryProduct): string {
  return property_values
    .map(({ property_name, values }) => `${property_name}: ${values.join(', ')}`)
    .join(', ');
}

/** `variations.offerings[Size: S]`, or `listing` for a listing without variations. */
function toProductPath(product: InventoryProduct): string {
  const label = toProductLabel(product);
  return label === '' ? 'listing' : `variations.offerings[${label}]`;
}

/** The only product has no field of its own for the profile and for being enabled. */
export function toFieldPath(product: InventoryProduct, field: ProductField): string {
  const isOnly = product.property_values.length === 0;
  if (isOnly && field === 'readiness_state_id') return 'shops[].processing_profile_id';
  return `${toProductPath(product)}.${IN_REQUEST[field]}`;
}

function compareProducts(
  before: InventoryProduct,
  after: InventoryProduct,
  names: IdNames,
): FieldDifference[] {
  return FIELDS.filter((field) => !isSameValue(before[field], after[field])).map((field) => ({
    field: toFieldPath(after, field),
    before: toShown(before, field, names),
    after: toShown(after, field, names),
    ...(field === 'quantity' && after.quantity < before.quantity ? { kind: 'sold' as const } : {}),
  }));
}

function describe(product: InventoryProduct, names: IdNames): Record<string, unknown> {
  return Object.fromEntries(FIELDS.map((field) => [IN_REQUEST[field], toShown(product, field, names)]));
}

function toShown(product: InventoryProduct, field: ProductField, names: IdNames): unknown {
  return field === 'readiness_state_id'
    ? nameId(names, 'processing_profile_id', product.readiness_state_id)
    : product[field];
}

/** The variation properties that buyers choose by: names, order and values. */
type Property = { property_id: number; name: string; scale_id: number | null; values: string[] };

function compareProperties(before: Inventory, after: Inventory): FieldDifference[] {
  const [was, is] = [listProperties(before), listProperties(after)];
  const names = [was, is].map((all) => all.map(({ name }) => name));
  if (!isSameValue(names[0], names[1])) {
    return [{ field: 'variations.properties', before: names[0], after: names[1] }];
  }
  return is.flatMap((property, index) => {
    const known = was[index];
    if (!known) return [];
    const at = `variations.properties[${property.name}]`;
    return (['property_id', 'scale_id', 'values'] as const)
      .filter((field) => !isSameValue(known[field], property[field]))
      .map((field) => ({ field: `${at}.${field}`, before: known[field], after: property[field] }));
  });
}

function listProperties({ products }: Inventory): Property[] {
  const found = new Map<number, Property>();
  for (const { property_values } of products) {
    for (const { property_id, property_name, scale_id, values } of property_values) {
      const known = found.get(property_id) ?? { property_id, name: property_name, scale_id, values: [] };
      found.set(property_id, known);
      const value = values.join(', ');
      if (!known.values.includes(value)) known.values.push(value);
    }
  }
  return [...found.values()];
}
