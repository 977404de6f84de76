import type { Inventory, InventoryProduct } from '../../ports/marketplace_listing.js';
import { foldValue } from '../rules/text.js';
import { isSameValue, nameId } from './difference.js';
import { formatOffering, OFFERING_NAMES } from './field_refs.js';
import type { FieldDifference, FieldRef, OptionValue, OfferingField } from '../../../../schemas/field_ref.js';
import type { IdNames } from '../../ports/listing/difference.js';

/** Fields of a combination, in the order in which their differences are listed. */
export const OFFERING_FIELDS = ['price', 'quantity', 'sku', 'is_enabled', 'readiness_state_id'] as const;

/** Fields of a combination that sales do not change. */
export const OF_PRODUCT = ['price', 'sku', 'is_enabled', 'readiness_state_id'] as const;

export const ON_PROPERTY = [
  'price_on_property',
  'quantity_on_property',
  'sku_on_property',
  'readiness_state_on_property',
] as const;

/** Whether an inventory has all these combinations, with the same values in these fields. */
export function hasProducts(
  known: Inventory | undefined,
  wanted: readonly InventoryProduct[],
  fields: readonly OfferingField[],
): boolean {
  const products = indexProducts(known);
  return wanted.every((product) => {
    const found = products.get(toProductKey(product));
    return found !== undefined && fields.every((field) => isSameValue(found[field], product[field]));
  });
}

/** Matches products by their values: each write changes all ids. */
export function compareInventories(before: Inventory, after: Inventory, names: IdNames): FieldDifference[] {
  const [was, is] = [indexProducts(before), indexProducts(after)];
  return [
    ...compareProperties(before, after),
    ...after.products.flatMap((product): FieldDifference[] => {
      const known = was.get(toProductKey(product));
      return known
        ? compareProducts(known, product, names)
        : [{ ref: toOfferingRef(product), before: null, after: describe(product, names), kind: 'set' }];
    }),
    ...before.products
      .filter((product) => !is.has(toProductKey(product)))
      .map((product): FieldDifference => ({
        ref: toOfferingRef(product),
        before: describe(product, names),
        after: null,
        kind: 'set',
      })),
  ];
}

/** Identifies a product without its ids. */
export function toProductKey({ property_values }: InventoryProduct): string {
  const values = property_values.map(({ property_id, values: [value = ''] }) => [
    property_id,
    foldValue(value),
  ]);
  return JSON.stringify(values.sort(([a], [b]) => Number(a) - Number(b)));
}

export function indexProducts(inventory: Inventory | undefined): Map<string, InventoryProduct> {
  return new Map((inventory?.products ?? []).map((product) => [toProductKey(product), product]));
}

/** `Size: S, Color: Red`; empty if the listing has no variations. */
export function toProductLabel(product: InventoryProduct): string {
  return formatOffering(readOptions(product));
}

export function readOptions({ property_values }: Pick<InventoryProduct, 'property_values'>): OptionValue[] {
  return property_values.map(({ property_id, property_name, values }) => ({
    name: property_name,
    property_id,
    value: values.join(', '),
  }));
}

/** @param field undefined for the whole combination */
export function toOfferingRef(product: InventoryProduct, field?: OfferingField): FieldRef {
  return { part: 'inventory', offering: readOptions(product), ...(field && { field }) };
}

function compareProducts(
  before: InventoryProduct,
  after: InventoryProduct,
  names: IdNames,
): FieldDifference[] {
  return OFFERING_FIELDS.filter((field) => !isSameValue(before[field], after[field])).map((field) => ({
    ref: toOfferingRef(after, field),
    before: toShown(before, field, names),
    after: toShown(after, field, names),
    kind: field === 'quantity' && after.quantity < before.quantity ? 'sold' : 'set',
  }));
}

function describe(product: InventoryProduct, names: IdNames): Record<string, unknown> {
  return Object.fromEntries(
    OFFERING_FIELDS.map((field) => [OFFERING_NAMES[field], toShown(product, field, names)]),
  );
}

function toShown(product: InventoryProduct, field: OfferingField, names: IdNames): unknown {
  return field === 'readiness_state_id'
    ? nameId(names, 'processing_profile_id', product.readiness_state_id)
    : product[field];
}

/** The properties buyers choose from: names, order and values. */
type Property = { property_id: number; name: string; scale_id: number | null; values: string[] };

function compareProperties(before: Inventory, after: Inventory): FieldDifference[] {
  const [was, is] = [listProperties(before), listProperties(after)];
  const names = [was, is].map((all) => all.map(({ name }) => name));
  if (!isSameValue(names[0], names[1])) {
    return [{ ref: { part: 'options' }, before: names[0], after: names[1], kind: 'set' }];
  }
  return is.flatMap((property, index): FieldDifference[] => {
    const known = was[index];
    if (!known) return [];
    return (['property_id', 'scale_id', 'values'] as const)
      .filter((field) => !isSameValue(known[field], property[field]))
      .map((field) => ({
        ref: { part: 'options', name: property.name, field },
        before: known[field],
        after: property[field],
        kind: 'set',
      }));
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
