import type { BatchItem } from '../../../../../schemas/batch.js';
import type { Issue } from '../../../../../schemas/issue.js';
import type { ListingChanges } from '../../../../../schemas/listing_changes.js';
import type { OwnPost } from '../../../page.js';
import { toListingPath } from '../../../routes.js';
import { PATIENCE } from '../../changes/actions.js';
import { isDrift, readBatch, toBatchPath } from '../../changes/read.js';
import type { Detail } from '../detail.js';

/** @returns the page that comes next, or why a plan is refused as a whole */
export async function save(
  visit: OwnPost,
  { listing_pk, status, updated_at: as_of }: Detail,
  changes: ListingChanges,
): Promise<string | Issue[]> {
  const { operations } = visit;
  if (status === 'draft') {
    await operations.call('listing_update', { listing_pk, changes }, { as_of });
    return toListingPath(listing_pk);
  }
  const input = {
    select: { listing_pks: [listing_pk] },
    edits: [{ field: 'any', op: 'merge', value: changes }],
  };
  const { batch_id } = await operations.call('batch_create', input, PATIENCE);
  const { batch, items } = await readBatch(visit, batch_id);
  // What the seller typed can be corrected here; an edit on Etsy is decided on in the review.
  const isCorrectable = items.some(({ status: of }) => of === 'refused') && !items.some(isDrift);
  if (batch.status !== 'planned' || batch.counts.changed > 0 || !isCorrectable) return toBatchPath(batch_id);
  await operations.call('batch_cancel', { batch_id });
  return listIssues(items);
}

/** What all shops refuse for the same reason is told once. */
function listIssues(items: readonly BatchItem[]): Issue[] {
  return items.flatMap(({ issues }) => issues.map(({ field: at, message }) => ({ ...message, at })));
}

/** The path within the changes. */
export function toOwn(issue: Issue): Issue {
  return { ...issue, at: issue.at.replace(/^(?:edits\[0\]\.value|changes)\.?/, '') };
}
