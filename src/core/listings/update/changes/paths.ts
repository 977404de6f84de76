import type { ListingChanges } from '../../../../../schemas/listing_changes.js';
import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import type { Issue } from '../../../errors.js';
import type { Warning } from '../../../../../schemas/job.js';

/** Paths of our form as the caller of an update would write them: `changes.listing.title`, `changes.shops[0].price`. */
export function createChangePaths(request: ListingRequest, changes: ListingChanges) {
  const toPath = (path: string): string => {
    const [, index, rest = ''] = /^shops\[(\d+)\](.*)$/s.exec(path) ?? [];
    if (index === undefined) return `changes.${path}`;
    const shop_id = request.shops[Number(index)]?.shop_id;
    const named = (changes.shops ?? []).findIndex((own) => own.shop_id === shop_id);
    return named === -1 ? `shop ${shop_id}${rest}` : `changes.shops[${named}]${rest}`;
  };
  return {
    toIssue: (issue: Issue): Issue => ({ ...issue, path: toPath(issue.path) }),
    toWarning: (warning: Warning): Warning => ({ ...warning, fields: warning.fields.map(toPath) }),
  };
}
