import { sql, type Selectable, type SqlBool } from 'kysely';
import { LeaseLostError, type JobLease, type ListingStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import type { Presence } from './engine/sqlite/presence.js';
import type { Tables } from './schema.js';

/** The index of what runs is used only where its condition stands in the text of the query, so `processing` is no parameter. */
export const IS_RUNNING = sql<SqlBool>`jobs.status = 'processing'`;

type LeaseStore = Pick<
  ListingStore,
  'claimJob' | 'renewLease' | 'releaseLease' | 'releaseDeadLeases' | 'listClaimableJobs'
>;

/**
 * Who may work on a job. The fence grows with each taking and is what every write is held against, so that a process that slept
 * through its lease is refused even when it never noticed.
 */
export function createLeases(database: Database, presence: Presence): LeaseStore {
  const { db } = database;
  const requireLease = prepareRequireLease(database);
  const findOwner = database.prepare(() =>
    db
      .selectFrom('jobs')
      .select('lease_owner')
      .where('account_id', '=', '')
      .where('job_id', '=', '')
      .compile(),
  );
  const take = database.prepare(() =>
    db
      .updateTable('jobs')
      .set({ lease_owner: '', lease_expires_at: '', fence: sql<number>`fence + 1` })
      .where('account_id', '=', '')
      .where('job_id', '=', '')
      .where('status', '=', 'processing')
      .where((eb) => eb.or([eb('lease_expires_at', 'is', null), eb('lease_expires_at', '<=', '')]))
      .returning('fence')
      .compile(),
  );
  return {
    async claimJob(account_id, job_id, owner, lease_expires_at, now) {
      presence.announce(owner);
      return database.commit(() => {
        const before = findOwner.first(account_id, job_id);
        const row = take.first(owner, lease_expires_at, account_id, job_id, 'processing', now);
        if (!before || !row) return undefined;
        return { account_id, job_id, fence: row.fence, is_alone: before.lease_owner === null };
      });
    },
    renewLease: (lease, lease_expires_at) =>
      database.write(async (trx) => {
        requireLease(lease);
        await trx
          .updateTable('jobs')
          .set({ lease_expires_at })
          .where('account_id', '=', lease.account_id)
          .where('job_id', '=', lease.job_id)
          .where('fence', '=', lease.fence)
          .execute();
      }),
    /** Nothing happens when the lease was lost, or ended with the job: then nothing is written. */
    releaseLease: (lease) =>
      database.write(async (trx) => {
        await trx
          .updateTable('jobs')
          .set({ lease_owner: null, lease_expires_at: null })
          .where('account_id', '=', lease.account_id)
          .where('job_id', '=', lease.job_id)
          .where('fence', '=', lease.fence)
          .where('lease_owner', 'is not', null)
          .execute();
      }),
    async releaseDeadLeases() {
      const rows = await database.db
        .selectFrom('jobs')
        .select('lease_owner')
        .distinct()
        .where(IS_RUNNING)
        .where('lease_owner', 'is not', null)
        .execute();
      const gone = rows
        .flatMap(({ lease_owner }) => lease_owner ?? [])
        .filter((owner) => !presence.isPresent(owner));
      if (gone.length === 0) return;
      await database.write((trx) =>
        trx
          .updateTable('jobs')
          .set({ lease_owner: null, lease_expires_at: null })
          .where(IS_RUNNING)
          .where('lease_owner', 'in', gone)
          .execute(),
      );
    },
    listClaimableJobs: (now) =>
      database.db
        .selectFrom('jobs')
        .select(['account_id', 'job_id'])
        .where(IS_RUNNING)
        .where((eb) => eb.or([eb('lease_expires_at', 'is', null), eb('lease_expires_at', '<=', now)]))
        .orderBy('created_at')
        .orderBy('job_id')
        .execute(),
  };
}

/** What it prepares throws LeaseLostError when a higher fence was given out. */
export function prepareRequireLease({
  db,
  prepare,
}: Database): (lease: JobLease) => Pick<Selectable<Tables['jobs']>, 'listing_pk' | 'status'> {
  const find = prepare(() =>
    db
      .selectFrom('jobs')
      .select(['listing_pk', 'status'])
      .where('account_id', '=', '')
      .where('job_id', '=', '')
      .where('fence', '=', 0)
      .compile(),
  );
  return (lease) => {
    const job = find.first(lease.account_id, lease.job_id, lease.fence);
    if (!job) throw buildLeaseLost(lease);
    return job;
  };
}

export function buildLeaseLost({ job_id }: JobLease): LeaseLostError {
  return new LeaseLostError(`Another process has taken over job ${job_id}.`);
}
