import { formatChoices } from '../text/choices.js';
import { ServiceError } from '../errors.js';
import type { JobRecord, ListingRecord, Store } from '../ports/index.js';

/** Throws LISTING_NOT_FOUND; a listing of another account is not there. */
export async function getListing(
  store: Store,
  account_id: string,
  listing_pk: number,
): Promise<ListingRecord> {
  const listing = await store.listings.findListing(account_id, listing_pk);
  if (listing) return listing;
  const known = await formatNewest(store, account_id);
  throw new ServiceError('LISTING_NOT_FOUND', `There is no listing ${listing_pk}; ${known}.`);
}

/** `newest first: 7 (Mug), 5 (Bowl)`, the answer to "which listing?". */
export async function formatNewest(store: Store, account_id: string): Promise<string> {
  const { total, items } = await store.listings.listListings(account_id, { limit: NEWEST, offset: 0 });
  const choices = items.map((item) => ({ id: item.listing_pk, name: item.title }));
  return `newest first: ${formatChoices(choices, total)}`;
}

/** Throws JOB_NOT_FOUND; a job of another account is not there. */
export async function getJob(store: Store, account_id: string, job_id: string): Promise<JobRecord> {
  const job = await store.listings.findJob(account_id, job_id);
  if (job) return job;
  const { items } = await store.listings.listListings(account_id, { limit: NEWEST, offset: 0 });
  const known = formatChoices(
    items.map((item) => ({ id: item.job_id, name: item.title })).filter(({ id }) => id),
  );
  throw new ServiceError(
    'JOB_NOT_FOUND',
    `There is no job with this id; the last of each listing: ${known}.`,
  );
}

/** Named in the error for an unknown id: a caller with a wrong id mostly means one of the latest listings. */
const NEWEST = 10;
