import { compareSnapshots } from '../snapshot/compare.js';
import { isSameRef, toLabel } from '../snapshot/field_refs.js';
import type { ListingSnapshot, SnapshotPart } from '../../ports/listing/snapshot.js';
import type { Context } from '../engine/context.js';
import { listUnseenIds } from '../engine/media_ids.js';
import { readParts, readUntilShown } from '../engine/read.js';
import { rebaseOnOtherEdits } from '../engine/rebase.js';
import type { Step } from '../engine/step.js';
import { projectWanted, withSold } from '../engine/wanted.js';
import { markStale } from '../engine/write.js';
import { removeDoubles } from './photos/step.js';

export const READ_BACK: Pick<Step, 'name' | 'work'> = { name: 'read_back', work: 'read_back' };

/**
 * Reads the parts that changed, and keeps them for an undo and as the next baseline. Reports what the marketplace shows
 * differently, and pieces sold since.
 */
export async function readBack(cx: Context): Promise<void> {
  const { change, plan } = cx;
  const { before } = change;
  if (!before) return;
  const parts = Object.keys(before) as SnapshotPart[];
  const wanted = projectWanted(change);
  try {
    await readUntilShown(cx, async () => {
      const open = parts.filter((part) => cx.stale.has(part));
      if (open.length > 0) await readParts(cx, open);
      if (!change.failure) await removeDoubles(cx);
      // Items sent before an update failed stay in the listing.
      const missing = change.failure ? listUnseenIds(cx) : listChanged();
      if (missing.length > 0) markStale(cx, parts);
      return missing.length === 0;
    });
  } catch (cause) {
    // Earlier writes were not read back: the next check starts from scratch.
    change.after = null;
    throw cause;
  }
  rebaseOnOtherEdits(cx);
  const seen = pick(cx.fresh, parts);
  change.after = withSold(cx, seen);
  change.seen = seen;
  change.diff = compareSnapshots(change.before ?? {}, change.after, plan.names);
  keepUrl(cx);
  cx.report('read back');
  for (const { ref, before: was, after: is } of listSold()) {
    const params = { was, is, since: 'set' as const, is_overwritten: false };
    const reason = { code: 'sold_meanwhile' as const, params };
    change.warnings.push({ code: 'sold_meanwhile', level: 'note', fields: [toLabel(ref)], reason });
  }
  const changed = change.failure ? [] : listChanged();
  if (changed.length > 0) {
    const fields = changed.map(({ ref }) => toLabel(ref));
    const reason = { code: 'shown_differently' as const, params: { fields } };
    change.warnings.push({ code: 'marketplace_changed', fields, reason });
  }
  await cx.save();

  /** Quantities that the update wrote and sales have lowered since. */
  function listSold() {
    const set = compareSnapshots(before ?? {}, wanted, plan.names);
    return change.failure
      ? []
      : compareSnapshots(wanted, pick(cx.fresh, parts), plan.names)
          .filter(({ kind }) => kind === 'sold')
          .filter(({ ref }) => set.some((change) => isSameRef(change.ref, ref)));
  }

  function listChanged() {
    return compareSnapshots(wanted, pick(cx.fresh, parts), plan.names).filter(({ kind }) => kind !== 'sold');
  }
}

function pick(snapshot: Partial<ListingSnapshot>, parts: readonly SnapshotPart[]): Partial<ListingSnapshot> {
  return Object.fromEntries(
    Object.entries(snapshot).filter(([part]) => parts.includes(part as SnapshotPart)),
  );
}

export function keepUrl({ change, fresh }: Context): void {
  change.listing_url = fresh.listing?.url ?? change.listing_url;
}
