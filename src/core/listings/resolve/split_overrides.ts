import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Issue } from '../../../../schemas/issue.js';
import { moveIssue } from '../../issues/issues.js';
import type { OwnChanges } from '../../ports/listing/changes.js';
import { buildOwnChanges } from '../requests/own_changes.js';
import { buildMissing } from './changes/patch_offerings.js';
import { patchRequest } from './changes/patch.js';
import { withOverrides } from './overrides.js';

/** A request without overrides, and the own values of shops that they become. */
export type SplitRequest = { request: ListingRequest; own: OwnChanges[]; issues: Issue[] };

/** Extracts the overrides from a request. Does not check their values. */
export function splitOverrides(given: ListingRequest): SplitRequest {
  const request = { ...given, shops: given.shops.map(({ overrides: _, ...target }) => target) };
  const own: OwnChanges[] = [];
  const issues: Issue[] = [];
  given.shops.forEach(({ shop_id, overrides, price }, index) => {
    const at = `shops[${index}]`;
    if (overrides === undefined || overrides === null) return;
    const { price: own_price } = overrides.listing ?? {};
    if (price !== undefined && typeof own_price === 'number' && own_price !== price) {
      const params = { price: own_price, at, shop_price: price };
      issues.push({ code: 'override_price', at: `${at}.overrides.listing.price`, params });
    }
    const found = applyOverrides(request, shop_id, overrides, at);
    issues.push(...found.issues);
    const changes = buildOwnChanges(request, found.request);
    if (changes) own.push({ shop_id, changes });
    const target = found.request.shops[index];
    if (target) request.shops[index] = target;
  });
  return { request, own, issues };
}

/**
 * The request of one shop: a request overlaid with overrides.
 * @param at the shop's path in the call
 */
export function applyOverrides(
  before: ListingRequest,
  shop_id: number,
  overrides: NonNullable<ListingRequest['shops'][number]['overrides']>,
  at: string,
): { request: ListingRequest; issues: Issue[] } {
  const changes = withOverrides({}, withoutNulls(overrides), { shop_id, before, common: before });
  if (Object.keys(changes).length === 0) return { request: before, issues: [] };
  const { request, issues, missing } = patchRequest(before, changes);
  const found = [...issues, ...missing.map((change) => buildMissing(before, change))];
  return {
    request,
    issues: found.map((issue) => moveIssue(issue, issue.at.replace(/^changes/, `${at}.overrides`))),
  };
}

/** A null counts as omitted: there is no earlier value to remove. */
function withoutNulls({ listing, offerings }: NonNullable<ListingRequest['shops'][number]['overrides']>) {
  const fields = Object.entries(listing ?? {}).filter(([, value]) => value !== null);
  return { listing: Object.fromEntries(fields), offerings: offerings ?? [] };
}
