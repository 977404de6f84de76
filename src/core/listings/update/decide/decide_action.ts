import type { SnapshotPart } from '../../snapshot/snapshot.js';
import { decideShop, listParts } from './decide.js';
import { decideRestore, listRestoreParts } from './decide_restore.js';
import { decideState, listStateParts } from './decide_state.js';
import type { Decision, Drift, ShopAction, ShopFacts } from '../plan.js';

/** The parts of a listing that have to be read before the writes can be decided. */
export function listActionParts(action: ShopAction): SnapshotPart[] {
  if (action.kind === 'change') return listParts({ action });
  return action.kind === 'restore' ? listRestoreParts(action) : listStateParts(action);
}

/**
 * Decides the target of one shop's listing. If its only obstacle are manual edits that are all accepted, it decides to overwrite them.
 * @param now the marketplace's time, as far as it is known
 */
export function decideAction(
  facts: ShopFacts,
  now: Date,
  isAccepted: (edit: Drift) => boolean = () => false,
): Decision {
  const decision = decide(facts, now);
  const { update } = facts;
  if (decision.kind !== 'drift' || !decision.drift.every(isAccepted)) return decision;
  return decide({ ...facts, update: { ...update, action: toOverwriting(update.action) } }, now);
}

function toOverwriting(action: ShopAction): ShopAction {
  return action.kind === 'state' ? action : { ...action, on_drift: 'overwrite' };
}

function decide(facts: ShopFacts, now: Date): Decision {
  const { action } = facts.update;
  if (action.kind === 'change') return decideShop(facts);
  return action.kind === 'restore' ? decideRestore(action, facts, now) : decideState(action, facts, now);
}
