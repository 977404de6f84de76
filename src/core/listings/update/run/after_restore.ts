import { compareSnapshots } from '../../snapshot/compare.js';
import type { FieldDifference } from '../../snapshot/difference.js';
import type { KeptSnapshot, SnapshotPart } from '../../snapshot/snapshot.js';
import type { Changing } from './changing.js';
import { DriftError } from './drift_check.js';
import { readParts } from './read.js';
import { projectWanted } from './wanted.js';

/**
 * A job that a backup restored in the middle may have been finished after the backup, and taken back since. Its writes are not known here,
 * so it goes on only if the listing is as the job last saw it, or already as the job wants it. Otherwise nothing is written.
 * @throws DriftError
 */
export async function expectAsBackedUp(changing: Changing): Promise<void> {
  const { progress, update } = changing;
  const { before } = progress;
  if (!before) return;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
  await readParts(changing, Object.keys(before) as SnapshotPart[]);
  const open = compareSnapshots(changing.fresh, projectWanted(changing), update.names);
  if (open.length > 0 && isChangedSince(before, changing)) throw toRestoredDrift(open);
}

/** The same for a job that had not decided what to write. @param diff what it would write now */
export function expectAsKnown(changing: Changing, diff: readonly FieldDifference[]): void {
  if (isChangedSince(changing.baseline, changing)) throw toRestoredDrift(diff);
}

/** Whether the listing was changed since it was read, by anyone: the marketplace gives each change a time. */
function isChangedSince(known: KeptSnapshot | undefined, { fresh }: Changing): boolean {
  if (!known?.listing || !fresh.listing) return true;
  return fresh.listing.updated_at_epoch_s > known.listing.updated_at_epoch_s;
}

function toRestoredDrift(diff: readonly FieldDifference[]): DriftError {
  const drift = diff.map(({ field, before: theirs, after: ours }) => ({ field, ours, theirs }));
  const fields = drift.map(({ field }) => field).join(', ');
  return new DriftError(
    `A backup was restored after this change began, and the listing was changed on Etsy since the backup, so the change may have been made and taken back: ${fields}. Nothing was written. Show the seller both values, in details.drift; after a yes, make the change again`,
    drift,
    true,
  );
}
