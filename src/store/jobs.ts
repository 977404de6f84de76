import type { Kysely, Selectable, Transaction } from 'kysely';
import type { PublishPlan } from '../core/listings/plan.js';
import type { JobRecord, ListingStore, SpendingLimit } from '../core/ports/index.js';
import type { Database } from './database.js';
import { fromJson, toJson } from './json.js';
import { requireLease } from './leases.js';
import { insertMissingPublications, requireSpending } from './publications.js';
import type { Tables } from './schema.js';

type JobTable = Pick<ListingStore, 'createJob' | 'findJob' | 'listJobs' | 'finishJob'>;

type NewJob = {
  account_id: string;
  listing_pk: number;
  job_id: string;
  state: 'publish' | 'active';
  plan: PublishPlan;
  spending?: SpendingLimit | undefined;
  now: string;
};

export function createJobTable(database: Database): JobTable {
  const findRow = database.prepareFirst(selectJob(database.db, '', '').compile());
  return {
    createJob: (job) =>
      database.write(async (trx) => {
        const running = await findRunningJob(trx, job.account_id, job.listing_pk);
        if (running) return { created: false, job: running };
        await requireSpending(trx, job.account_id, job.spending);
        await insertJob(trx, job);
        await insertMissingPublications(trx, job.account_id, job.listing_pk, job.plan);
        await trx
          .updateTable('listings')
          .set({ status: 'processing', state: job.state, job_id: job.job_id, updated_at: job.now })
          .where('account_id', '=', job.account_id)
          .where('listing_pk', '=', job.listing_pk)
          .execute();
        return { created: true, job: await getJob(trx, job.account_id, job.job_id) };
      }),
    async listJobs(account_id, listing_pk) {
      const rows = await database.db
        .selectFrom('jobs')
        .selectAll()
        .where('account_id', '=', account_id)
        .where('listing_pk', '=', listing_pk)
        .orderBy('created_at')
        .orderBy('job_id')
        .execute();
      return rows.map(toJob);
    },
    async findJob(account_id, job_id) {
      const row = await findRow(account_id, job_id);
      return row && toJob(row);
    },
    /** A job that has ended already stays as it ended. */
    finishJob: (lease, end) =>
      database.write(async (trx) => {
        const { account_id, job_id } = lease;
        const { listing_pk, status } = await requireLease(trx, lease);
        if (status !== 'processing') return getJob(trx, account_id, job_id);
        await trx
          .updateTable('jobs')
          .set({
            status: end.status,
            results: toJson(end.results),
            error_message: end.error_message,
            completed_at: end.now,
            lease_owner: null,
            lease_expires_at: null,
          })
          .where('account_id', '=', account_id)
          .where('job_id', '=', job_id)
          .execute();
        await trx
          .updateTable('listings')
          .set({ status: end.listing_status, updated_at: end.now })
          .where('account_id', '=', account_id)
          .where('listing_pk', '=', listing_pk)
          .execute();
        return getJob(trx, account_id, job_id);
      }),
  };
}

export async function insertJob(trx: Transaction<Tables>, job: NewJob): Promise<void> {
  const { account_id, job_id, listing_pk, state, plan, now } = job;
  await trx
    .insertInto('jobs')
    .values({
      account_id,
      job_id,
      listing_pk,
      state,
      status: 'processing',
      plan: toJson(plan),
      created_at: now,
    })
    .execute();
}

/** Throws when there is none. */
export async function getJob(
  trx: Transaction<Tables>,
  account_id: string,
  job_id: string,
): Promise<JobRecord> {
  const row = await selectJob(trx, account_id, job_id).executeTakeFirst();
  if (!row) throw new Error(`Job ${job_id} is not there.`);
  return toJob(row);
}

function selectJob(db: Kysely<Tables>, account_id: string, job_id: string) {
  return db.selectFrom('jobs').selectAll().where('account_id', '=', account_id).where('job_id', '=', job_id);
}

async function findRunningJob(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
): Promise<JobRecord | undefined> {
  const row = await trx
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .where('status', '=', 'processing')
    .executeTakeFirst();
  return row && toJob(row);
}

function toJob(row: Selectable<Tables['jobs']>): JobRecord {
  return {
    account_id: row.account_id,
    job_id: row.job_id,
    listing_pk: row.listing_pk,
    state: row.state,
    status: row.status,
    plan: fromJson(row.plan),
    results: row.results && fromJson(row.results),
    error_message: row.error_message,
    created_at: row.created_at,
    completed_at: row.completed_at,
  };
}
