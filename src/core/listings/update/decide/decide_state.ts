import type { Inventory } from '../../../ports/index.js';
import { compareSnapshots, type FieldDifference } from '../../snapshot/compare.js';
import type { ListingSnapshot } from '../../snapshot/snapshot.js';
import { costsFee } from '../../observed/fee.js';
import { toSighting } from '../../observed/sighting.js';
import type { Decision, ShopAction, ShopFacts, Target } from '../plan.js';
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
  if (stock === undefined) return go({ state });
  if (!fresh.inventory) throw new Error('the inventory is read before it is decided');
  return go({ state, inventory: withStock(fresh.inventory, stock) });

  function go(target: Target): Decision {
    const diff = compareSnapshots(fresh, projectTarget(fresh, target), update.names);
    const isWritten = ({ field }: FieldDifference) => diff.some((change) => change.field === field);
    const left = taken_over.filter((difference) => !isWritten(difference));
    return { kind: 'go', target, diff, warnings: [], taken_over: left };
  }
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
export function listStateParts({ stock, state }: StateAction): (keyof ListingSnapshot)[] {
  if (state === 'inactive') return ['listing', 'translations'];
  return stock === undefined ? ['listing'] : ['listing', 'inventory', 'variation_images'];
}
