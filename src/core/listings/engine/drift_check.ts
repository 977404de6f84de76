import type { Fact } from '../../../../schemas/issue.js';
import type { StepFailure } from '../../ports/listing/progress.js';
import type { ListingSnapshot, KeptSnapshot, SnapshotPart } from '../../ports/listing/snapshot.js';
import { compareSnapshots } from '../snapshot/compare.js';
import type { FieldDifference, FieldRef } from '../../../../schemas/field_ref.js';
import { isRelated, toLabel } from '../snapshot/field_refs.js';
import { getChange, type Context } from './context.js';
import { StepError } from './failures.js';
import { findTurned } from './photo_order.js';
import { listKnownIds } from './media_ids.js';
import { buildInventory, projectWanted } from './wanted.js';
import { readParts } from './read.js';

/** A field that the update writes was edited manually. */
export class DriftError extends StepError {
  /** `drift`: the values this service had, before. `after_restore`: a job that a backup restored in the middle found it. */
  readonly details: Pick<StepFailure, 'drift' | 'after_restore'>;

  constructor(fact: Fact, drift: FieldDifference[], isAfterRestore = false) {
    super(fact, null);
    this.details = { drift, ...(isAfterRestore && { after_restore: true }) };
  }
}

/**
 * Checks each read during the update, before the next write. A value that is neither the one before nor the target
 * was edited manually. Values that a write removes temporarily, and photos that were only partly sent, do not
 * count. Unknown photos, and photos in another order, do.
 * @throws DriftError unless the update may overwrite drift, or writes only the state
 */
export function expectNoDrift(cx: Context, present: Partial<ListingSnapshot> = cx.fresh): void {
  const { action } = getChange(cx);
  if (action.kind === 'state' || action.on_drift === 'overwrite') return;
  const drift = [...listEdits(cx, present), ...listForeignImages(cx, present)];
  if (drift.length === 0) return;
  const fields = drift.map(({ ref }) => toLabel(ref));
  const params = { fields, when: 'during' as const, can_skip: action.kind === 'restore' };
  throw new DriftError({ code: 'edited_elsewhere', params }, drift);
}

function listEdits(cx: Context, present: Partial<ListingSnapshot>): FieldDifference[] {
  const { change, plan } = cx;
  const inventory = buildInventory(cx);
  const wanted = { ...projectWanted(change), ...(inventory && { inventory }) };
  const since = compareSnapshots(change.before ?? {}, present, plan.names).filter(isEdit);
  return compareSnapshots(wanted, present, plan.names)
    .filter(({ ref }) => !UNSETTLED.has(ref.part))
    .filter(({ ref }) => since.some((difference) => isRelated(difference.ref, ref)));
}

const UNSETTLED: ReadonlySet<FieldRef['part']> = new Set([
  'images',
  'videos',
  'files',
  'variation_images',
  'translations',
  'state',
]);

/** Sales lower stock; only manual edits raise it. */
function isEdit({ kind }: FieldDifference): boolean {
  return kind !== 'sold';
}

/**
 * Photos that are neither from before nor sent, which writing the set of photos would remove; or photos from before
 * in another order.
 */
function listForeignImages(cx: Context, { images = [] }: Partial<ListingSnapshot>): FieldDifference[] {
  if (!cx.target.images) return [];
  const known = listKnownIds(cx, 'images');
  const own = images.filter(({ listing_image_id }) => known.has(listing_image_id));
  if (own.length < images.length) return compareSnapshots({ images: own }, { images });
  const turned = findTurned(cx, images);
  return turned ? compareSnapshots({ images: turned.ours }, { images: turned.theirs }) : [];
}

/**
 * A job that a backup restored in the middle may have finished after the backup and been undone since. Its writes
 * are not known here, so it resumes only if the listing is as the job last saw it, or already as the job wants it.
 * Otherwise nothing is written.
 * @throws DriftError
 */
export async function expectAsBackedUp(cx: Context): Promise<void> {
  const { change, plan } = cx;
  const { before } = change;
  if (!before) return;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
  await readParts(cx, Object.keys(before) as SnapshotPart[]);
  const open = compareSnapshots(cx.fresh, projectWanted(change), plan.names);
  if (open.length > 0 && isChangedSince(before, cx)) throw toRestoredDrift(open);
}

/** The same check for a job that had not yet decided what to write. @param diff the fields it would write now */
export function expectAsKnown(cx: Context, diff: readonly FieldDifference[]): void {
  if (isChangedSince(cx.baseline, cx)) throw toRestoredDrift(diff);
}

/** Whether anyone changed the listing since it was read: the marketplace timestamps each change. */
function isChangedSince(known: KeptSnapshot | undefined, { fresh }: Context): boolean {
  if (!known?.listing || !fresh.listing) return true;
  return fresh.listing.updated_at_epoch_s > known.listing.updated_at_epoch_s;
}

function toRestoredDrift(diff: readonly FieldDifference[]): DriftError {
  const drift = diff.map((one) => ({ ...one, before: one.after, after: one.before }));
  const fields = drift.map(({ ref }) => toLabel(ref));
  const params = { fields, when: 'after_restore' as const, can_skip: false };
  return new DriftError({ code: 'edited_elsewhere', params }, drift, true);
}
