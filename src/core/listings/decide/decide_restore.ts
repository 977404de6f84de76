import type { Warning } from '../../../../schemas/job.js';
import type { SnapshotPart, ListingSnapshot } from '../../ports/listing/snapshot.js';
import { compareSnapshots } from '../snapshot/compare.js';
import { isRelated, isSameRef, toLabel } from '../snapshot/field_refs.js';
import { indexProducts, toProductKey } from '../snapshot/compare_inventory.js';
import { buildNotUndone } from './restore_parts.js';
import { toOverwriting } from './decide.js';
import { projectTarget } from './project.js';
import { keepForStock } from './keep_for_stock.js';
import { buildRestored, pickPart, type RestoreAction } from './build_restored.js';
import { withFields } from './with_fields.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { IdNames } from '../../ports/listing/difference.js';
import type { Decision, ShopFacts } from './decision.js';

type Snapshot = Partial<ListingSnapshot>;

/** The parts the job changed, and those their writes may remove as a side effect. */
export function listRestoreParts({ before, after }: RestoreAction): SnapshotPart[] {
  const changed = (Object.keys(before) as SnapshotPart[]).filter(
    (part) =>
      after[part] === undefined || compareSnapshots(pickPart(before, part), pickPart(after, part)).length > 0,
  );
  const parts = new Set<SnapshotPart>(['listing', ...changed]);
  const isMoved = parts.has('images') || parts.has('inventory') || parts.has('variation_images');
  if (isMoved) for (const part of ['images', 'inventory', 'variation_images'] as const) parts.add(part);
  const isReworded = before.listing?.title !== after.listing?.title;
  if (isReworded || before.listing?.state !== after.listing?.state) parts.add('translations');
  return [...parts];
}

/**
 * Decides the undo of a job in one shop: restores the fields the job changed, and leaves all others unchanged.
 * `on_drift` decides what happens to fields that someone else has edited since.
 */
export function decideRestore(
  { after: left, ...rest }: RestoreAction,
  { update, baseline = {}, fresh }: ShopFacts,
  now: Date,
): Decision {
  const action = { ...rest, after: { ...pickMissing(rest.before, left, fresh), ...left } };
  const { before, after, on_drift = 'refuse' } = action;
  const { names } = update;
  if (fresh.listing?.state === 'removed') {
    return { kind: 'refused', problem: { code: 'listing_removed', params: {} }, fields: [] };
  }
  const changed = compareSnapshots(before, after, names);
  const isChanged = ({ ref }: FieldDifference) => changed.some((change) => isRelated(change.ref, ref));
  // A part that already has its former value needs no undo.
  const open = compareSnapshots(before, fresh, names);
  const isOpen = ({ ref }: FieldDifference) => open.some((difference) => isRelated(difference.ref, ref));
  const moved = compareSnapshots(after, fresh, names).filter(
    (difference) =>
      // If the listing cannot be put on sale without a fee, buildRestored warns about it.
      difference.ref.part !== 'state' &&
      difference.kind !== 'sold' &&
      // Positions of questions mean nothing once one was added or removed, so buildRestored compares them one by
      // one.
      difference.ref.part !== 'questions' &&
      isChanged(difference) &&
      isOpen(difference),
  );
  const built = buildRestored(action, fresh, names, now);
  const all = listDistinct([...moved, ...built.drift]);
  const isSkipped = ({ ref }: FieldDifference) =>
    on_drift === 'skip' && all.some((one) => isRelated(one.ref, ref));
  const taken_over = compareSnapshots(baseline, fresh, names).filter(
    (difference) => !isChanged(difference) || isSkipped(difference),
  );
  if (all.length > 0 && on_drift === 'refuse') return { kind: 'drift', drift: all, taken_over };
  const isSkipping = all.length > 0 && on_drift === 'skip';
  const skipping = isSkipping
    ? buildRestored(leaveFields(action, fresh, all, names), fresh, names, now)
    : built;
  const { target, ...kept } = keepForStock(skipping.target, fresh, action.pending, names);
  const warnings = [
    ...skipping.warnings,
    ...kept.warnings,
    ...(on_drift === 'skip' ? all.map(buildSkipped) : []),
  ];
  const overwriting = on_drift === 'skip' ? [] : all.map(toOverwriting);
  const pending = kept.pending === undefined ? {} : { pending: kept.pending };
  const diff = compareSnapshots(fresh, projectTarget(fresh, target), names);
  if (diff.length === 0) return { kind: 'unchanged', warnings, taken_over, ...pending };
  return { kind: 'go', target, diff, warnings, overwriting, taken_over, ...pending };
}

/** If it is unknown how the job left a part, its current state counts. */
function pickMissing(before: Snapshot, after: Snapshot, fresh: Snapshot): Snapshot {
  const missing = (Object.keys(before) as SnapshotPart[]).filter((part) => after[part] === undefined);
  return Object.fromEntries(missing.map((part) => [part, fresh[part]]));
}

/** The same undo without these fields: their current values count as those before and after the job. */
function leaveFields(
  action: RestoreAction,
  fresh: Snapshot,
  differences: readonly FieldDifference[],
  names: IdNames,
): RestoreAction {
  const refs = differences.map(({ ref }) => ref);
  const [was, became, is] = [action.before, action.after, fresh].map(({ inventory }) =>
    indexProducts(inventory),
  );
  const isRecombined = [...(was?.keys() ?? [])].join() !== [...(became?.keys() ?? [])].join();
  const leave = (own: Snapshot): Snapshot => {
    const products = own.inventory?.products.map((product) => is?.get(toProductKey(product)) ?? product);
    const theirs =
      fresh.inventory && products && !isRecombined
        ? { ...fresh, inventory: { ...fresh.inventory, products } }
        : fresh;
    return withFields(own, theirs, refs, names);
  };
  return { ...action, before: leave(action.before), after: leave(action.after) };
}

/** The first difference of each field. */
function listDistinct(differences: readonly FieldDifference[]): FieldDifference[] {
  return differences.filter(
    ({ ref }, index) => !differences.slice(0, index).some((earlier) => isSameRef(earlier.ref, ref)),
  );
}

function buildSkipped({ ref, before, after }: FieldDifference): Warning {
  return buildNotUndone(toLabel(ref), { code: 'undo_edited', params: { before, after } });
}
