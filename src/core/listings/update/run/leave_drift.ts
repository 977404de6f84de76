import type { Warning } from '../../../../../schemas/job.js';
import { compareSnapshots } from '../../snapshot/compare.js';
import { listShownIds } from '../../snapshot/shown_ids.js';
import { isRelated } from '../decide/related.js';
import { withFields } from '../decide/with_fields.js';
import type { UpdateProgress } from '../plan.js';
import type { Changing } from './changing.js';
import { findTurned, putInOrder } from './photo_order.js';
import { listKnownIds } from './steps/media_ids.js';

/** What a change says of edits by hand that it is to write over. */
export function listOverwriting({ warnings }: Pick<UpdateProgress, 'warnings'>): Warning[] {
  return warnings.filter(({ code }) => code === 'overwritten');
}

/**
 * Removes fields that were edited by hand from the result of a change that met drift after some of it may have been written. They
 * are then neither reported as changed by it nor undone, and count as not seen yet, so that the next change refuses to overwrite
 * them too. Call it after the last write, and commit it with the end of the change: a later run would take the edits for the state
 * before.
 */
export function leaveDrift(changing: Changing): void {
  const { progress, update } = changing;
  const { before, after, failure } = progress;
  if (!failure?.drift || !before || !after) return;
  const fields = new Set(failure.drift.map(({ field }) => field));
  const known = listKnownIds(changing, 'images');
  const foreign = (after.images ?? []).filter(({ listing_image_id }) => !known.has(listing_image_id));
  const own = after.images?.filter((image) => !foreign.includes(image));
  const is_turned = findTurned(changing, after.images ?? []) !== undefined;
  const all = before.images && [...before.images, ...foreign];
  progress.seen = {
    ...withFields(progress.seen ?? after, before, fields, update.names),
    ...(own && { images: is_turned ? putInOrder(own, listShownIds(before, 'images') ?? []) : own }),
  };
  progress.before = {
    ...withFields(before, after, fields, update.names),
    ...(all && { images: is_turned ? putInOrder(all, listShownIds(after, 'images') ?? []) : all }),
  };
  progress.diff = compareSnapshots(progress.before, after, update.names);
}

/**
 * Keeps manual edits out of the baseline of a change that failed: those that it was to overwrite and did not, which are then not
 * reported as overwritten, and those in other fields, which only a change that succeeds adopts. Call it after the last write, and
 * commit it with the end.
 */
export function leaveUnwritten({ progress, update, baseline }: Changing): void {
  const { before, after, failure } = progress;
  if (!failure || !before || !after || !baseline) return;
  const written = compareSnapshots(before, after, update.names);
  const open = listOverwriting(progress).filter(
    ({ fields }) => !written.some(({ field }) => fields.some((other) => isRelated(field, other))),
  );
  const beside = progress.taken_over.filter(({ kind }) => kind !== 'sold');
  if (open.length + beside.length === 0) return;
  progress.warnings = progress.warnings.filter((warning) => !open.includes(warning));
  const fields = new Set([...open.flatMap((warning) => warning.fields), ...beside.map(({ field }) => field)]);
  progress.seen = withFields(progress.seen ?? after, baseline, fields, update.names);
}
