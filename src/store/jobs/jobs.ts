import type { Selectable, Transaction } from 'kysely';
import type { PublishPlan } from '../../core/listings/plan.js';
import type { JobRecord, ListingStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { lockAccount } from '../identity/lock_account.js';
import { fromJson, toJson } from '../json.js';
import { insertMissing, savePublication, toPublicationRow } from '../listings/publications.js';
import { requireSpending } from '../listings/spending.js';
import { moveListing } from '../listings/totals.js';
import type { Tables } from '../schema.js';
import { createJobClaims, IS_RUNNING, requireClaim } from './claims.js';
import { addToJobTotals } from './totals.js';

type JobRepository = Pick<ListingStore, 'createJob' | 'findJob' | 'listJobs' | 'finishJob'> &
  ReturnType<typeof createJobClaims>;

/** Jobs of listings, and which process may work on them. */
export function createJobRepository(engine: Engine<Tables>): JobRepository {
  const { read, write } = engine;
  return {
    ...createJobClaims(engine),
    createJob: (job) =>
      write(async (trx) => {
        const { account_id, listing_pk, job_id, state, plan } = job;
        await lockAccount(trx, account_id);
        const known =
          (await findRunning(trx, account_id, listing_pk)) ?? (await findJob(trx, account_id, job_id));
        if (known) return { created: false, job: known };
        await requireSpending(engine, trx, account_id, job.spending);
        const now = await engine.now(trx);
        const created = await insertJob(trx, { account_id, listing_pk, job_id, state, plan, now });
        await insertMissing(trx, account_id, listing_pk, plan);
        const changes = { status: 'processing', state, job_id, updated_at: now } as const;
        await moveListing(trx, account_id, listing_pk, changes);
        return { created: true, job: created };
      }),
    async listJobs(account_id, listing_pk) {
      const rows = await read((trx) =>
        trx
          .selectFrom('jobs')
          .selectAll()
          .where('account_id', '=', account_id)
          .where('listing_pk', '=', listing_pk)
          .orderBy('created_at')
          .orderBy('job_id')
          .execute(),
      );
      return rows.map(toJob);
    },
    findJob: (account_id, job_id) => read((trx) => findJob(trx, account_id, job_id)),
    async finishJob(claim, end) {
      const { account_id, job_id } = claim;
      const publications = end.publications.map(toPublicationRow);
      return write(async (trx) => {
        await lockAccount(trx, account_id);
        const { listing_pk, status } = await requireClaim(trx, claim);
        if (status !== 'processing') return getJob(trx, account_id, job_id);
        for (const row of publications) await savePublication(engine, trx, account_id, listing_pk, row);
        const now = await engine.now(trx);
        const row = await trx
          .updateTable('jobs')
          .set({
            status: end.status,
            results: toJson(end.results),
            error_message: end.error_message,
            completed_at: now,
            claimed_by: null,
            claimed_until: null,
          })
          .where('account_id', '=', account_id)
          .where('job_id', '=', job_id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await addToJobTotals(trx, account_id, 'processing', -1);
        await addToJobTotals(trx, account_id, end.status, 1);
        await moveListing(trx, account_id, listing_pk, { status: end.listing_status, updated_at: now });
        return toJob(row);
      });
    },
  };
}

/**
 * Inserts a job that runs from now on, claimed by no process yet, and counts it. Call it with the account's row taken, in a transaction
 * that found no running job of the listing and checked the limit of spending: neither is looked at here, and a second running job of a
 * listing is a duplicate. Publications and the listing's status are the caller's too.
 * @param job `now` by the engine's clock
 */
export async function insertJob(
  trx: Transaction<Tables>,
  job: {
    account_id: string;
    listing_pk: number;
    job_id: string;
    state: 'publish' | 'active';
    plan: PublishPlan;
    now: string;
  },
): Promise<JobRecord> {
  const { account_id, listing_pk, job_id, state, plan, now } = job;
  const row = await trx
    .insertInto('jobs')
    .values({
      account_id,
      job_id,
      listing_pk,
      state,
      status: 'processing',
      plan: toJson<PublishPlan | null>(plan),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await addToJobTotals(trx, account_id, 'processing', 1);
  return toJob(row);
}

/** All of one listing. */
export async function deleteJobs(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
): Promise<void> {
  const deleted = await trx
    .deleteFrom('jobs')
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .returning('status')
    .execute();
  for (const { status } of deleted) await addToJobTotals(trx, account_id, status, -1);
}

/** The job of a listing that runs. That there is none holds for as long as the account's row is taken. */
export async function findRunning(
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
): Promise<JobRecord | undefined> {
  const row = await trx
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .where(IS_RUNNING)
    .executeTakeFirst();
  return row && toJob(row);
}

/** For a job that another row refers to. */
export async function getJob(
  trx: Transaction<Tables>,
  account_id: string,
  job_id: string,
): Promise<JobRecord> {
  const job = await findJob(trx, account_id, job_id);
  if (!job) throw new Error(`Job ${job_id} is not there.`);
  return job;
}

async function findJob(
  trx: Transaction<Tables>,
  account_id: string,
  job_id: string,
): Promise<JobRecord | undefined> {
  const row = await trx
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('job_id', '=', job_id)
    .executeTakeFirst();
  return row && toJob(row);
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
