import type { Transaction } from 'kysely';
import type { ListingStatus } from '../../../schemas/listing.js';
import type { ListingState } from '../../../schemas/listing_request.js';
import { QuotaError, type AccountUsage } from '../../core/ports/index.js';
import { toNumber } from '../numbers.js';
import type { Tables } from '../schema.js';

/*
 * Listings grow without end, so their number per status, and the total bytes of their requests, are stored in addition. Code
 * that adds, moves and deletes listings counts them here in the same transaction, with the account's row locked.
 */

type Drafts = Pick<AccountUsage, 'drafts' | 'draft_bytes'>;

/** @param by negative to subtract */
export async function addToListingTotals(
  trx: Transaction<Tables>,
  account_id: string,
  status: ListingStatus,
  by: { total: number; bytes: number },
): Promise<void> {
  await trx
    .insertInto('listing_totals')
    .values({ account_id, status, ...by })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'status']).doUpdateSet(({ eb }) => ({
        total: eb('listing_totals.total', '+', by.total),
        bytes: eb('listing_totals.bytes', '+', by.bytes),
      })),
    )
    .execute();
}

/** Gives a listing another status, and changes other columns with it. */
export async function moveListing(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
  changes: { status: ListingStatus; updated_at: string; state?: ListingState; job_id?: string },
): Promise<void> {
  const { status, request } = await trx
    .selectFrom('listings')
    .select(['status', 'request'])
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('listings')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .execute();
  const bytes = Buffer.byteLength(request);
  await addToListingTotals(trx, account_id, status, { total: -1, bytes: -bytes });
  await addToListingTotals(trx, account_id, changes.status, { total: 1, bytes });
}

/** @param status undefined: any except given_up */
export async function countListings(
  trx: Transaction<Tables>,
  account_id: string,
  status: ListingStatus | undefined,
): Promise<number> {
  let query = trx
    .selectFrom('listing_totals')
    .select((eb) => eb.fn.sum('total').as('total'))
    .where('account_id', '=', account_id);
  query = status === undefined ? query.where('status', '<>', 'given_up') : query.where('status', '=', status);
  return toNumber((await query.executeTakeFirstOrThrow()).total);
}

/**
 * Drafts and the bytes of their requests, by the totals. Comparing them with a limit requires the account's row to be locked.
 */
export async function findDraftUsage(trx: Transaction<Tables>, account_id: string): Promise<Drafts> {
  const row = await trx
    .selectFrom('listing_totals')
    .select(['total', 'bytes'])
    .where('account_id', '=', account_id)
    .where('status', '=', 'draft')
    .executeTakeFirst();
  return { drafts: row?.total ?? 0, draft_bytes: row?.bytes ?? 0 };
}

/** Throws QuotaError if one more draft, with a request of this many bytes, would exceed the account's quota. */
export async function requireDraftQuota(
  trx: Transaction<Tables>,
  account_id: string,
  bytes: number,
  most: Drafts,
): Promise<void> {
  const used = await findDraftUsage(trx, account_id);
  if (used.drafts + 1 > most.drafts) throw new QuotaError('drafts');
  if (used.draft_bytes + bytes > most.draft_bytes) throw new QuotaError('draft_bytes');
}

/** The same for an existing draft that grows. */
export async function requireDraftBytes(
  trx: Transaction<Tables>,
  account_id: string,
  bytes: number,
  most: Pick<Drafts, 'draft_bytes'>,
): Promise<void> {
  const used = await findDraftUsage(trx, account_id);
  if (used.draft_bytes + bytes > most.draft_bytes) throw new QuotaError('draft_bytes');
}
