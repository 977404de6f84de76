import type { SnapshotPart } from '../../snapshot/snapshot.js';
import { decideShop, listParts } from './decide.js';
import { decideRestore, listRestoreParts } from './decide_restore.js';
import { decideState, listStateParts } from './decide_state.js';
import type { Decision, ShopAction, ShopFacts } from '../plan.js';

/** What has to be read of a listing before it is decided what is to be written. */
export function listActionParts(action: ShopAction): SnapshotPart[] {
  if (action.kind === 'change') return listParts({ action });
  return action.kind === 'restore' ? listRestoreParts(action) : listStateParts(action);
}

/** What one shop's listing is to become. @param now the marketplace's, as far as it is known */
export function decideAction(facts: ShopFacts, now: Date): Decision {
  const { action } = facts.update;
  if (action.kind === 'change') return decideShop(facts);
  return action.kind === 'restore' ? decideRestore(action, facts, now) : decideState(action, facts, now);
}
