import type { Selectable, Transaction } from 'kysely';
import { ListingChangedError, type ListingRecord } from '../../core/ports/index.js';
import { fromJson } from '../json.js';
import type { Tables } from '../schema.js';
import { fromJsonOfFacts } from '../jobs/stored_facts.js';

/** Undefined if the account has no listing with this number. */
export async function findListing(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
): Promise<ListingRecord | undefined> {
  const row = await trx
    .selectFrom('listings')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .executeTakeFirst();
  return row && toListing(row);
}

/** For a listing that another row refers to. */
export async function getListing(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
): Promise<ListingRecord> {
  const listing = await findListing(trx, account_id, listing_pk);
  if (!listing) throw new Error(`Listing ${listing_pk} is not there.`);
  return listing;
}

/** Throws ListingChangedError. Call it with the account's row locked. */
export async function requireUnchanged(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
  as_of: string | undefined,
): Promise<void> {
  if (as_of === undefined) return;
  const { updated_at } = await getListing(trx, account_id, listing_pk);
  if (updated_at !== as_of) throw new ListingChangedError('it has been changed meanwhile');
}

/** A row with its JSON read. */
export function toListing(row: Selectable<Tables['listings']>): ListingRecord {
  return { ...row, request: fromJson(row.request), warnings: fromJsonOfFacts(row.warnings) };
}
