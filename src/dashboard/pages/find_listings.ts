import type { OwnVisit } from '../page.js';
import { toEndingMoment, type ListingsQuery } from './listings_query.js';

type Range = { limit: number; offset: number };

/**
 * A page of the listings that match the query. The operation has no filter by expiry, so the page reads those
 * through its core function.
 */
export function findListings(
  { operations, core, account_id }: Pick<OwnVisit, 'operations' | 'core' | 'account_id'>,
  { is_ending = false, ...query }: Partial<ListingsQuery>,
  range: Range,
  now: Date,
) {
  if (!is_ending) return operations.call('listings_list', { ...query, ...range });
  return core.listings.list(account_id, { ...query, ...range, ends_before: toEndingMoment(now) });
}
