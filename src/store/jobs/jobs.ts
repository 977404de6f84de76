import type { Transaction } from 'kysely';
import type {
  JobClaim,
  JobEnd,
  JobRecord,
  ListingStore,
  NewJob,
  RequestChange,
  ChangeRef,
  Page,
} from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { lockAccount } from '../identity/lock_account.js';
import { fromJson, toJson } from '../json.js';
import {
  insertMissing,
  saveOwnChanges,
  savePublication,
  toPublicationRow,
  type PublicationRow,
} from '../listings/publications.js';
import { bind, findBound } from '../listings/bindings.js';
import { takeEditLicenses } from './edit_licenses.js';
import { saveRequest } from '../listings/save_request.js';
import { requireUnchanged } from '../listings/rows.js';
import { mergeSnapshot } from '../listings/snapshots.js';
import { requireSpending, returnClaimed } from '../listings/spending.js';
import { moveListing } from '../listings/totals.js';
import { toNumber } from '../numbers.js';
import type { Tables } from '../schema.js';
import { toStoredFact } from './stored_facts.js';
import { saveBatchEnd } from './batch_ends.js';
import { RELEASED } from '../engine/claims.js';
import { createJobClaims, IS_RUNNING, requireClaim } from './claims.js';
import { createJobParts } from './parts.js';
import { findJob, findRunning, getJob, toJob, toPublishJob } from './rows.js';

type JobRepository = Pick<
  ListingStore,
  | 'createJob'
  | 'findJob'
  | 'findRunningJob'
  | 'findPublishJob'
  | 'findRequestChange'
  | 'listJobs'
  | 'listChanges'
  | 'finishJob'
  | 'cancelJob'
  | 'isCanceled'
> &
  ReturnType<typeof createJobClaims> &
  ReturnType<typeof createJobParts>;

/** Jobs of listings, and which process may work on them. */
export function createJobRepository(engine: Engine<Tables>): JobRepository {
  const { read, write } = engine;
  return {
    ...createJobClaims(engine),
    ...createJobParts(engine),
    createJob: (job) =>
      write(async (trx) => {
        const { account_id, listing_pk, job_id } = job;
        await lockAccount(engine, trx, account_id);
        const running =
          listing_pk === null ? await findSamePlan(trx, job) : await findRunning(trx, account_id, listing_pk);
        const known = running ?? (await findJob(trx, account_id, job_id));
        if (known) return { created: false, job: known };
        const now = await engine.now(trx);
        const bound = job.binding && (await findBound(trx, account_id, job.binding, now))?.job;
        if (bound) return { created: false, job: bound };
        if (listing_pk !== null) await requireUnchanged(trx, account_id, listing_pk, job.as_of);
        await requireSpending(engine, trx, account_id, job.spending);
        const created = await insertJob(trx, await withLicenses(trx, job, now), now);
        if (job.binding && listing_pk !== null) {
          await bind(trx, account_id, job.binding, { listing_pk, job_id }, now);
        }
        if (job.kind === 'publish') {
          const shops = job.copied?.shops ?? job.plan.shops.map(({ shop_id }) => ({ shop_id }));
          await insertMissing(trx, account_id, job.listing_pk, shops);
          if (job.copied) await saveRequest(engine, trx, account_id, job.listing_pk, job.copied.request);
          const changes = { status: 'processing', state: job.state, job_id, updated_at: now } as const;
          await moveListing(trx, account_id, job.listing_pk, changes);
        }
        return { created: true, job: created };
      }),
    async listJobs(account_id, listing_pk) {
      const rows = await read((trx) =>
        trx
          .selectFrom('jobs')
          .selectAll()
          .where('account_id', '=', account_id)
          .where('listing_pk', '=', listing_pk)
          .orderBy('number')
          .execute(),
      );
      return rows.map(toJob);
    },
    listChanges: (account_id, page) => read((trx) => listChanges(trx, account_id, page)),
    findRunningJob: (account_id, listing_pk) => read((trx) => findRunning(trx, account_id, listing_pk)),
    findJob: (account_id, job_id) => read((trx) => findJob(trx, account_id, job_id)),
    async findPublishJob({ account_id, job_id }) {
      const job = job_id === null ? undefined : await read((trx) => findJob(trx, account_id, job_id));
      return job && toPublishJob(job);
    },
    async findRequestChange(account_id, job_id) {
      const row = await read((trx) =>
        trx
          .selectFrom('jobs')
          .select('request_change')
          .where('account_id', '=', account_id)
          .where('job_id', '=', job_id)
          .executeTakeFirst(),
      );
      return row?.request_change ? fromJson(row.request_change) : undefined;
    },
    async cancelJob(account_id, job_id) {
      await write((trx) =>
        trx
          .updateTable('jobs')
          .set({ error_message: toStoredFact({ code: 'job_canceled', params: {} }) })
          .where('account_id', '=', account_id)
          .where('job_id', '=', job_id)
          .where('kind', '<>', 'batch')
          .where('batch_id', 'is', null)
          .where(IS_RUNNING)
          .execute(),
      );
    },
    async isCanceled(account_id, job_id) {
      const row = await read((trx) =>
        trx
          .selectFrom('jobs')
          .select('error_message')
          .where('account_id', '=', account_id)
          .where('job_id', '=', job_id)
          .where(IS_RUNNING)
          .executeTakeFirst(),
      );
      return row !== undefined && row.error_message !== null;
    },
    async finishJob(claim, end) {
      const { account_id, job_id } = claim;
      const publications = (end.publications ?? []).map(toPublicationRow);
      return write(async (trx) => {
        await lockAccount(engine, trx, account_id);
        const { listing_pk, status } = await requireClaim(engine, trx, claim);
        if (status !== 'processing') return getJob(trx, account_id, job_id);
        if (listing_pk !== null) await saveEnd(trx, claim, listing_pk, end, publications);
        const now = await engine.now(trx);
        if (end.batch) await saveBatchEnd(trx, account_id, end.batch, now);
        const row = await trx
          .updateTable('jobs')
          .set({
            status: end.status,
            results: end.results && toJson(end.results),
            error_message: toStoredFact(end.error_message),
            completed_at: now,
            ...RELEASED,
          })
          .where('account_id', '=', account_id)
          .where('job_id', '=', job_id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const job = toJob(row);
        const batch_id = job.kind === 'update' || job.kind === 'publish' ? job.plan?.batch_id : undefined;
        if (batch_id !== undefined) await returnClaimed(trx, row, batch_id);
        if (listing_pk !== null && end.listing_status !== undefined) {
          await moveListing(trx, account_id, listing_pk, { status: end.listing_status, updated_at: now });
        }
        return job;
      });
    },
  };

  async function saveEnd(
    trx: Transaction<Tables>,
    claim: JobClaim,
    listing_pk: number,
    { request, own = [], snapshots = [] }: JobEnd,
    publications: readonly PublicationRow[],
  ): Promise<void> {
    const { account_id } = claim;
    for (const row of publications) await savePublication(engine, trx, claim, listing_pk, row);
    for (const snapshot of snapshots) await mergeSnapshot(engine, trx, account_id, listing_pk, snapshot);
    if (!request) return;
    const changed = await saveOwnChanges(trx, account_id, listing_pk, own);
    const before = await saveRequest(engine, trx, account_id, listing_pk, request);
    await trx
      .updateTable('jobs')
      .set({
        request_change: toJson<RequestChange>({
          before,
          after: request,
          ...(changed.length > 0 && { own: changed }),
        }),
      })
      .where('account_id', '=', account_id)
      .where('job_id', '=', claim.job_id)
      .execute();
  }
}

/** The job, with the licenses that the dry run of its call left. */
async function withLicenses(trx: Transaction<Tables>, job: NewJob, now: string): Promise<NewJob> {
  if (job.kind !== 'update' || !job.license) return job;
  const licensed = await takeEditLicenses(trx, job.account_id, job.license, now);
  return licensed.length > 0 ? { ...job, plan: { ...job.plan, licensed } } : job;
}

type Plan = NewJob['plan'] | null;

/**
 * Inserts a job that runs from now on, claimed by no process yet. Call it with the account's row locked, in a transaction
 * that found no running job of the listing and checked the spending limit: this function checks neither, and a second running
 * job of a listing is a duplicate. The caller also saves the publications and the listing's status.
 * @param now by the engine's clock
 */
export async function insertJob(trx: Transaction<Tables>, job: NewJob, now: string): Promise<JobRecord> {
  const { account_id, job_id, kind, listing_pk, plan } = job;
  const { last } = await trx
    .selectFrom('jobs')
    .select((eb) => eb.fn.max('number').as('last'))
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .executeTakeFirstOrThrow();
  const row = await trx
    .insertInto('jobs')
    .values({
      account_id,
      job_id,
      kind,
      listing_pk,
      number: toNumber(last) + 1,
      state: job.kind === 'publish' ? job.state : null,
      status: 'processing',
      plan: toJson<Plan>(plan),
      created_at: now,
      fees: job.spending?.wanted ?? 0,
      started_by: job.started_by ? toJson(job.started_by) : null,
      batch_id: job.kind === 'update' || job.kind === 'publish' ? (job.plan.batch_id ?? null) : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toJob(row);
}

/** A running job that has the same plan: an import of the same listings. */
async function findSamePlan(
  trx: Transaction<Tables>,
  { account_id, plan }: NewJob,
): Promise<JobRecord | undefined> {
  const row = await trx
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('listing_pk', 'is', null)
    .where('plan', '=', toJson<Plan>(plan))
    .where(IS_RUNNING)
    .executeTakeFirst();
  return row && toJob(row);
}

/** Jobs that belong to no batch, and batches, newest first. Omits discarded plans, and undos that were only planned. */
async function listChanges(
  trx: Transaction<Tables>,
  account_id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<ChangeRef>> {
  const jobs = trx
    .selectFrom('jobs')
    .where('account_id', '=', account_id)
    .where('batch_id', 'is', null)
    .where('kind', '<>', 'batch');
  const batches = trx
    .selectFrom('batches')
    .where('account_id', '=', account_id)
    .where(({ and, eb, or }) =>
      or([eb('started_at', 'is not', null), and([eb('status', '<>', 'canceled'), eb('undoes', 'is', null)])]),
    );
  const single = await jobs.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const many = await batches.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await jobs
    .select(['job_id as id', 'created_at', (eb) => eb.val('job').as('kind')])
    .unionAll(batches.select(['batch_id as id', 'created_at', (eb) => eb.val('batch').as('kind')]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return {
    total: toNumber(single.total) + toNumber(many.total),
    items: rows.map(({ id, kind }) =>
      kind === 'batch' ? { kind: 'batch', batch_id: id } : { kind: 'job', job_id: id },
    ),
  };
}
