import type { ListingStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { lockAccount } from '../identity/lock_account.js';
import { insertJob } from '../jobs/jobs.js';
import { toPublishJob } from '../jobs/rows.js';
import { toJson } from '../json.js';
import type { Tables } from '../schema.js';
import { saveNamedUploads } from '../uploads/named.js';
import { bind, matchBinding } from './bindings.js';
import { insertMissing } from './publications.js';
import { toListing } from './rows.js';
import { saveSearchRows } from './search_rows.js';
import { requireSpending } from './spending.js';
import { addToListingTotals, requireDraftQuota } from './totals.js';

/** Look-up and creation are one write transaction: of any number of equal requests at once, exactly one creates. */
export function createListingCreation(
  engine: Engine<Tables>,
): Pick<ListingStore, 'findBinding' | 'createListing'> {
  return {
    findBinding: (account_id, binding, replay_ms) =>
      engine.read(async (trx) => matchBinding(trx, account_id, binding, await engine.now(trx), replay_ms)),
    createListing: (listing, replay_ms) =>
      engine.write(async (trx) => {
        const { account_id, title, state, warnings, binding, job } = listing;
        await lockAccount(engine, trx, account_id);
        const now = await engine.now(trx);
        const known = await matchBinding(trx, account_id, binding, now, replay_ms);
        if (known.match !== 'none') return known;
        const request = toJson(listing.request);
        const bytes = Buffer.byteLength(request);
        await requireSpending(engine, trx, account_id, listing.spending);
        if (!job && listing.most) await requireDraftQuota(trx, account_id, bytes, listing.most);
        const job_id = job?.job_id ?? null;
        const status = job ? 'processing' : 'draft';
        const row = await trx
          .insertInto('listings')
          .values({
            account_id,
            title,
            status,
            state,
            request,
            warnings: toJson(warnings),
            job_id,
            created_at: now,
            updated_at: now,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await saveNamedUploads(trx, row);
        await saveSearchRows(trx, row, listing.request);
        await addToListingTotals(trx, account_id, status, { total: 1, bytes });
        const { listing_pk } = row;
        const created =
          job &&
          toPublishJob(
            await insertJob(
              trx,
              { kind: 'publish', account_id, listing_pk, ...job, spending: listing.spending },
              now,
            ),
          );
        const { own = [] } = listing;
        const planned = (job?.plan.shops ?? [])
          .map(({ shop_id }) => shop_id)
          .filter((shop_id) => !own.some((one) => one.shop_id === shop_id));
        await insertMissing(trx, account_id, listing_pk, [
          ...own,
          ...planned.map((shop_id) => ({ shop_id })),
        ]);
        await bind(trx, account_id, binding, { listing_pk, job_id }, now);
        return { match: 'created', listing: toListing(row), job: created };
      }),
  };
}
