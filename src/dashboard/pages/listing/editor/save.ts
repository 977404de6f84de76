import type { BatchItem } from '../../../../../schemas/batch.js';
import type { Issue } from '../../../../../schemas/issue.js';
import type { OwnPost } from '../../../page.js';
import { toListingPath } from '../../../routes.js';
import { PATIENCE } from '../../changes/actions.js';
import { isDrift, readBatch, toBatchPath } from '../../changes/read.js';
import { RefusedError, toRefusal } from '../../../operations.js';
import type { Detail } from '../detail.js';
import { ADDED } from './problems.js';
import type { Changed } from './to_changes.js';

/** The page of a saved draft, or of a plan. */
export type Saved = { href: string };
type Change = Pick<Changed, 'changes' | 'added' | 'removed'>;

/** @returns the next page, or the refused parts */
export async function save(visit: OwnPost, detail: Detail, change: Change): Promise<Saved | Issue[]> {
  return detail.status === 'draft' ? saveDraft(visit, detail, change) : plan(visit, detail, change);
}

async function saveDraft(
  { operations }: OwnPost,
  { listing_pk, updated_at: as_of }: Detail,
  { changes, added, removed }: Change,
): Promise<Saved | Issue[]> {
  if (changes) await operations.call('listing_update', { listing_pk, changes }, { as_of });
  if (added.length > 0) {
    const copied = await operations.call('listing_copy', { listing_pk, shops: added }).catch(toRefusal);
    if (copied instanceof RefusedError) {
      const { code, issues = [] } = copied.error;
      if (code !== 'VALIDATION_FAILED') throw copied;
      return issues.map((issue) => ({ ...issue, at: `${ADDED}${issue.at}` }));
    }
  }
  if (removed.length > 0) {
    await operations.call('listing_update', { listing_pk, changes: {} }, { leaves_shops: removed });
  }
  return { href: toListingPath(listing_pk) };
}

async function plan(
  visit: OwnPost,
  { listing_pk }: Detail,
  { changes, added }: Change,
): Promise<Saved | Issue[]> {
  const { operations } = visit;
  const input = {
    select: { listing_pks: [listing_pk] },
    edits: [
      ...(changes ? [{ field: 'any', op: 'merge', value: changes }] : []),
      ...(added.length > 0 ? [{ field: 'copy', op: 'to', shops: added }] : []),
    ],
  };
  const { batch_id } = await operations.call('batch_create', input, PATIENCE);
  const { batch, items } = await readBatch(visit, batch_id);
  // The seller's input can be corrected here; an edit on Etsy is decided on in the review.
  const isCorrectable = items.some(({ status: of }) => of === 'refused') && !items.some(isDrift);
  if (batch.status !== 'planned' || batch.counts.changed > 0 || !isCorrectable) {
    return { href: toBatchPath(batch_id) };
  }
  await operations.call('batch_cancel', { batch_id });
  const isAdded = ({ shop_id }: BatchItem) => added.some((target) => String(target.shop_id) === shop_id);
  return [
    ...listIssues(items.filter((item) => !isAdded(item))),
    ...listIssues(items.filter(isAdded)).map((issue) => ({ ...issue, at: `${ADDED}${issue.at}` })),
  ];
}

/** If all shops refuse for the same reason, it is shown once. */
function listIssues(items: readonly BatchItem[]): Issue[] {
  return items.flatMap(({ issues }) => issues.map(({ field: at, message }) => ({ ...message, at })));
}

/** The path relative to the changes. */
export function toOwn(issue: Issue): Issue {
  return { ...issue, at: issue.at.replace(/^(?:edits\[0\]\.value|changes)\.?/, '') };
}
