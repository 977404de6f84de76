import { createHash } from 'node:crypto';
import type { BatchEdit } from '../../../../schemas/batch.js';
import type { Issue } from '../../../../schemas/issue.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { placeProblems } from '../../issues/issues.js';
import type { Hold } from '../../listings/jobs/hold.js';
import { MediaError, type BatchRecord } from '../../ports/index.js';
import { fetchPatiently } from '../../uploads/fetch_patiently.js';
import { buildBusyError } from '../../uploads/files.js';
import type { Uploads } from '../../uploads/uploads.js';
import { attempt } from '../draft.js';
import { listAdded } from './photos.js';

/**
 * Edits that name uploads in place of the given URLs. `issues`: of photos that could not be fetched, which all items need.
 */
export type TakenEdits = { edits: BatchEdit[]; issues: Issue[] };

/** Fetches each photo that a batch adds once, for all of its listings, and keeps it as an upload. */
export async function takePhotos(
  uploads: Uploads,
  { account_id, batch_id, spec }: BatchRecord,
  hold: Hold,
): Promise<TakenEdits> {
  const issues: Issue[] = [];
  if (spec.kind !== 'edit') return { edits: [], issues };
  const taken = new Map<string, string>();
  for (const [url, at] of listRemote(spec.edits)) {
    const upload_id = `upl_${createHash('sha256').update(`${batch_id}/${url}`).digest('hex').slice(0, 22)}`;
    const source = { upload_id, type: 'image', url, named_by: 'caller' } as const;
    const outcome = await attempt(() =>
      fetchPatiently(uploads, account_id, source, hold).catch((cause: unknown) => {
        throw cause instanceof MediaError ? buildBusyError(cause, [at]) : cause;
      }),
    );
    if ('error' in outcome) issues.push(...outcome.error.issues.map((issue) => ({ ...issue, at })));
    else if ('problems' in outcome.answer) issues.push(...placeProblems(outcome.answer.problems, at));
    else taken.set(url, outcome.answer.url);
  }
  return { edits: spec.edits.map((edit) => withUrls(edit, taken)), issues };
}

/**
 * The URLs of added photos, with the path where each is first named. A number that exceeds a listing's maximum is refused, so
 * those are not fetched.
 */
function listRemote(edits: readonly BatchEdit[]): [url: string, at: string][] {
  const named = new Map<string, string>();
  for (const [index, edit] of edits.entries()) {
    for (const [number, { url }] of listAdded(edit).entries()) {
      if (/^https?:/i.test(url) && !named.has(url)) named.set(url, `edits[${index}].value[${number}]`);
    }
  }
  return [...named].slice(0, MARKETPLACE_FACTS.images_per_listing);
}

function withUrls(edit: BatchEdit, taken: ReadonlyMap<string, string>): BatchEdit {
  const added = listAdded(edit);
  if (added.length === 0) return edit;
  return { ...edit, value: added.map((photo) => ({ ...photo, url: taken.get(photo.url) ?? photo.url })) };
}
