import type { ListingChanges } from '../../../../../schemas/listing_changes.js';
import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import type { Issue } from '../../../../../schemas/issue.js';
import type { Warning } from '../../../../../schemas/job.js';
import { moveIssue } from '../../../issues/issues.js';
import { findOverridePath, findOverrides } from '../overrides.js';

/**
 * Translates paths of the request into the paths that the caller of an update would use: `changes.listing.title`,
 * `changes.shops[0].price`. A value of a shop that the changes do not name is in the listing's own shops[].
 * @param request that of the listing
 */
export function createChangePaths(request: ListingRequest, changes: ListingChanges) {
  const findEntry = (shop_id: number | undefined) =>
    (changes.shops ?? []).findIndex((own) => own.shop_id === shop_id);
  /** @param view the request after the change, for the first of these shops */
  const toPath = (path: string, [first]: readonly number[] = [], view: ListingRequest = request): string => {
    const [, index, rest = ''] = /^shops\[(\d+)\](.*)$/s.exec(path) ?? [];
    const shop_id = index === undefined ? first : request.shops[Number(index)]?.shop_id;
    const entry = findEntry(shop_id);
    const at = `changes.shops[${entry}]`;
    const isOwnPrice = rest === '.price' && changes.shops?.[entry]?.price !== undefined;
    const ofOverrides =
      shop_id === undefined || entry === -1 || isOwnPrice
        ? undefined
        : findOverridePath(path, findOverrides(changes, shop_id), view, `${at}.overrides`);
    if (ofOverrides !== undefined) return ofOverrides;
    if (!isOwnPrice && changes.listing?.price == null) {
      const ofOfferings = findOverridePath(path, { offerings: changes.offerings ?? [] }, view, 'changes');
      if (ofOfferings !== undefined) return ofOfferings;
    }
    if (index !== undefined) {
      if (rest === '.price' && !isOwnPrice && changes.listing?.price != null) return 'changes.listing.price';
      return entry === -1 ? path : `${at}${rest}`;
    }
    const [, offering, ofOffering = ''] = /^changes\.offerings\[(\d+)\](.*)$/s.exec(path) ?? [];
    const further = Number(offering) - (changes.offerings?.length ?? 0);
    if (offering !== undefined && further >= 0) return `${at}.overrides.offerings[${further}]${ofOffering}`;
    return path.startsWith('changes.') || path === 'changes' ? path : `changes.${path}`;
  };
  return {
    toPath,
    toIssue: (issue: Issue, shop_ids?: readonly number[], view?: ListingRequest): Issue =>
      moveIssue(issue, toPath(issue.at, shop_ids, view)),
    toWarning: (warning: Warning, shop_ids?: readonly number[], view?: ListingRequest): Warning => ({
      ...warning,
      fields: warning.fields.map((field) => toPath(field, shop_ids, view)),
    }),
  };
}
