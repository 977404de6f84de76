import type { Warning } from '../../../../schemas/job.js';
import type { InventoryChange, OfferingChange, Pending } from '../../ports/listing/changes.js';
import type { ChangeAction } from '../../ports/listing/plan.js';
import type { Inventory } from '../../ports/marketplace_listing.js';
import { isStock, toLabel } from '../snapshot/field_refs.js';
import { compareInventories } from '../snapshot/compare_inventory.js';
import { isSameValue } from '../snapshot/difference.js';
import { decideInventory, type InventoryDecision } from './decide_inventory.js';

/** The pending changes and a new one, in writing order: a whole inventory replaces everything before it. */
export function joinChanges(pending: Pending | undefined, change?: InventoryChange): InventoryChange[] {
  const earlier = pending?.changes ?? [];
  if (!change) return earlier;
  if (change.kind === 'whole') return [change];
  const last = earlier.at(-1);
  if (last?.kind !== 'offerings') return [...earlier, change];
  const others = last.offerings.filter((one) => !findSame(change.offerings, one));
  const merged = change.offerings.map((one) => ({
    ...one,
    set: { ...findSame(last.offerings, one)?.set, ...one.set },
  }));
  return [...earlier.slice(0, -1), { kind: 'offerings', offerings: [...others, ...merged] }];
}

function findSame(
  offerings: readonly OfferingChange[],
  { match }: OfferingChange,
): OfferingChange | undefined {
  return offerings.find((one) => isSameValue(one.match, match));
}

/** The values pending before the action; null: nothing. */
export function findPending(action: ChangeAction): Pending | null {
  return (action.kind === 'restore' ? action.pending?.is : action.pending) ?? null;
}

/** The inventory after all these changes, in order. */
export function decideChanges(changes: readonly InventoryChange[], fresh: Inventory): InventoryDecision {
  const no_stock: string[] = [];
  let inventory = fresh;
  for (const change of changes) {
    const decided = decideInventory(change, inventory);
    if ('refused' in decided) return decided;
    ({ inventory } = decided);
    no_stock.push(...decided.no_stock);
  }
  return { inventory, is_empty: !hasStock(inventory), no_stock };
}

export function hasStock({ products }: Inventory): boolean {
  return products.some(({ is_enabled, quantity }) => is_enabled && quantity > 0);
}

/** Stock is never pending: the other changes wait for it. */
export function withoutStock(changes: readonly InventoryChange[]): InventoryChange[] {
  return changes.map((change) =>
    change.kind === 'whole'
      ? change
      : {
          ...change,
          offerings: change.offerings.map(({ set: { quantity: _, ...set }, ...one }) => ({ ...one, set })),
        },
  );
}

/** Undefined once the listing has all of it, except stock. */
export function withoutDone(
  pending: Pending | undefined,
  inventory: Inventory | undefined,
): Pending | undefined {
  if (!pending || !inventory) return pending;
  const decided = decideChanges(pending.changes, inventory);
  if ('refused' in decided) return pending;
  const open = compareInventories(inventory, decided.inventory, {});
  return open.some(({ ref }) => !isStock(ref)) ? pending : undefined;
}

export function buildPendingWarning(fields: Pending['fields']): Warning {
  return {
    code: 'pending',
    fields: fields.map(({ ref }) => toLabel(ref)),
    reason: { code: 'kept_for_stock', params: {} },
  };
}

export function buildDropped({ fields }: Pending): Warning {
  return {
    code: 'pending_dropped',
    level: 'note',
    fields: fields.map(({ ref }) => toLabel(ref)),
    reason: { code: 'kept_no_longer', params: {} },
  };
}

export const NOT_PENDING: Warning = {
  code: 'pending_dropped',
  fields: ['changes.offerings'],
  reason: { code: 'kept_unmatched', params: {} },
};
