import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { Warning } from '../../../../schemas/job.js';
import type { IdNames } from '../../ports/listing/difference.js';
import type { Inventory, InventoryProduct } from '../../ports/marketplace_listing.js';
import { toLabel } from '../snapshot/field_refs.js';
import {
  compareInventories,
  indexProducts,
  OFFERING_FIELDS,
  toOfferingRef,
  toProductKey,
  ON_PROPERTY,
} from '../snapshot/compare_inventory.js';
import { isSameValue } from '../snapshot/difference.js';
import { withAxes } from './decide_inventory.js';
import { buildNotUndone } from './restore_parts.js';

type Products = ReadonlyMap<string, InventoryProduct>;

/**
 * The current inventory, with the job's changes reverted: values of single combinations, and the set of
 * combinations. A restored quantity is lowered by the pieces sold since.
 * @returns `drift`: values the job changed and others have changed since
 */
export function restoreInventory(
  before: Inventory,
  after: Inventory,
  fresh: Inventory,
  names: IdNames,
): { inventory: Inventory; warnings: Warning[]; drift: FieldDifference[] } {
  const [was, became, is] = [indexProducts(before), indexProducts(after), indexProducts(fresh)];
  const hasOthers = !hasSameKeys(was, became);
  const isBack = hasSameKeys(was, is);
  const warnings: Warning[] = [];
  const products = (hasOthers && !isBack ? before : fresh).products.map((product) => {
    const key = toProductKey(product);
    const [had, then, now] = [was.get(key), became.get(key), is.get(key)];
    if (!had || !then || !now) return now ?? product;
    const { quantity, warning } = restoreQuantity(had, then, now);
    if (warning) warnings.push(warning);
    const back = OFFERING_FIELDS.filter(
      (field) => field !== 'quantity' && !isSameValue(had[field], then[field]),
    );
    return { ...now, ...Object.fromEntries(back.map((field) => [field, had[field]])), quantity };
  });
  const axes = ON_PROPERTY.map((axis) => [
    axis,
    isSameValue(before[axis], after[axis]) ? fresh[axis] : before[axis],
  ]);
  const known: Inventory = { ...fresh, ...Object.fromEntries(axes) };
  const moved = compareInventories(after, fresh, names).filter(({ kind }) => kind !== 'sold');
  return {
    inventory: withAxes(products, known),
    warnings,
    drift: [
      ...(hasOthers && !isBack && !hasSameKeys(became, is) ? moved.filter(isCombination) : []),
      ...[...was.keys()].flatMap((key) => listDrift(was.get(key), became.get(key), is.get(key), names)),
    ],
  };
}

function hasSameKeys(a: Products, b: Products): boolean {
  return a.size === b.size && [...a.keys()].every((key) => b.has(key));
}

/** Whether a difference is an added or removed combination. */
function isCombination({ ref }: FieldDifference): boolean {
  return ref.part === 'inventory' && ref.field === undefined;
}

function restoreQuantity(
  had: InventoryProduct,
  then: InventoryProduct,
  now: InventoryProduct,
): { quantity: number; warning?: Warning } {
  if (had.quantity === then.quantity) return { quantity: now.quantity };
  const sold = Math.max(0, then.quantity - now.quantity);
  const quantity = Math.max(0, had.quantity - sold);
  if (sold === 0) return { quantity };
  const reason = { code: 'undo_sold' as const, params: { sold, to: quantity, was: had.quantity } };
  return { quantity, warning: buildNotUndone(toLabel(toOfferingRef(had, 'quantity')), reason) };
}

/** Values of one combination that the job changed and that match neither its writes nor the values before it. */
function listDrift(
  had: InventoryProduct | undefined,
  then: InventoryProduct | undefined,
  now: InventoryProduct | undefined,
  names: IdNames,
): FieldDifference[] {
  if (!had || !then) return [];
  const written = OFFERING_FIELDS.filter((field) => !isSameValue(had[field], then[field]));
  if (written.length === 0) return [];
  const moved = compareInventories(toInventory(then), toInventory(now), names);
  if (!now) return moved.filter(isCombination);
  const open = written.filter((field) => !isSameValue(had[field], now[field]));
  return moved.filter(
    ({ ref, kind }) =>
      kind !== 'sold' && ref.part === 'inventory' && open.some((field) => field === ref.field),
  );
}

function toInventory(product: InventoryProduct | undefined): Inventory {
  return {
    products: product ? [product] : [],
    price_on_property: [],
    quantity_on_property: [],
    sku_on_property: [],
    readiness_state_on_property: [],
  };
}
