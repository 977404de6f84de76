import type { Fact } from '../../../../schemas/issue.js';
import type { ListingSnapshot, KeptSnapshot, SnapshotPart } from '../../ports/listing/snapshot.js';
import { compareSnapshots } from '../snapshot/compare.js';
import type { FieldDifference, FieldRef } from '../../../../schemas/field_ref.js';
import { isRelated, toLabel } from '../snapshot/field_refs.js';
import type { Changing } from './context.js';
import { StepError } from './failures.js';
import { findTurned } from './photo_order.js';
import { listKnownIds } from './media_ids.js';
import { buildInventory, projectWanted } from './wanted.js';
import { readParts } from './read.js';

/** A field that the update writes was edited manually. */
export class DriftError extends StepError {
  /** `before`: the values this service had. */
  readonly drift: FieldDifference[];
  /** Whether a job that a backup restored in the middle found it. */
  readonly after_restore: boolean;

  constructor(fact: Fact, drift: FieldDifference[], isAfterRestore = false) {
    super(fact, null);
    this.drift = drift;
    this.after_restore = isAfterRestore;
  }
}

/**
 * Checks each read during the update, before the next write. A value that is neither the one before nor the target
 * was edited manually. Values that a write removes temporarily, and photos that were only partly sent, do not
 * count. Unknown photos, and photos in another order, do.
 * @throws DriftError unless the update may overwrite drift, or writes only the state
 */
export function expectNoDrift(changing: Changing, present: Partial<ListingSnapshot> = changing.fresh): void {
  const { action } = changing.update;
  if (action.kind === 'state' || action.on_drift === 'overwrite') return;
  const drift = [...listEdits(changing, present), ...listForeignImages(changing, present)];
  if (drift.length === 0) return;
  const fields = drift.map(({ ref }) => toLabel(ref));
  const params = { fields, when: 'during' as const, can_skip: action.kind === 'restore' };
  throw new DriftError({ code: 'edited_elsewhere', params }, drift);
}

function listEdits(changing: Changing, present: Partial<ListingSnapshot>): FieldDifference[] {
  const { progress, update } = changing;
  const inventory = buildInventory(changing);
  const wanted = { ...projectWanted(progress), ...(inventory && { inventory }) };
  const since = compareSnapshots(progress.before ?? {}, present, update.names).filter(isEdit);
  return compareSnapshots(wanted, present, update.names)
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
function listForeignImages(changing: Changing, { images = [] }: Partial<ListingSnapshot>): FieldDifference[] {
  if (!changing.target.images) return [];
  const known = listKnownIds(changing, 'images');
  const own = images.filter(({ listing_image_id }) => known.has(listing_image_id));
  if (own.length < images.length) return compareSnapshots({ images: own }, { images });
  const turned = findTurned(changing, images);
  return turned ? compareSnapshots({ images: turned.ours }, { images: turned.theirs }) : [];
}

/**
 * A job that a backup restored in the middle may have finished after the backup and been undone since. Its writes
 * are not known here, so it resumes only if the listing is as the job last saw it, or already as the job wants it.
 * Otherwise nothing is written.
 * @throws DriftError
 */
export async function expectAsBackedUp(changing: Changing): Promise<void> {
  const { progress, update } = changing;
  const { before } = progress;
  if (!before) return;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
  await readParts(changing, Object.keys(before) as SnapshotPart[]);
  const open = compareSnapshots(changing.fresh, projectWanted(progress), update.names);
  if (open.length > 0 && isChangedSince(before, changing)) throw toRestoredDrift(open);
}

/** The same check for a job that had not yet decided what to write. @param diff the fields it would write now */
export function expectAsKnown(changing: Changing, diff: readonly FieldDifference[]): void {
  if (isChangedSince(changing.baseline, changing)) throw toRestoredDrift(diff);
}

/** Whether anyone changed the listing since it was read: the marketplace timestamps each change. */
function isChangedSince(known: KeptSnapshot | undefined, { fresh }: Changing): boolean {
  if (!known?.listing || !fresh.listing) return true;
  return fresh.listing.updated_at_epoch_s > known.listing.updated_at_epoch_s;
}

function toRestoredDrift(diff: readonly FieldDifference[]): DriftError {
  const drift = diff.map((one) => ({ ...one, before: one.after, after: one.before }));
  const fields = drift.map(({ ref }) => toLabel(ref));
  const params = { fields, when: 'after_restore' as const, can_skip: false };
  return new DriftError({ code: 'edited_elsewhere', params }, drift, true);
}
