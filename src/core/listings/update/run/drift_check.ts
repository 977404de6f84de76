import { compareSnapshots, type FieldDifference } from '../../snapshot/compare.js';
import type { ListingSnapshot } from '../../snapshot/snapshot.js';
import { StepError } from '../../publish/steps/step.js';
import { describeChoice } from '../answers.js';
import { isRelated } from '../decide/related.js';
import type { Drift } from '../plan.js';
import { getTarget, type Changing } from './changing.js';
import { findTurned } from './photo_order.js';
import { listKnownIds } from './steps/media_ids.js';
import { buildInventory, projectWanted } from './wanted.js';

/** A field that the change writes was edited by hand. */
export class DriftError extends StepError {
  readonly drift: Drift[];
  /** Whether it was found by a job that a backup restored in the middle. */
  readonly after_restore: boolean;

  constructor(message: string, drift: Drift[], after_restore = false) {
    super(message, null);
    this.drift = drift;
    this.after_restore = after_restore;
  }
}

/**
 * Called for each read while the change is under way, before the next write: a value that is neither the one before nor the target was
 * edited by hand. Values that a write removes for a while, and photos that are partly there, do not count; unknown photos do, and those
 * that are in another order.
 * @throws DriftError unless drift is to be overwritten, or nothing but the state is written
 */
export function expectNoDrift(changing: Changing, present: Partial<ListingSnapshot> = changing.fresh): void {
  const { action } = changing.update;
  if (action.kind === 'state' || action.on_drift === 'overwrite') return;
  const drift = [...listMeddling(changing, present), ...listForeignImages(changing, present)].map(
    ({ field, before, after }) => ({ field, ours: before, theirs: after }),
  );
  if (drift.length === 0) return;
  const fields = drift.map(({ field }) => field).join(', ');
  throw new DriftError(
    `Somebody else has changed this there while it was being changed: ${fields}. What was written until then is in diff; details.drift has both values. Show them to the seller, then call again; after a yes, ${describeChoice(action.kind)}`,
    drift,
  );
}

function listMeddling(changing: Changing, present: Partial<ListingSnapshot>): FieldDifference[] {
  const { progress, update } = changing;
  const inventory = buildInventory(changing);
  const wanted = { ...projectWanted(changing), ...(inventory && { inventory }) };
  const since = compareSnapshots(progress.before ?? {}, present, update.names).filter(isMeddling);
  return compareSnapshots(wanted, present, update.names)
    .filter(({ field }) => !UNSETTLED.test(field))
    .filter(({ field }) => since.some((difference) => isRelated(difference.field, field)));
}

const UNSETTLED = /^(images|videos|digital_files|variations\.variation_images|translations|state)/;

/** Stock goes down by sales, and up by hand alone. */
function isMeddling({ kind }: FieldDifference): boolean {
  return kind !== 'sold';
}

/** Photos that were neither there before nor sent, which writing the set of photos would remove; or those of before, turned. */
function listForeignImages(changing: Changing, { images = [] }: Partial<ListingSnapshot>): FieldDifference[] {
  if (!getTarget(changing).images) return [];
  const known = listKnownIds(changing, 'images');
  const own = images.filter(({ listing_image_id }) => known.has(listing_image_id));
  if (own.length < images.length) return compareSnapshots({ images: own }, { images });
  const turned = findTurned(changing, images);
  return turned ? compareSnapshots({ images: turned.ours }, { images: turned.theirs }) : [];
}
