import type { Refusal } from '../../../../schemas/issues/update_warnings.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { Warning } from '../../../../schemas/job.js';
import type { Inventory, InventoryProduct } from '../../ports/index.js';
import type { Pending } from '../../ports/listing/changes.js';
import type { IdNames } from '../../ports/listing/difference.js';
import type { ChangeAction } from '../../ports/listing/plan.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { Target } from '../../ports/listing/target.js';
import { compareSnapshots } from '../snapshot/compare.js';
import { isRelated, isSameRef, toLabel } from '../snapshot/field_refs.js';
import { toSighting, costsFee } from '../observed/sighting.js';
import { compareInventories } from '../snapshot/compare_inventory.js';
import { withAxes } from './decide_inventory.js';
import type { Decision, ShopFacts } from './decision.js';
import { decideChanges, hasStock, NOT_PENDING } from './pending.js';
import { projectTarget } from './project.js';

type StateAction = Extract<ChangeAction, { kind: 'state' }>;

/**
 * Decides putting a listing on or taking it off sale. Goes ahead only from the state that was read when the caller
 * asked and, if it costs a fee, consented.
 */
export function decideState(
  action: StateAction,
  { update, baseline = {}, fresh }: ShopFacts,
  now: Date,
): Decision {
  const { listing } = fresh;
  if (!listing) throw new Error('the state is read before it is decided');
  const { state, stock, seen_state } = action;
  const taken_over = compareSnapshots(baseline, fresh, update.names).filter(
    ({ ref }) => ref.part !== 'state',
  );
  if (listing.state === state) return { kind: 'unchanged', warnings: [], taken_over };
  if (listing.state === 'removed') return refuse({ code: 'listing_removed', params: {} });
  if (listing.state !== seen_state) {
    return refuse({ code: 'state_changed', params: { was: seen_state, is: listing.state } });
  }
  if (state === 'inactive') {
    if (listing.state === 'draft') return refuse({ code: 'draft_not_on_sale', params: {} });
    return go({ state, translations: fresh.translations ?? [] });
  }
  if (!action.is_paid && costsFee(toSighting(listing), now)) {
    return refuse({ code: 'fee_unasked', params: {} });
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
    const isWritten = ({ ref }: FieldDifference) => diff.some((change) => isSameRef(change.ref, ref));
    const left = taken_over.filter((difference) => !isWritten(difference));
    return {
      kind: 'go',
      target,
      diff,
      warnings,
      overwriting: [],
      taken_over: left,
      ...(pending === null && { pending }),
    };
  }
}

/** The inventory with the pending values. If someone else has edited the same values since, theirs stay. */
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
    ({ kind, ref }) => kind !== 'sold' && written.some((difference) => isRelated(difference.ref, ref)),
  );
  if (theirs.length === 0) return { inventory: decided.inventory, warnings: [] };
  const fields = theirs.map(({ ref }) => toLabel(ref));
  const reason = { code: 'kept_edited' as const, params: { fields } };
  return { inventory: fresh, warnings: [{ code: 'pending_dropped', fields, reason }] };
}

/**
 * The inventory with this quantity in every offered combination, and in hidden ones that share their stock. Other hidden
 * ones keep their quantity, so it may then vary between combinations.
 */
function withStock(inventory: Inventory, quantity: number): Inventory {
  const getShare = ({ property_values }: InventoryProduct) =>
    JSON.stringify(
      inventory.quantity_on_property.map(
        (id) => property_values.find(({ property_id }) => property_id === id)?.values,
      ),
    );
  const offered = new Set(inventory.products.filter(({ is_enabled }) => is_enabled).map(getShare));
  const products = inventory.products.map((product) =>
    offered.has(getShare(product)) ? { ...product, quantity } : product,
  );
  return withAxes(products, inventory);
}

function refuse(problem: Refusal): Decision {
  return { kind: 'refused', problem, fields: ['state'] };
}

/** The parts to read first. */
export function listStateParts({ stock, state, pending }: StateAction): (keyof ListingSnapshot)[] {
  if (state === 'inactive') return ['listing', 'translations'];
  return stock === undefined && !pending ? ['listing'] : ['listing', 'inventory', 'variation_images'];
}
