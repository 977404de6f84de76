import type { Transaction } from 'kysely';
import { ListingChangedError, type ListingStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { lockAccount } from '../identity/lock_account.js';
import { findRunning } from '../jobs/jobs.js';
import { toJson } from '../json.js';
import type { Tables } from '../schema.js';
import { bind, findBound } from './bindings.js';
import { getListing } from './rows.js';
import { saveRequest } from './save_request.js';
import { requireDraftBytes } from './totals.js';

/** Changes of listings that no job makes: those of drafts. */
export function createRequestReplacement(engine: Engine<Tables>): Pick<ListingStore, 'replaceRequest'> {
  return {
    replaceRequest: ({ account_id, listing_pk, as_of, request, binding, most }) =>
      engine.write(async (trx) => {
        await lockAccount(trx, account_id);
        const now = await engine.now(trx);
        const bound = await findBound(trx, account_id, binding, now);
        if (bound && !bound.job && binding.key !== null) return bound.listing;
        if (await findRunning(trx, account_id, listing_pk)) throw new ListingChangedError('a job runs');
        await requireUnchanged(trx, account_id, listing_pk, as_of);
        const before = await getListing(trx, account_id, listing_pk);
        const more = Buffer.byteLength(toJson(request)) - Buffer.byteLength(toJson(before.request));
        if (before.status === 'draft' && more > 0) await requireDraftBytes(trx, account_id, more, most);
        await saveRequest(engine, trx, account_id, listing_pk, request);
        await bind(trx, account_id, binding, { listing_pk, job_id: null }, now);
        return getListing(trx, account_id, listing_pk);
      }),
  };
}

/** Throws ListingChangedError. Call it with the account's row taken. */
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
