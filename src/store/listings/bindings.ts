import type { Transaction } from 'kysely';
import {
  KeyReusedError,
  type Binding,
  type BindingMatch,
  type BoundListing,
} from '../../core/ports/index.js';
import { shiftTime } from '../engine/engine.js';
import { getJob, toShopJob } from '../jobs/rows.js';
import type { Tables } from '../schema.js';
import { getListing } from './rows.js';

const KEY_VALID_MS = 30 * 24 * 60 * 60 * 1000;

type Bound = { listing_pk: number; job_id: string | null };

/**
 * See ListingStore.findBinding. A key is only compared with keys; a body without a key, with the last creation with that
 * body, keyed or not.
 */
export async function matchBinding(
  trx: Transaction<Tables>,
  account_id: string,
  { key, digest }: Binding,
  now: string,
  replay_ms: number,
): Promise<BindingMatch> {
  if (key === null) return matchDigest(trx, account_id, digest, now, replay_ms);
  const row = await trx
    .selectFrom('key_bindings')
    .select(['digest', 'listing_pk', 'job_id'])
    .where('account_id', '=', account_id)
    .where('key', '=', key)
    .where('bound_at', '>', shiftTime(now, -KEY_VALID_MS))
    .executeTakeFirst();
  if (!row) return { match: 'none' };
  if (row.digest !== digest) return { match: 'reused', listing_pk: row.listing_pk };
  return { match: 'same', ...(await getBound(trx, account_id, row)) };
}

async function matchDigest(
  trx: Transaction<Tables>,
  account_id: string,
  digest: string,
  now: string,
  replay_ms: number,
): Promise<BindingMatch> {
  const row = await trx
    .selectFrom('digest_bindings')
    .select(['listing_pk', 'job_id', 'bound_at'])
    .where('account_id', '=', account_id)
    .where('digest', '=', digest)
    .executeTakeFirst();
  if (!row) return { match: 'none' };
  const bound = await getBound(trx, account_id, row);
  const ended_at = bound.job ? bound.job.completed_at : row.bound_at;
  // If there is no time to replay, a job that another process ended by a clock that is ahead has ended, too.
  const isFresh = ended_at === null || (replay_ms > 0 && ended_at > shiftTime(now, -replay_ms));
  return isFresh ? { match: 'same', ...bound } : { match: 'none' };
}

async function getBound(
  trx: Transaction<Tables>,
  account_id: string,
  { listing_pk, job_id }: Bound,
): Promise<BoundListing> {
  return {
    listing: await getListing(trx, account_id, listing_pk),
    job: job_id === null ? undefined : toShopJob(await getJob(trx, account_id, job_id)),
  };
}

/**
 * The listing and job of an equal earlier request, while the job runs or as long as its key counts. Throws KeyReusedError.
 */
export async function findBound(
  trx: Transaction<Tables>,
  account_id: string,
  binding: Binding,
  now: string,
): Promise<BoundListing | undefined> {
  const known = await matchBinding(trx, account_id, binding, now, 0);
  if (known.match === 'reused') throw new KeyReusedError('the key came before with another request');
  return known.match === 'same' ? known : undefined;
}

/** Binds a new listing to its key, if it has one, and to its digest. An existing binding had expired, or is older. */
export async function bind(
  trx: Transaction<Tables>,
  account_id: string,
  { key, digest }: Binding,
  bound: Bound,
  now: string,
): Promise<void> {
  const values = { ...bound, bound_at: now };
  if (key !== null) {
    const keyed = { digest, ...values };
    await trx
      .insertInto('key_bindings')
      .values({ account_id, key, ...keyed })
      .onConflict((conflict) => conflict.columns(['account_id', 'key']).doUpdateSet(keyed))
      .execute();
  }
  await trx
    .insertInto('digest_bindings')
    .values({ account_id, digest, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'digest']).doUpdateSet(values))
    .execute();
}
