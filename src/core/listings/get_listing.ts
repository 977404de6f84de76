import { ServiceError } from '../errors.js';
import type { ListingRecord, Store } from '../ports/index.js';

/** Throws LISTING_NOT_FOUND; a listing of another account is not there. */
export async function getListing(
  store: Store,
  account_id: string,
  listing_pk: number,
): Promise<ListingRecord> {
  const listing = await store.listings.findListing(account_id, listing_pk);
  if (!listing) throw new ServiceError('LISTING_NOT_FOUND', `There is no listing ${listing_pk}.`);
  return listing;
}
