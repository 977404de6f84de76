import { compareSnapshots, type FieldDifference } from '../../snapshot/compare.js';
import type { ListingSnapshot } from '../../snapshot/snapshot.js';
import { StepError } from '../../publish/steps/step.js';
import { isRelated } from '../decide/decide.js';
import type { Drift } from '../plan.js';
import { getTarget, type Changing } from './changing.js';
import { listKnownIds } from './steps/media_ids.js';
import { buildInventory, projectWanted } from './wanted.js';

/** Other hands have changed what was to be changed. */
export class DriftError extends StepError {
  readonly drift: Drift[];

  constructor(message: string, drift: Drift[]) {
    super(message, null);
    this.drift = drift;
  }
}

/**
 * To be asked of what was read while the change was under way, before it is written over: what is neither as it was nor as it is to be
 * was changed by other hands. What a write takes away for a while, and photos that are partly there, are none of that; photos that are
 * not accounted for are.
 * @throws DriftError unless drift is to be written over
 */
export function expectOwnHands(changing: Changing, present: Partial<ListingSnapshot> = changing.fresh): void {
  const { action } = changing.update;
  if (!('on_drift' in action) || action.on_drift === 'overwrite') return;
  const drift = [...listMeddling(changing, present), ...listForeignImages(changing, present)].map(
    ({ field, before, after }) => ({ field, ours: before, theirs: after }),
  );
  if (drift.length === 0) return;
  const fields = drift.map(({ field }) => field).join(', ');
  const after_yes = action.kind === 'change' ? '; after a yes, on_drift overwrite replaces theirs' : '';
  throw new DriftError(
    `Somebody else has changed this there while it was being changed: ${fields}. What was written until then is in diff; details.drift has both values. Show them to the seller, then call again${after_yes}`,
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

/** Stock goes down by sales, and up by other hands alone. */
function isMeddling({ kind }: FieldDifference): boolean {
  return kind !== 'sold';
}

/** Photos that neither were there before nor were sent; where photos are set, they would go. */
function listForeignImages(changing: Changing, { images = [] }: Partial<ListingSnapshot>): FieldDifference[] {
  if (!getTarget(changing).images) return [];
  const known = listKnownIds(changing, 'images');
  const own = images.filter(({ listing_image_id }) => known.has(listing_image_id));
  return own.length === images.length ? [] : compareSnapshots({ images: own }, { images });
}
