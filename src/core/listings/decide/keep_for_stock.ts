import type { Warning } from '../../../../schemas/job.js';
import type { InventoryChange, OfferingChange, Pending } from '../../ports/listing/changes.js';
import type { IdNames } from '../../ports/listing/difference.js';
import type { ChangeAction } from '../../ports/listing/plan.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { Target } from '../../ports/listing/target.js';
import type { Inventory, InventoryProduct } from '../../ports/marketplace_listing.js';
import {
  compareInventories,
  indexProducts,
  toProductKey,
  readOptions,
  OF_PRODUCT,
} from '../snapshot/compare_inventory.js';
import { isSameValue } from '../snapshot/difference.js';
import { isStock, toLabel } from '../snapshot/field_refs.js';
import { withAxes } from './decide_inventory.js';
import { buildDropped, buildPendingWarning, decideChanges, hasStock, withoutStock } from './pending.js';

type Swap = Extract<ChangeAction, { kind: 'restore' }>['pending'];

/**
 * The target of an undo, and the values pending after it. The marketplace accepts no prices, SKUs or combinations
 * for a listing without stock, so former ones are kept until it has some. The marketplace also refuses to remove
 * the last stock: the listing keeps that stock, and goes off sale.
 * @returns `pending` null: nothing; omitted: unchanged
 */
export function keepForStock(
  given: Target,
  fresh: Partial<ListingSnapshot>,
  swap: Swap,
  names: IdNames,
): { target: Target; warnings: Warning[]; pending?: Pending | null } {
  const offSale = keepStock(given, fresh, names);
  const { inventory, ...target } = offSale?.target ?? given;
  const { inventory: there } = fresh;
  const { is = null, back = null } = swap ?? {};
  const isWritable = !inventory || !there || hasStock(inventory) || hasStock(there);
  // A later change of the same fields takes precedence over the values before an earlier one.
  const next = isWritable
    ? back
    : buildPending([toChange(there, inventory), ...(back?.changes ?? [])], there, names);
  const warnings = next
    ? isSameValue(next, is)
      ? []
      : [buildPendingWarning(next.fields)]
    : is
      ? [buildDropped(is)]
      : [];
  return {
    target: { ...target, ...(inventory && isWritable && { inventory }) },
    warnings: [...(offSale?.warnings ?? []), ...warnings],
    ...(!isSameValue(next, is) && { pending: next }),
  };
}

/** For an undo that would remove the last stock; undefined for any other. */
function keepStock(
  { inventory, state: _, ...target }: Target,
  fresh: Partial<ListingSnapshot>,
  names: IdNames,
): { target: Target; warnings: Warning[] } | undefined {
  const { inventory: there } = fresh;
  if (!inventory || !there || hasStock(inventory) || !hasStock(there)) return undefined;
  const kept = withFormerStock(inventory, there);
  const left = compareInventories(inventory, kept ?? there, names).map(({ ref }) => toLabel(ref));
  const offSale = toOffSale(fresh, left);
  return {
    target: { ...target, ...(kept && { inventory: kept }), ...offSale.target },
    warnings: [offSale.warning],
  };
}

function buildPending(wanted: readonly InventoryChange[], fresh: Inventory, names: IdNames): Pending | null {
  const changes = withoutStock(wanted);
  const decided = decideChanges(changes, fresh);
  if ('refused' in decided) return null;
  const fields = compareInventories(fresh, decided.inventory, names).filter(({ ref }) => !isStock(ref));
  return fields.length > 0 ? { changes, fields } : null;
}

/** The change from one inventory to another. */
function toChange(from: Inventory, to: Inventory): InventoryChange {
  const known = indexProducts(from);
  const isSameCombinations =
    known.size === to.products.length && to.products.every((product) => known.has(toProductKey(product)));
  if (!isSameCombinations) return { kind: 'whole', inventory: to, quantities: [] };
  const offerings = to.products.flatMap((product) => {
    const was = known.get(toProductKey(product));
    return was ? listChanges(was, product) : [];
  });
  return { kind: 'offerings', offerings };
}

function listChanges(was: InventoryProduct, product: InventoryProduct): OfferingChange[] {
  const changed = OF_PRODUCT.filter((field) => !isSameValue(was[field], product[field]));
  if (changed.length === 0) return [];
  const values = readOptions(product);
  return [
    {
      path: 'changes.offerings',
      match: values.length > 0 ? { values } : {},
      set: Object.fromEntries(changed.map((field) => [field, product[field] ?? undefined])),
    },
  ];
}

/** A changed inventory with its current stock; undefined if the change makes other combinations. */
export function withFormerStock(changed: Inventory, fresh: Inventory): Inventory | undefined {
  const known = indexProducts(fresh);
  const products = changed.products.flatMap((product) => {
    const was = known.get(toProductKey(product));
    return was ? [{ ...product, quantity: was.quantity, is_enabled: was.is_enabled }] : [];
  });
  return products.length === known.size && products.length === changed.products.length
    ? withAxes(products, fresh)
    : undefined;
}

/** The marketplace refuses a listing without stock, so the listing goes off sale and keeps its stock. */
export function toOffSale(
  { listing }: Partial<ListingSnapshot>,
  fields: string[],
): { warning: Warning; target?: Pick<Target, 'state'> } {
  const state = listing?.state ?? 'not on sale';
  const warning: Warning = {
    code: 'off_sale',
    fields,
    reason: { code: 'nothing_left_to_sell', params: { state } },
  };
  return state === 'active' ? { warning, target: { state: 'inactive' } } : { warning };
}
