import type { Warning } from '../../../../../schemas/job.js';
import type { Inventory } from '../../../ports/index.js';
import { compareSnapshots, type FieldDifference } from '../../snapshot/compare.js';
import type { ListingSnapshot } from '../../snapshot/snapshot.js';
import { costsFee } from '../../observed/fee.js';
import { toSighting } from '../../observed/sighting.js';
import { compareInventories } from '../../snapshot/compare_inventory.js';
import type { IdNames } from '../../snapshot/difference.js';
import type { Decision, Pending, ShopAction, ShopFacts, Target } from '../plan.js';
import { decideChanges, hasStock, NOT_PENDING } from './pending.js';
import { isRelated } from './related.js';
import { projectTarget } from './project.js';

type StateAction = Extract<ShopAction, { kind: 'state' }>;

/** Decides on or off sale: only from the state that was read when the caller asked and, where it costs a fee, consented. */
export function decideState(
  action: StateAction,
  { update, baseline = {}, fresh }: ShopFacts,
  now: Date,
): Decision {
  const { listing } = fresh;
  if (!listing) throw new Error('the state is read before it is decided');
  const { state, stock, seen_state } = action;
  const taken_over = compareSnapshots(baseline, fresh, update.names).filter(({ field }) => field !== 'state');
  if (listing.state === state) return { kind: 'unchanged', warnings: [], taken_over };
  if (listing.state === 'removed') return refuse('the listing was removed there');
  if (listing.state !== seen_state) {
    return refuse(`it was ${seen_state} when this was asked for and is ${listing.state} now; ask again`);
  }
  if (state === 'inactive') {
    if (listing.state === 'draft') return refuse('the listing is a draft there, and on sale nowhere');
    return go({ state, translations: fresh.translations ?? [] });
  }
  if (!action.is_paid && costsFee(toSighting(listing), now)) {
    return refuse('putting it on sale again would cost a fee now, which nobody agreed to; ask again');
  }
  if (stock === undefined && !action.pending) return go({ state });
  if (!fresh.inventory) throw new Error('the inventory is read before it is decided');
  const { inventory, warnings } = withPending(
    action.pending,
    fresh.inventory,
    baseline.inventory,
    update.names,
  );
  if (stock !== undefined) return go({ state, inventory: withStock(inventory, stock) }, warnings, null);
  return hasStock(inventory) ? go({ state, inventory }, warnings, null) : go({ state });

  function go(target: Target, warnings: Warning[] = [], pending?: null): Decision {
    const diff = compareSnapshots(fresh, projectTarget(fresh, target), update.names);
    const isWritten = ({ field }: FieldDifference) => diff.some((change) => change.field === field);
    const left = taken_over.filter((difference) => !isWritten(difference));
    return { kind: 'go', target, diff, warnings, taken_over: left, ...(pending === null && { pending }) };
  }
}

/** The inventory with the values that are pending. Where someone else has edited the same since, theirs stay. */
function withPending(
  pending: Pending | undefined,
  fresh: Inventory,
  baseline: Inventory | undefined,
  names: IdNames,
): { inventory: Inventory; warnings: Warning[] } {
  if (!pending) return { inventory: fresh, warnings: [] };
  const decided = decideChanges(pending.changes, fresh);
  if ('refused' in decided) return { inventory: fresh, warnings: [NOT_PENDING] };
  const written = compareInventories(fresh, decided.inventory, names);
  const edited = baseline ? compareInventories(baseline, fresh, names) : [];
  const theirs = edited.filter(
    ({ kind, field }) => kind !== 'sold' && written.some((difference) => isRelated(difference.field, field)),
  );
  if (theirs.length === 0) return { inventory: decided.inventory, warnings: [] };
  const reason = `Someone else has edited ${theirs.map(({ field }) => field).join(', ')} there since a change of it was kept here; theirs stays, and what was kept is not written.`;
  const fields = theirs.map(({ field }) => field);
  return { inventory: fresh, warnings: [{ code: 'pending_dropped', fields, reason }] };
}

/** The inventory with this quantity in every combination that is offered. */
function withStock(inventory: Inventory, quantity: number): Inventory {
  const products = inventory.products.map((product) =>
    product.is_enabled ? { ...product, quantity } : product,
  );
  return { ...inventory, products };
}

function refuse(error: string): Decision {
  return { kind: 'refused', error, fields: ['state'] };
}

/** The parts that have to be read before. */
export function listStateParts({ stock, state, pending }: StateAction): (keyof ListingSnapshot)[] {
  if (state === 'inactive') return ['listing', 'translations'];
  return stock === undefined && !pending ? ['listing'] : ['listing', 'inventory', 'variation_images'];
}
