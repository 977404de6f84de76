import type { ChangeAction, ShopPlan } from '../../ports/listing/plan.js';
import type { SnapshotPart } from '../../ports/listing/snapshot.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import { decideShop, listParts } from './decide.js';
import { decideRestore, listRestoreParts } from './decide_restore.js';
import { decideState, listStateParts } from './decide_state.js';
import type { Decision, ShopFacts } from './decision.js';
import { isSameValue } from '../snapshot/difference.js';
import { isSameRef, isStock } from '../snapshot/field_refs.js';

/** The parts of a listing to read before deciding the writes. */
export function listActionParts(action: ChangeAction): SnapshotPart[] {
  if (action.kind === 'change') return listParts({ action });
  return action.kind === 'restore' ? listRestoreParts(action) : listStateParts(action);
}

/**
 * Decides the target of one shop's listing. If the only obstacle is manual edits that are all accepted, overwrites
 * them.
 * @param now the marketplace's time, as far as known
 */
export function decideAction(
  facts: ShopFacts,
  now: Date,
  isAccepted: (edit: FieldDifference) => boolean = () => false,
): Decision {
  const decision = decide(facts, now);
  const { update } = facts;
  if (decision.kind !== 'drift' || !decision.drift.every(isAccepted)) return expectAsShown(update, decision);
  const overwriting = { ...update, action: withOverwriting(update.action) };
  return expectAsShown(update, decide({ ...facts, update: overwriting }, now));
}

/**
 * A change of a batch writes a field only while it has the value the plan showed. Pieces may have been sold since.
 */
function expectAsShown({ shown, holds_stock = false }: ShopPlan<ChangeAction>, decision: Decision): Decision {
  if (!shown || decision.kind !== 'go') return decision;
  const drift = decision.diff.flatMap((change): FieldDifference[] => {
    const planned = shown.find(({ ref }) => isSameRef(ref, change.ref));
    const isAsPlanned =
      planned && (isSameValue(planned.before, change.before) || (!holds_stock && isSold(planned, change)));
    return isAsPlanned ? [] : [{ ...change, before: planned?.before ?? null, after: change.before }];
  });
  return drift.length === 0 ? decision : { kind: 'drift', drift, taken_over: decision.taken_over };
}

function isSold({ ref, before: was }: FieldDifference, { before: is }: FieldDifference): boolean {
  return isStock(ref) && typeof was === 'number' && typeof is === 'number' && is < was;
}

function withOverwriting(action: ChangeAction): ChangeAction {
  return action.kind === 'state' ? action : { ...action, on_drift: 'overwrite' };
}

function decide(facts: ShopFacts, now: Date): Decision {
  const { action } = facts.update;
  if (action.kind === 'change') return decideShop(facts);
  return action.kind === 'restore' ? decideRestore(action, facts, now) : decideState(action, facts, now);
}
