import type { ListingRequest } from '../../schemas/listing_request.js';
import type { ListingStore, NewListing } from '../core/ports/index.js';
import { createBindings } from './bindings.js';
import { LATER, type Database } from './database.js';
import { prepareGetJob, prepareInsertJob } from './jobs.js';
import { toJson, type Json } from './json.js';
import { prepareGetListing } from './listings.js';
import type { Presence } from './engine/sqlite/presence.js';
import { prepareInsertMissing, prepareRequireSpending } from './publications.js';
import { prepareRequireQuota } from './usage.js';

/** Look-up and creation are one write transaction: of any number of equal requests at once, exactly one creates. */
export function createListingCreation(
  database: Database,
  presence: Presence,
): Pick<ListingStore, 'findBinding' | 'createListing'> {
  const bindings = createBindings(database);
  const insertListing = prepareInsertListing(database);
  const getListing = prepareGetListing(database);
  const insertJob = prepareInsertJob(database);
  const getJob = prepareGetJob(database);
  const insertMissing = prepareInsertMissing(database);
  const requireSpending = prepareRequireSpending(database);
  const requireQuota = prepareRequireQuota(database);
  return {
    findBinding: (account_id, binding, now, replay_ms) =>
      database.read(async () => bindings.match(account_id, binding, now, replay_ms)),
    async createListing(listing, replay_ms) {
      const { account_id, binding, now, job } = listing;
      if (job?.lease) presence.announce(job.lease.owner);
      return database.commit(() => {
        const known = bindings.match(account_id, binding, now, replay_ms);
        if (known.match !== 'none') return known;
        requireSpending(account_id, listing.spending);
        const request = toJson(listing.request);
        if (!job && listing.most) {
          const added = { drafts: 1, draft_bytes: Buffer.byteLength(request) };
          requireQuota(account_id, added, listing.most);
        }
        const listing_pk = insertListing({ ...listing, request });
        const lease = job && insertJob({ account_id, listing_pk, ...job, now });
        if (job) insertMissing(account_id, listing_pk, job.plan);
        bindings.bind(account_id, binding, { listing_pk, job_id: job?.job_id ?? null }, now);
        return {
          match: 'created',
          listing: getListing(account_id, listing_pk),
          job: job && getJob(account_id, job.job_id),
          lease,
        };
      });
    },
  };
}

/** What it prepares answers the new listing's `listing_pk`. */
function prepareInsertListing({
  db,
  prepare,
}: Database): (listing: Omit<NewListing, 'request'> & { request: Json<ListingRequest> }) => number {
  const insert = prepare(() =>
    db
      .insertInto('listings')
      .values({
        account_id: '',
        title: '',
        status: 'draft',
        state: 'draft',
        request: LATER,
        warnings: LATER,
        job_id: '',
        created_at: '',
        updated_at: '',
      })
      .returning('listing_pk')
      .compile(),
  );
  return ({ account_id, title, state, request, warnings, job, now }) => {
    const status = job ? 'processing' : 'draft';
    const texts = [request, toJson(warnings)] as const;
    const row = insert.first(account_id, title, status, state, ...texts, job?.job_id ?? null, now, now);
    if (!row) throw new Error('a listing that was inserted has a number');
    return row.listing_pk;
  };
}
