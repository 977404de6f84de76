import { ListingChangedError, type ListingStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { lockAccount } from '../identity/lock_account.js';
import { findRunning } from '../jobs/rows.js';
import { toJson } from '../json.js';
import type { Tables } from '../schema.js';
import { bind, findBound } from './bindings.js';
import { insertMissing, saveOwnChanges } from './publications.js';
import { getListing, requireUnchanged } from './rows.js';
import { saveRequest } from './save_request.js';
import { moveListing, requireDraftBytes } from './totals.js';

/** Changes of listings without a job: those of drafts. */
export function createRequestReplacement(engine: Engine<Tables>): Pick<ListingStore, 'replaceRequest'> {
  return {
    replaceRequest: ({ account_id, listing_pk, as_of, request, copied, own, binding, most }) =>
      engine.write(async (trx) => {
        await lockAccount(engine, trx, account_id);
        const now = await engine.now(trx);
        const bound = await findBound(trx, account_id, binding, now);
        if (bound && !bound.job && binding.key !== null) return bound.listing;
        if (await findRunning(trx, account_id, listing_pk)) throw new ListingChangedError('a job runs');
        await requireUnchanged(trx, account_id, listing_pk, as_of);
        const before = await getListing(trx, account_id, listing_pk);
        const more = Buffer.byteLength(toJson(request)) - Buffer.byteLength(toJson(before.request));
        if (before.status === 'draft' && more > 0) await requireDraftBytes(trx, account_id, more, most);
        if (own) await saveOwnChanges(trx, account_id, listing_pk, own);
        if (copied) await insertMissing(trx, account_id, listing_pk, copied);
        await saveRequest(engine, trx, account_id, listing_pk, request);
        if (copied) {
          // With a further shop, a listing that is no draft is incomplete until it is published there.
          const status = before.status === 'draft' ? 'draft' : 'incomplete';
          await moveListing(trx, account_id, listing_pk, { status, updated_at: now });
        }
        await bind(trx, account_id, binding, { listing_pk, job_id: null }, now);
        return getListing(trx, account_id, listing_pk);
      }),
  };
}
