import type { Selectable, Transaction } from 'kysely';
import type { JobRecord, PublishJob, ShopJob } from '../../core/ports/index.js';
import { fromJsonOfFacts, fromStoredFact } from './stored_facts.js';
import { toPublishPlan } from './earlier_plans.js';
import { readWithRefs } from './labeled_differences.js';
import { fromJson } from '../json.js';
import type { Tables } from '../schema.js';
import { IS_RUNNING } from './claims.js';

/** The running job of a listing. If there is none, that remains true for as long as the account's row is locked. */
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

/** Undefined if the account has no job with this id. */
export async function findJob(
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

/** For a job that is known to publish: listings name no others. */
export function toPublishJob(job: JobRecord): PublishJob {
  if (job.kind !== 'publish') throw new Error(`Job ${job.job_id} does not publish.`);
  return job;
}

/** For a job that is known to have results by shop: bindings name no others. */
export function toShopJob(job: JobRecord): ShopJob {
  if (job.listing_pk === null) throw new Error(`Job ${job.job_id} has kind '${job.kind}'.`);
  return job;
}

// oxlint-disable typescript/no-unsafe-type-assertion -- a job's kind says of what shape its plan and results are
/** A row with its JSON read. */
export function toJob(row: Selectable<Tables['jobs']>): JobRecord {
  const { account_id, job_id, kind, listing_pk, state, status, created_at, completed_at } = row;
  const stored = readWithRefs(row.plan);
  const plan = kind === 'publish' ? toPublishPlan(stored) : stored;
  if (status === 'processing' && plan === null) throw new Error(`Job ${job_id} runs without a plan.`);
  const results = row.results && fromJsonOfFacts(row.results);
  const error_message = fromStoredFact(row.error_message);
  const isRestored = row.is_restored === 1;
  const facts = {
    account_id,
    job_id,
    status,
    error_message,
    created_at,
    completed_at,
    is_restored: isRestored,
  };
  const started_by = row.started_by && fromJson(row.started_by);
  return {
    ...facts,
    ...(started_by && { started_by }),
    kind,
    listing_pk,
    ...(kind === 'publish' && { state }),
    plan,
    results,
  } as JobRecord;
}
