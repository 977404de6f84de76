import type { Binding, BindingMatch, BoundListing } from '../core/ports/index.js';
import type { Database } from './database.js';
import { prepareGetJob } from './jobs.js';
import { prepareGetListing } from './listings.js';

const KEY_VALID_MS = 30 * 24 * 60 * 60 * 1000;

type Bound = { listing_pk: number; job_id: string | null };

/** For use inside of a transaction. */
export type Bindings = {
  /** See ListingStore.findBinding. A key looks at keys alone; a body without one at the last creation with that body, keyed or not. */
  match(account_id: string, binding: Binding, now: string, replay_ms: number): BindingMatch;
  /** Binds a new listing to its key, if it has one, and to its digest. What was bound there before had run out, or is older. */
  bind(account_id: string, binding: Binding, bound: Bound, now: string): void;
};

export function createBindings(database: Database): Bindings {
  const { findKey, findDigest, bindKey, bindDigest } = prepareStatements(database);
  const getListing = prepareGetListing(database);
  const getJob = prepareGetJob(database);

  function matchDigest(account_id: string, digest: string, now: string, replay_ms: number): BindingMatch {
    const row = findDigest.first(account_id, digest);
    if (!row) return { match: 'none' };
    const bound = getBound(account_id, row);
    const ended_at = bound.job ? bound.job.completed_at : bound.listing.created_at;
    const isFresh = ended_at === null || ended_at > shiftTime(now, -replay_ms);
    return isFresh ? { match: 'same', ...bound } : { match: 'none' };
  }

  function getBound(account_id: string, bound: Bound): BoundListing {
    return {
      listing: getListing(account_id, bound.listing_pk),
      job: bound.job_id === null ? undefined : getJob(account_id, bound.job_id),
    };
  }

  return {
    match(account_id, { key, digest }, now, replay_ms) {
      if (key === null) return matchDigest(account_id, digest, now, replay_ms);
      const bound = findKey.first(account_id, key, shiftTime(now, -KEY_VALID_MS));
      if (!bound) return { match: 'none' };
      if (bound.digest !== digest) return { match: 'reused' };
      return { match: 'same', ...getBound(account_id, bound) };
    },
    bind(account_id, { key, digest }, { listing_pk, job_id }, now) {
      if (key !== null) bindKey.run(account_id, key, digest, listing_pk, job_id, now);
      bindDigest.run(account_id, digest, listing_pk, job_id);
    },
  };
}

function prepareStatements({ db, prepare }: Database) {
  return {
    findKey: prepare(() =>
      db
        .selectFrom('key_bindings')
        .select(['digest', 'listing_pk', 'job_id'])
        .where('account_id', '=', '')
        .where('key', '=', '')
        .where('bound_at', '>', '')
        .compile(),
    ),
    findDigest: prepare(() =>
      db
        .selectFrom('digest_bindings')
        .select(['listing_pk', 'job_id'])
        .where('account_id', '=', '')
        .where('digest', '=', '')
        .compile(),
    ),
    bindKey: prepare(() =>
      db
        .insertInto('key_bindings')
        .values({ account_id: '', key: '', digest: '', listing_pk: 0, job_id: '', bound_at: '' })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'key']).doUpdateSet(({ ref }) => ({
            digest: ref('excluded.digest'),
            listing_pk: ref('excluded.listing_pk'),
            job_id: ref('excluded.job_id'),
            bound_at: ref('excluded.bound_at'),
          })),
        )
        .compile(),
    ),
    bindDigest: prepare(() =>
      db
        .insertInto('digest_bindings')
        .values({ account_id: '', digest: '', listing_pk: 0, job_id: '' })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'digest']).doUpdateSet(({ ref }) => ({
            listing_pk: ref('excluded.listing_pk'),
            job_id: ref('excluded.job_id'),
          })),
        )
        .compile(),
    ),
  };
}

function shiftTime(time: string, by_ms: number): string {
  return new Date(Date.parse(time) + by_ms).toISOString();
}
