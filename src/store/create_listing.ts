import type { Transaction } from 'kysely';
import type { ListingStore, NewListing } from '../core/ports/index.js';
import { bindListing, matchBinding } from './bindings.js';
import type { Database } from './database.js';
import { getJob, insertJob } from './jobs.js';
import { toJson } from './json.js';
import { getListing } from './listings.js';
import { insertMissingPublications, requireSpending } from './publications.js';
import type { Tables } from './schema.js';

/** Look-up and creation are one write transaction: of any number of equal requests at once, exactly one creates. */
export function createListingCreation(
  database: Database,
): Pick<ListingStore, 'findBinding' | 'createListing'> {
  return {
    findBinding: (account_id, binding, now, replay_ms) =>
      database.read((trx) => matchBinding(trx, account_id, binding, now, replay_ms)),
    createListing: (listing, replay_ms) =>
      database.write(async (trx) => {
        const { account_id, binding, now, job } = listing;
        const known = await matchBinding(trx, account_id, binding, now, replay_ms);
        if (known.match !== 'none') return known;
        await requireSpending(trx, account_id, listing.spending);
        const listing_pk = await insertListing(trx, listing);
        if (job) {
          await insertJob(trx, { account_id, listing_pk, ...job, now });
          await insertMissingPublications(trx, account_id, listing_pk, job.plan);
        }
        await bindListing(trx, account_id, binding, { listing_pk, job_id: job?.job_id ?? null }, now);
        return {
          match: 'created',
          listing: await getListing(trx, account_id, listing_pk),
          job: job && (await getJob(trx, account_id, job.job_id)),
        };
      }),
  };
}

async function insertListing(trx: Transaction<Tables>, listing: NewListing): Promise<number> {
  const { account_id, title, state, request, warnings, job, now } = listing;
  const { listing_pk } = await trx
    .insertInto('listings')
    .values({
      account_id,
      title,
      status: job ? 'processing' : 'draft',
      state,
      request: toJson(request),
      warnings: toJson(warnings),
      job_id: job?.job_id ?? null,
      created_at: now,
      updated_at: now,
    })
    .returning('listing_pk')
    .executeTakeFirstOrThrow();
  return listing_pk;
}
