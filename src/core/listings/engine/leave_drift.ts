import { compareSnapshots } from '../snapshot/compare.js';
import { listShownIds } from '../snapshot/shown_ids.js';
import { isRelated } from '../snapshot/field_refs.js';
import { withFields } from '../decide/with_fields.js';
import type { Context } from './context.js';
import { findTurned, putInOrder } from './photo_order.js';
import { listKnownIds } from './media_ids.js';

/**
 * Removes manually edited fields from the result of an update that met drift after it may have written some fields.
 * The update then neither reports nor undoes them, and they count as not seen yet, so that the next update refuses
 * to overwrite them too. Call this after the last write, and commit it with the end of the update: a later run
 * would mistake the edits for the state before.
 */
export function leaveDrift(cx: Context): void {
  const { change, plan } = cx;
  const { before, after, failure } = change;
  if (!failure?.drift || !before || !after) return;
  const refs = failure.drift.map(({ ref }) => ref);
  const known = listKnownIds(cx, 'images');
  const foreign = (after.images ?? []).filter(({ listing_image_id }) => !known.has(listing_image_id));
  const own = after.images?.filter((image) => !foreign.includes(image));
  const isTurned = findTurned(cx, after.images ?? []) !== undefined;
  const all = before.images && [...before.images, ...foreign];
  change.seen = {
    ...withFields(change.seen ?? after, before, refs, plan.names),
    ...(own && { images: isTurned ? putInOrder(own, listShownIds(before, 'images') ?? []) : own }),
  };
  change.before = {
    ...withFields(before, after, refs, plan.names),
    ...(all && { images: isTurned ? putInOrder(all, listShownIds(after, 'images') ?? []) : all }),
  };
  change.diff = compareSnapshots(change.before, after, plan.names);
}

/**
 * Keeps manual edits out of the baseline of a failed update: edits it should have overwritten and did not, which
 * are then not reported as overwritten, and edits in other fields, which only a successful update accepts. Call
 * this after the last write, and commit it with the end.
 */
export function leaveUnwritten({ change, plan, baseline }: Context): void {
  const { before, after, failure } = change;
  if (!failure || !before || !after || !baseline) return;
  const written = compareSnapshots(before, after, plan.names);
  const open = change.overwriting.filter((edit) => !written.some(({ ref }) => isRelated(ref, edit.ref)));
  const others = change.taken_over.filter(({ kind }) => kind !== 'sold');
  if (open.length + others.length === 0) return;
  change.overwriting = change.overwriting.filter((edit) => !open.includes(edit));
  const refs = [...open, ...others].map(({ ref }) => ref);
  change.seen = withFields(change.seen ?? after, baseline, refs, plan.names);
}
