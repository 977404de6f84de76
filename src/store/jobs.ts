import { sql, type Kysely, type Selectable } from 'kysely';
import type { PublishPlan } from '../core/listings/plan.js';
import type { JobRecord, LeaseTerm, ListingStore, TakenLease } from '../core/ports/index.js';
import { LATER, type Database } from './database.js';
import { fromJson, toJson } from './json.js';
import { IS_RUNNING, prepareRequireLease } from './leases.js';
import { prepareInsertMissing, prepareRequireSpending, prepareSave, toSave } from './publications.js';
import type { Tables } from './schema.js';

type JobTable = Pick<ListingStore, 'createJob' | 'findJob' | 'listJobs' | 'finishJob'>;

type NewJob = {
  account_id: string;
  listing_pk: number;
  job_id: string;
  state: 'publish' | 'active';
  plan: PublishPlan;
  lease?: LeaseTerm | undefined;
  now: string;
};

export function createJobTable(database: Database): JobTable {
  const { db } = database;
  const findRow = database.prepareFirst(selectJob(db).compile());
  const getJob = prepareGetJob(database);
  const insertJob = prepareInsertJob(database);
  const insertMissing = prepareInsertMissing(database);
  const requireSpending = prepareRequireSpending(database);
  const findRunning = database.prepare(() =>
    db
      .selectFrom('jobs')
      .selectAll()
      .where('account_id', '=', '')
      .where('listing_pk', '=', 0)
      .where(IS_RUNNING)
      .compile(),
  );
  const findById = database.prepare(() => selectJob(db).compile());
  const beginListing = database.prepare(() =>
    db
      .updateTable('listings')
      .set({ status: 'processing', state: 'publish', job_id: '', updated_at: '' })
      .where('account_id', '=', '')
      .where('listing_pk', '=', 0)
      .compile(),
  );
  const requireLease = prepareRequireLease(database);
  const save = prepareSave(database);
  const endJob = database.prepare(() =>
    db
      .updateTable('jobs')
      .set({
        status: 'completed',
        results: LATER,
        error_message: '',
        completed_at: '',
        lease_owner: sql`NULL`,
        lease_expires_at: sql`NULL`,
      })
      .where('account_id', '=', '')
      .where('job_id', '=', '')
      .compile(),
  );
  const endListing = database.prepare(() =>
    db
      .updateTable('listings')
      .set({ status: 'published', updated_at: '' })
      .where('account_id', '=', '')
      .where('listing_pk', '=', 0)
      .compile(),
  );
  return {
    createJob: (job) =>
      database.commit(() => {
        const { account_id, listing_pk, job_id, state, now } = job;
        const known = findRunning.first(account_id, listing_pk) ?? findById.first(account_id, job_id);
        if (known) return { created: false, job: toJob(known) };
        requireSpending(account_id, job.spending);
        insertJob(job);
        insertMissing(account_id, listing_pk, job.plan);
        beginListing.run('processing', state, job_id, now, account_id, listing_pk);
        return { created: true, job: getJob(account_id, job_id) };
      }),
    async listJobs(account_id, listing_pk) {
      const rows = await db
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
      database.commit(() => {
        const { account_id, job_id } = lease;
        const { listing_pk, status } = requireLease(lease);
        if (status === 'processing') {
          for (const publication of end.publications) {
            const refusal = save(toSave(lease, publication));
            if (refusal) throw refusal;
          }
          const ended = [end.status, toJson(end.results), end.error_message, end.now] as const;
          endJob.run(...ended, account_id, job_id);
          endListing.run(end.listing_status, end.now, account_id, listing_pk);
        }
        return getJob(account_id, job_id);
      }),
  };
}

/** What it prepares answers the lease, where one is to be taken. */
export function prepareInsertJob({ db, prepare }: Database): (job: NewJob) => TakenLease | undefined {
  const insert = prepare(() =>
    db
      .insertInto('jobs')
      .values({
        account_id: '',
        job_id: '',
        listing_pk: 0,
        state: 'publish',
        status: 'processing',
        plan: LATER,
        created_at: '',
        lease_owner: '',
        lease_expires_at: '',
        fence: 0,
      })
      .compile(),
  );
  return ({ account_id, job_id, listing_pk, state, plan, lease, now }) => {
    const fence = lease ? 1 : 0;
    const leased = [lease?.owner ?? null, lease?.expires_at ?? null, fence] as const;
    insert.run(account_id, job_id, listing_pk, state, 'processing', toJson(plan), now, ...leased);
    return lease && { account_id, job_id, fence, is_alone: true };
  };
}

/** What it prepares throws when there is none. */
export function prepareGetJob({ db, prepare }: Database): (account_id: string, job_id: string) => JobRecord {
  const find = prepare(() => selectJob(db).compile());
  return (account_id, job_id) => {
    const row = find.first(account_id, job_id);
    if (!row) throw new Error(`Job ${job_id} is not there.`);
    return toJob(row);
  };
}

function selectJob(db: Kysely<Tables>) {
  return db.selectFrom('jobs').selectAll().where('account_id', '=', '').where('job_id', '=', '');
}

function toJob(row: Selectable<Tables['jobs']>): JobRecord {
  const { account_id, job_id, listing_pk, state, status } = row;
  const plan = fromJson(row.plan);
  const facts = {
    account_id,
    job_id,
    listing_pk,
    state,
    results: row.results && fromJson(row.results),
    error_message: row.error_message,
    created_at: row.created_at,
    completed_at: row.completed_at,
  };
  if (status !== 'processing') return { ...facts, status, plan };
  if (plan === null) throw new Error(`Job ${job_id} runs without a plan.`);
  return { ...facts, status, plan };
}
