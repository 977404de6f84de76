import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Warning } from '../../../../schemas/job.js';
import type { Issue } from '../../errors.js';
import type { Publication } from '../../ports/index.js';
import { applyOwnChanges } from '../copy/grouped_plan.js';
import { buildOwnChanges } from '../copy/merge_diff.js';
import type { OwnChanges } from '../own_changes.js';
import { isSameValue } from '../snapshot/difference.js';
import type { Patched } from './changes/patch.js';

/**
 * `own`: of the shops where it changes. `missing`: by shop, the changed offerings that it does not have among combinations of its own.
 * `issues`: why the change cannot be made in what a shop has of its own.
 */
export type ChangedOwn = {
  own: OwnChanges[];
  missing: { shop_id: number; path: string }[];
  issues: Issue[];
};

/**
 * What shops have of their own once a change was made: a shop that the listing was copied to with changes takes a later change as
 * every other shop does. The same is changed in its own request, and what then differs from the listing's stays its own.
 * @param saved the request before the change
 * @param request the request after it
 * @param shop_ids the shops that the change is for
 */
export function changeOwnValues(
  saved: ListingRequest,
  request: ListingRequest,
  publications: readonly Publication[],
  shop_ids: readonly number[],
  patch: (own: ListingRequest) => Pick<Patched, 'request' | 'missing' | 'issues'>,
): ChangedOwn {
  const changed = publications.flatMap(({ shop_id, progress: { changes } }) => {
    if (changes === undefined || !shop_ids.includes(shop_id)) return [];
    const { request: after, missing, issues } = patch(applyOwnChanges(saved, changes));
    return [{ shop_id, changes: buildOwnChanges(request, after), missing, issues }];
  });
  return {
    own: leaveSame(
      changed.map(({ shop_id, changes }) => ({ shop_id, changes })),
      publications,
    ),
    missing: changed.flatMap(({ shop_id, missing }) => missing.map(({ path }) => ({ shop_id, path }))),
    issues: changed.flatMap(({ shop_id, issues }) =>
      issues.map(({ path, message }) => ({
        path,
        message: `${message} (in shop ${shop_id}, which has values of its own)`,
      })),
    ),
  };
}

/** Without the shops that have the same of their own already. */
export function leaveSame(own: readonly OwnChanges[], publications: readonly Publication[]): OwnChanges[] {
  return own.filter(({ shop_id, changes }) => {
    const known = publications.find((one) => one.shop_id === shop_id)?.progress;
    return !isSameValue(known?.changes, changes);
  });
}

/** Warnings about changed offerings that a shop does not have. */
export function listMissingThere(missing: ChangedOwn['missing']): Warning[] {
  return missing.map(({ shop_id, path }) => ({
    code: 'no_such_offering',
    fields: [path],
    reason: `Shop ${shop_id} was given combinations of its own by listing_copy, and this is none of them; there nothing is changed.`,
  }));
}
