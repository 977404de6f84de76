import { formatChoices, type Choice } from '../text/choices.js';
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
  const slip = await describeMarketplaceId(store, account_id, listing_pk);
  if (slip !== undefined) throw new ServiceError('LISTING_NOT_FOUND', slip);
  const { newest, total } = await listNewest(store, account_id);
  const known = `newest first: ${formatChoices(newest, total)}`;
  throw new ServiceError('LISTING_NOT_FOUND', `There is no listing ${listing_pk}; ${known}.`);
}

/** Ids of the marketplace are far beyond those of saved listings. */
const LEAST_MARKETPLACE_ID = 10_000_000;

/** Says where an id of the marketplace was sent as a listing_pk; undefined where the number is none. */
async function describeMarketplaceId(
  store: Store,
  account_id: string,
  id: number,
): Promise<string | undefined> {
  if (id < LEAST_MARKETPLACE_ID) return undefined;
  for (const { shop_id } of await store.shops.listShops(account_id)) {
    const found = (await store.orders.listListingPks({ account_id, shop_id }, [id])).get(id);
    if (found !== undefined)
      return `${id} is a listing_id of the marketplace; its listing_pk here is ${found}.`;
  }
  return `There is no listing ${id}. It looks like a listing_id of the marketplace, which is not managed here yet: listing_import imports it and answers its listing_pk.`;
}

/** `newest first: 7 (Mug), 5 (Bowl)`, the answer to "which listing?". */
export async function listNewest(
  store: Store,
  account_id: string,
): Promise<{ newest: Choice[]; total: number }> {
  const { total, items } = await store.listings.listListings(account_id, { limit: NEWEST, offset: 0 });
  return { newest: items.map((item) => ({ id: item.listing_pk, name: item.title })), total };
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
