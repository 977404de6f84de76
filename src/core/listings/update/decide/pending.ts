import type { Warning } from '../../../../../schemas/job.js';
import type { Inventory } from '../../../ports/marketplace_listing.js';
import { compareInventories } from '../../snapshot/compare_inventory.js';
import { isSameValue } from '../../snapshot/difference.js';
import type { InventoryChange, OfferingChange, Pending, ShopAction } from '../plan.js';
import { decideInventory, type InventoryDecision } from './decide_inventory.js';

/** What is pending and a new change, in the order in which they are written: a whole inventory replaces what came before it. */
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

/** What is pending before the action; null: nothing. */
export function findPending(action: ShopAction): Pending | null {
  return (action.kind === 'restore' ? action.pending?.is : action.pending) ?? null;
}

/** The inventory with all these changes, one after the other. */
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

/** Stock is never pending: it is what makes the rest possible. */
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

/** Undefined once the listing has all of it; stock is not a part of it. */
export function withoutDone(
  pending: Pending | undefined,
  inventory: Inventory | undefined,
): Pending | undefined {
  if (!pending || !inventory) return pending;
  const decided = decideChanges(pending.changes, inventory);
  if ('refused' in decided) return pending;
  const open = compareInventories(inventory, decided.inventory, {});
  return open.some(({ field }) => !field.endsWith('quantity')) ? pending : undefined;
}

export function buildPendingWarning(fields: readonly { field: string }[]): Warning {
  return {
    code: 'pending',
    fields: fields.map(({ field }) => field),
    reason:
      'The listing has no stock there, and the marketplace takes no prices, SKUs or combinations without. They are kept here, and written with the next change that brings stock, before the listing goes on sale.',
  };
}

export function buildDropped({ fields }: Pending): Warning {
  return {
    code: 'pending_dropped',
    level: 'note',
    fields: fields.map(({ field }) => field),
    reason: 'It was kept here until the listing has stock, and is kept no longer.',
  };
}

export const NOT_PENDING: Warning = {
  code: 'pending_dropped',
  fields: ['changes.offerings'],
  reason:
    'What was pending here names combinations that the listing does not have there any longer, so that it is not written; send it again with listing_update.',
};
