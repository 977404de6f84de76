import type { Kysely, Selectable, Transaction } from 'kysely';
import type { ListingStatus } from '../../schemas/listing.js';
import type { ListingRecord, ListingStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { fromJson } from './json.js';
import { listPublications } from './publications.js';
import type { Tables } from './schema.js';

type ListingTable = Pick<ListingStore, 'findListing' | 'listListings' | 'deleteDraft'>;

export function createListingTable(database: Database): ListingTable {
  return {
    async findListing(account_id, listing_pk) {
      const row = await selectListing(database.db, account_id, listing_pk).executeTakeFirst();
      return row && toListing(row);
    },
    /** Newest first. The shops are those that the request names. */
    listListings: (account_id, { status, limit, offset }) =>
      database.read(async (trx) => ({
        total: await countListings(trx, account_id, status),
        items: await listPage(trx, account_id, status, limit, offset),
      })),
    deleteDraft: (account_id, listing_pk) =>
      database.write(async (trx) => {
        if (!(await isDeletable(trx, account_id, listing_pk))) return false;
        const result = await trx
          .deleteFrom('listings')
          .where('account_id', '=', account_id)
          .where('listing_pk', '=', listing_pk)
          .executeTakeFirst();
        return result.numDeletedRows === 1n;
      }),
  };
}

/** What it prepares throws when there is none: for rows that a foreign key vouches for. */
export function prepareGetListing({
  db,
  prepare,
}: Database): (account_id: string, listing_pk: number) => ListingRecord {
  const find = prepare(() => selectListing(db, '', 0).compile());
  return (account_id, listing_pk) => {
    const row = find.first(account_id, listing_pk);
    if (!row) throw new Error(`Listing ${listing_pk} is not there.`);
    return toListing(row);
  };
}

function selectListing(db: Kysely<Tables>, account_id: string, listing_pk: number) {
  return db
    .selectFrom('listings')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk);
}

async function countListings(
  trx: Transaction<Tables>,
  account_id: string,
  status: ListingStatus | undefined,
): Promise<number> {
  let query = trx
    .selectFrom('listing_totals')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('total'), eb.val(0)).as('total'))
    .where('account_id', '=', account_id);
  if (status !== undefined) query = query.where('status', '=', status);
  return (await query.executeTakeFirstOrThrow()).total;
}

async function listPage(
  trx: Transaction<Tables>,
  account_id: string,
  status: ListingStatus | undefined,
  limit: number,
  offset: number,
): Promise<(ListingRecord & { shop_ids: number[] })[]> {
  let query = trx
    .selectFrom('listings')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy('listing_pk', 'desc')
    .limit(limit)
    .offset(offset);
  if (status !== undefined) query = query.where('status', '=', status);
  const listings = (await query.execute()).map(toListing);
  return listings.map((listing) => ({
    ...listing,
    shop_ids: listing.request.shops.map((shop) => shop.shop_id),
  }));
}

/** Nothing of it is on the marketplace, and nothing may be on its way there. */
async function isDeletable(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
): Promise<boolean> {
  const running = await trx
    .selectFrom('jobs')
    .select('job_id')
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .where('status', '=', 'processing')
    .executeTakeFirst();
  const publications = await listPublications(trx, account_id, listing_pk);
  return !running && publications.every((one) => one.listing_id === null && one.progress.intent === null);
}

function toListing(row: Selectable<Tables['listings']>): ListingRecord {
  return { ...row, request: fromJson(row.request), warnings: fromJson(row.warnings) };
}
