import type { Refusal } from '../../../../schemas/issues/update_warnings.js';
import type { InventoryChange, OfferingChange } from '../../ports/listing/changes.js';
import type { Inventory, InventoryProduct } from '../../ports/marketplace_listing.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { cutChars } from '../rules/text.js';
import { toProductKey, toProductLabel } from '../snapshot/compare_inventory.js';
import { matchesProduct } from '../resolve/changes/match_offerings.js';
import { findAxis, toPropertyIds } from '../variations/axis.js';

/**
 * `inventory`: the complete inventory to write. `is_empty`: it has nothing to buy, which the marketplace refuses.
 * `no_stock`: paths of changes that put a combination without stock on sale.
 */
export type InventoryDecision =
  | { inventory: Inventory; is_empty: boolean; no_stock: string[] }
  | { refused: { problem: Refusal; fields: string[] } };

/** The inventory to write: the current one with the changes applied. */
export function decideInventory(change: InventoryChange, fresh: Inventory): InventoryDecision {
  const changed =
    change.kind === 'offerings' ? setOfferings(change.offerings, fresh) : replace(change, fresh);
  if ('refused' in changed) return changed;
  const inventory = withAxes(changed.products, changed.inventory);
  return { inventory, is_empty: !inventory.products.some(isSellable), no_stock: changed.no_stock ?? [] };
}

function isSellable({ is_enabled, quantity }: InventoryProduct): boolean {
  return is_enabled && quantity > 0;
}

type Changed =
  | { products: InventoryProduct[]; inventory: Inventory; no_stock?: string[] }
  | Extract<InventoryDecision, { refused: unknown }>;

function setOfferings(changes: readonly OfferingChange[], fresh: Inventory): Changed {
  const products = fresh.products.map((product) => ({ ...product }));
  const no_stock: string[] = [];
  for (const change of changes) {
    // Matches against the inventory as read, since an earlier change of this call may have given a product the SKU
    // of another one.
    const found = fresh.products.flatMap((product, index) =>
      matchesProduct(change, product) ? [index] : [],
    );
    const product = products[found[0] ?? -1];
    if (!product || found.length > 1) {
      return { refused: { problem: toMiss(change, fresh, found), fields: [change.path] } };
    }
    const { price, sku, is_enabled, readiness_state_id } = change.set;
    const isPutOn = is_enabled === true && !product.is_enabled && product.quantity === 0;
    const quantity = change.set.quantity ?? (isPutOn ? change.set.quantity_if_none : undefined);
    if (isPutOn && (quantity ?? 0) === 0 && change.set.quantity === undefined) no_stock.push(change.path);
    if (price !== undefined) product.price = price;
    if (quantity !== undefined) product.quantity = quantity;
    if (sku !== undefined) product.sku = cutChars(sku, MARKETPLACE_FACTS.sku_sent_chars);
    if (is_enabled !== undefined) product.is_enabled = is_enabled;
    if (readiness_state_id !== undefined && product.readiness_state_id !== null) {
      product.readiness_state_id = readiness_state_id;
    }
  }
  return { products, inventory: fresh, no_stock };
}

function toMiss({ match }: OfferingChange, { products }: Inventory, found: readonly number[]): Refusal {
  const { sku, values = [] } = match;
  const wanted = { sku, values: values.map(({ name, value }) => ({ name, value })) };
  if (found.length > 1) {
    const labels = found.map((index) => toProductLabel(products[index] ?? NONE));
    const count = sku === undefined && values.length === 0 ? products.length : found.length;
    return { code: 'combination_ambiguous', params: { ...wanted, count, labels } };
  }
  const skus = products.flatMap(({ sku: own }) => (own === '' ? [] : [own]));
  const labels = products.map(toProductLabel).filter(Boolean);
  return { code: 'combination_unknown', params: { ...wanted, skus, labels } };
}

const NONE: Pick<InventoryProduct, 'property_values'> & InventoryProduct = {
  sku: '',
  property_values: [],
  price: 0,
  quantity: 0,
  is_enabled: false,
  readiness_state_id: null,
};

/** Replaces all combinations. Stock that the change does not mention keeps its current value on the marketplace. */
function replace(change: Extract<InventoryChange, { kind: 'whole' }>, fresh: Inventory): Changed {
  const hasThirdProperty = fresh.products.some(({ property_values }) => property_values.length > 2);
  if (hasThirdProperty) {
    const problem = { code: 'options_three' as const, params: {} };
    return { refused: { problem, fields: ['changes.variations'] } };
  }
  const there = new Map(fresh.products.map((product) => [toProductKey(product), product]));
  const products = change.inventory.products.map((product) => {
    const known = there.get(toProductKey(product));
    const isStockKept = change.quantities.some(
      ({ values, quantity }) =>
        quantity === product.quantity && matchesProduct({ path: '', match: { values }, set: {} }, product),
    );
    const readiness_state_id = product.readiness_state_id ?? fresh.products[0]?.readiness_state_id ?? null;
    const isHidden = !product.is_enabled && product.sku === '';
    return {
      ...product,
      readiness_state_id,
      ...(known && isStockKept && { quantity: known.quantity }),
      // A combination the change omits is hidden, and keeps its price and SKU.
      ...(known && isHidden && { price: known.price, sku: known.sku }),
    };
  });
  return { products, inventory: change.inventory };
}

/**
 * Adds the properties by which price, stock, SKU and processing time vary: the known ones if they still fit,
 * otherwise as few as possible.
 */
export function withAxes(products: InventoryProduct[], known: Inventory): Inventory {
  const property_ids = (products[0]?.property_values ?? []).map(({ property_id }) => property_id);
  const choices = products.map(({ property_values }) =>
    property_ids.map(
      (id) => property_values.find(({ property_id }) => property_id === id)?.values.join(', ') ?? '',
    ),
  );
  const axis = (before: readonly number[], read: (product: InventoryProduct) => unknown): number[] => {
    const values = products.map(read);
    if (isConstantAlong(before, property_ids, choices, values)) return [...before];
    return toPropertyIds(findAxis(choices, values), property_ids);
  };
  return {
    products,
    price_on_property: axis(known.price_on_property, ({ price }) => price),
    quantity_on_property: axis(known.quantity_on_property, ({ quantity }) => quantity),
    sku_on_property: axis(known.sku_on_property, ({ sku }) => sku),
    readiness_state_on_property: axis(
      known.readiness_state_on_property,
      (product) => product.readiness_state_id,
    ),
  };
}

function isConstantAlong(
  axis: readonly number[],
  property_ids: readonly number[],
  choices: readonly (readonly string[])[],
  values: readonly unknown[],
): boolean {
  if (axis.some((id) => !property_ids.includes(id))) return false;
  const positions = axis.map((id) => property_ids.indexOf(id));
  const seen = new Map<string, unknown>();
  return choices.every((choice, row) => {
    const key = JSON.stringify(positions.map((position) => choice[position]));
    if (!seen.has(key)) seen.set(key, values[row]);
    return Object.is(seen.get(key), values[row]);
  });
}
