import type { Warning } from '../../../../../schemas/job.js';
import { UPDATED, toPath } from '../../listing_fields.js';
import { compareSnapshots, type FieldDifference } from '../../snapshot/compare.js';
import { hasValue, isKnown } from '../../snapshot/difference.js';
import type { KeptSnapshot, ListingSnapshot, SnapshotPart } from '../../snapshot/snapshot.js';
import { listLosses } from './losses.js';
import type { Decision, ShopChanges, ShopFacts, ShopUpdate, Target } from '../plan.js';
import { projectTarget } from './project.js';
import { buildTarget } from './build_target.js';
import { isRelated } from './related.js';
import { withRestored } from './with_restored.js';

export { buildCopy } from './build_copy.js';

type Fresh = Partial<ListingSnapshot>;

/**
 * The parts of a listing that have to be read before an update of it can be decided. Photos of variations are among them wherever
 * they may be lost; the parts that are read first tell whether the listing can have any.
 */
export function listParts({ action }: Pick<ShopUpdate, 'action'>): SnapshotPart[] {
  if (action.kind !== 'change') throw new Error(`what a ${action.kind} reads is not decided here`);
  const { changes, pending } = action;
  const { fields, images, videos, files, inventory, variation_images, attributes, personalization } = changes;
  const isOffSale = inventory !== undefined && mayEmpty(inventory);
  const isInventory =
    [inventory, pending, images].some((part) => part !== undefined) || variation_images !== undefined;
  const parts: (SnapshotPart | false)[] = [
    'listing',
    images !== undefined && 'images',
    variation_images !== undefined && 'images',
    videos !== undefined && 'videos',
    files !== undefined && 'files',
    isInventory && 'inventory',
    isInventory && 'variation_images',
    attributes !== undefined && 'attributes',
    personalization !== undefined && 'questions',
    (isOffSale || hasWords(fields)) && 'translations',
  ];
  return [...new Set(parts.filter((part) => part !== false))];
}

/** Whether the change may leave nothing to sell. */
function mayEmpty(change: NonNullable<ShopChanges['inventory']>): boolean {
  return change.kind === 'offerings'
    ? change.offerings.some(({ set }) => set.quantity === 0 || set.is_enabled === false)
    : change.inventory.products.some(({ quantity, is_enabled }) => quantity === 0 || !is_enabled);
}

/** Whether the change is in fields that translations have too. */
function hasWords(fields: ShopChanges['fields']): boolean {
  return fields?.title !== undefined || fields?.description !== undefined || fields?.tags !== undefined;
}

/** Decides the target of one shop's listing, from the change and the listing as it is now. Pure. */
export function decideShop({ update, baseline = {}, fresh }: ShopFacts): Decision {
  const { action, names } = update;
  if (action.kind !== 'change') throw new Error(`a ${action.kind} is not decided here`);
  if (fresh.listing?.state === 'removed') {
    return { kind: 'refused', error: 'the listing was removed there', fields: [] };
  }
  const built = buildTarget(action.changes, fresh, baseline.sources, action.pending, names);
  if ('refused' in built) return { kind: 'refused', ...built.refused };
  const { target, warnings } = withRestored(built, fresh);
  const pending = built.pending === undefined ? {} : { pending: built.pending };
  const touched = built.pending?.fields ?? [];
  const projected = projectTarget(fresh, target);
  const diff = [...compareSnapshots(fresh, projected, names), ...listUnknown(fresh, target)];
  const edited = compareSnapshots(baseline, fresh, names);
  const isTouched = ({ field }: FieldDifference) =>
    [...diff, ...touched].some((change) => isRelated(change.field, field));
  const drift = edited.filter((difference) => difference.kind !== 'sold' && isTouched(difference));
  const taken_over = edited.filter((difference) => !isTouched(difference));
  if (drift.length > 0 && action.on_drift === 'refuse') {
    return {
      kind: 'drift',
      drift: drift.map(({ field, before, after }) => ({ field, ours: before, theirs: after })),
      taken_over,
    };
  }
  const commonWarnings = [...warnings, ...listSold(edited, isTouched)];
  if (diff.length === 0) return { kind: 'unchanged', warnings: commonWarnings, taken_over, ...pending };
  return {
    kind: 'go',
    ...pending,
    target: withoutSame(target, fresh),
    diff,
    warnings: [
      ...commonWarnings,
      ...listOverwritten(drift),
      ...listUnseen(diff, baseline),
      ...listLosses(fresh, target),
    ],
    taken_over,
  };
}

/** Fields that are written although it is unknown what they are: they count as changed. */
function listUnknown({ listing }: Fresh, { fields = {} }: Target): FieldDifference[] {
  return UPDATED.filter((field) => listing && !isKnown(listing[field]) && isKnown(fields[field])).map(
    (field) => ({ field: toPath(field), before: null, after: fields[field] }),
  );
}

function listSold(
  seen: readonly FieldDifference[],
  isTouched: (difference: FieldDifference) => boolean,
): Warning[] {
  return seen
    .filter(({ kind }) => kind === 'sold')
    .map((difference) => {
      const { field, before, after } = difference;
      const then = isTouched(difference) ? 'it is set as asked for' : 'that stays';
      return {
        code: 'sold_meanwhile',
        level: 'note' as const,
        fields: [field],
        reason: `It was ${String(before)} when last seen here and is ${String(after)} there now, as sales make it; ${then}.`,
      };
    });
}

export function listOverwritten(drift: readonly FieldDifference[]): Warning[] {
  return drift.map(({ field, before, after }) => ({
    code: 'overwritten',
    fields: [field],
    reason: `It was changed there by other hands, from ${JSON.stringify(before)} to ${JSON.stringify(after)}, and is written over.`,
  }));
}

/** Warns about a listing whose last known state was never saved: it was written by a release that did not keep it. */
function listUnseen(diff: readonly FieldDifference[], { sources: _, ...baseline }: KeptSnapshot): Warning[] {
  if (Object.keys(baseline).length > 0) return [];
  const reason =
    'The listing as it was last written is not known here, so changes by other hands could not be told.';
  return [{ code: 'not_checked', level: 'note', fields: diff.map(({ field }) => field), reason }];
}

/** The target without the parts that the listing already has as wanted, so that nothing is written for them. */
function withoutSame(target: Target, fresh: Fresh): Target {
  const { fields, ...parts } = target;
  const own = Object.entries(fields ?? {}).filter(
    ([field, value]) => !hasValue(fresh.listing?.[field as keyof typeof fresh.listing], value),
  );
  const remaining: Target = own.length > 0 ? { fields: Object.fromEntries(own) } : {};
  for (const part of Object.keys(parts) as (keyof typeof parts)[]) {
    const isRestored = part === 'translations' || part === 'variation_images';
    if (isRestored || compareSnapshots(fresh, projectTarget(fresh, { [part]: parts[part] })).length > 0) {
      Object.assign(remaining, { [part]: parts[part] });
    }
  }
  const isWritten = remaining.images !== undefined || remaining.inventory !== undefined;
  const variationImageDiff = compareSnapshots(
    fresh,
    projectTarget(fresh, { variation_images: target.variation_images ?? [] }),
  );
  if (!isWritten && variationImageDiff.length === 0) delete remaining.variation_images;
  return remaining;
}
