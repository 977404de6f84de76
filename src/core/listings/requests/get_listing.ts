import type { Fact } from '../../../../schemas/issue.js';
import type { Choice } from '../../../../schemas/issues/facts.js';
import { ServiceError } from '../../errors.js';
import type { JobRecord, ListingRecord, Store } from '../../ports/index.js';

/** Throws LISTING_NOT_FOUND, also for a listing of another account. */
export async function getListing(
  store: Store,
  account_id: string,
  listing_pk: number,
): Promise<ListingRecord> {
  const listing = await store.listings.findListing(account_id, listing_pk);
  if (listing) return listing;
  throw new ServiceError('LISTING_NOT_FOUND', await describeMissing(store, account_id, listing_pk));
}

/** Marketplace ids are far greater than those of saved listings. */
const LEAST_MARKETPLACE_ID = 10_000_000;

async function describeMissing(store: Store, account_id: string, id: number): Promise<Fact> {
  if (id < LEAST_MARKETPLACE_ID) {
    const params = { listing_pk: id, ...(await listNewest(store, account_id)) };
    return { code: 'listing_not_found', params };
  }
  for (const { shop_id } of await store.shops.listShops(account_id)) {
    const listing_pk = (await store.orders.listListingPks({ account_id, shop_id }, [id])).get(id);
    if (listing_pk !== undefined) return { code: 'listing_id_given', params: { listing_id: id, listing_pk } };
  }
  return { code: 'listing_id_given', params: { listing_id: id } };
}

export async function listNewest(
  store: Store,
  account_id: string,
): Promise<{ newest: Choice[]; total: number }> {
  const { total, items } = await store.listings.listListings(account_id, { limit: NEWEST, offset: 0 });
  return { newest: items.map((item) => ({ id: item.listing_pk, name: item.title })), total };
}

/** Throws JOB_NOT_FOUND, also for a job of another account. */
export async function getJob(store: Store, account_id: string, job_id: string): Promise<JobRecord> {
  const job = await store.listings.findJob(account_id, job_id);
  if (job) return job;
  const { items } = await store.listings.listListings(account_id, { limit: NEWEST, offset: 0 });
  const latest = items.map((item) => ({ id: item.job_id, name: item.title })).filter(({ id }) => id);
  throw new ServiceError('JOB_NOT_FOUND', { code: 'job_not_found', params: { latest } });
}

/**
 * The number of listings named in the error for an unknown id: a caller with a wrong id usually means one of the
 * latest.
 */
const NEWEST = 10;
