import type { Selectable, Transaction } from 'kysely';
import {
  QuotaError,
  type BatchRecord,
  type BatchStore,
  type CreatedBatch,
  type JobClaim,
} from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { toBatches } from '../engine/lengths.js';
import { lockAccount } from '../identity/lock_account.js';
import { createBatchItems } from './batch_items.js';
import { insertJob } from './jobs.js';
import { requireClaim } from './claims.js';
import { fromJson, toJson } from '../json.js';
import { requireSpending } from '../listings/spending.js';
import { toNumber } from '../numbers.js';
import type { Tables } from '../schema.js';
import { toBit } from '../tables/bit.js';

const UNFINISHED = ['planning', 'planned', 'running', 'paused'] as const;

export function createBatchRepository(engine: Engine<Tables>): BatchStore {
  const { read, write } = engine;

  /** Locks the batch's row, and the account's, until the transaction ends. */
  async function lockBatch(
    trx: Transaction<Tables>,
    account_id: string,
    batch_id: string,
  ): Promise<BatchRecord | undefined> {
    await lockAccount(engine, trx, account_id);
    return findBatch(trx, account_id, batch_id);
  }

  async function findBatch(trx: Transaction<Tables>, account_id: string, batch_id: string) {
    const row = await selectBatches(trx, account_id).where('batch_id', '=', batch_id).executeTakeFirst();
    return row && toBatch(row, await engine.now(trx));
  }

  /** A write of the job that works on the batch. */
  function writeClaimed(claim: JobClaim, work: (trx: Transaction<Tables>) => Promise<void>): Promise<void> {
    return write(async (trx) => {
      await requireClaim(engine, trx, claim);
      await work(trx);
    });
  }

  return {
    ...createBatchItems(engine),
    createBatch: ({
      account_id,
      batch_id,
      job_id,
      spec,
      sheet_edits,
      warnings,
      life_ms,
      key,
      digest,
      most,
      started_by,
      replaces,
    }) =>
      write(async (trx): Promise<CreatedBatch> => {
        await lockAccount(engine, trx, account_id);
        const now = await engine.now(trx);
        if (key !== null) {
          const known = await selectBatches(trx, account_id).where('key', '=', key).executeTakeFirst();
          if (known && known.digest !== digest) return { is: 'reused' };
          if (known) return { is: 'known', batch: toBatch(known, now) };
        }
        if (replaces !== undefined) await cancelPlan(trx, account_id, replaces, now);
        const undoes = spec.kind === 'undo' ? spec.undoes : null;
        if (undoes !== null) {
          const rows = await selectBatches(trx, account_id)
            .where('undoes', '=', undoes)
            .where('status', 'in', UNFINISHED)
            .execute();
          const other = rows.map((row) => toBatch(row, now)).find(({ status }) => status !== 'expired');
          const isSame = rows.some((row) => row.batch_id === other?.batch_id && row.digest === digest);
          if (other && (isSame || other.status !== 'planned')) {
            return { is: isSame ? 'known' : 'unfinished', batch: other };
          }
          // A plan that nobody started, such as that of a dry run, is replaced by the new one.
          if (other) await cancelPlan(trx, account_id, other.batch_id, now);
        } else if ((await countOpenPlans(trx, account_id, now)) >= most.open_plans) {
          throw new QuotaError('open_plans');
        }
        const row = await trx
          .insertInto('batches')
          .values({
            account_id,
            batch_id,
            undoes,
            status: 'planning',
            reason: null,
            spec: toJson(spec),
            warnings: toJson(warnings),
            job_id,
            key,
            digest,
            created_at: now,
            expires_at: shiftTime(now, life_ms),
            started_at: null,
            completed_at: null,
            started_by: started_by ? toJson(started_by) : null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const edits = [...(sheet_edits ?? [])].map(([listing_pk, own]) => ({
          account_id,
          batch_id,
          listing_pk,
          edits: toJson(own),
        }));
        for (const rows of toBatches(edits)) await trx.insertInto('batch_edits').values(rows).execute();
        await insertJob(trx, buildJob(account_id, job_id, batch_id, 'plan'), now);
        return { is: 'created', batch: toBatch(row, now) };
      }),
    findBatchByKey: (account_id, key) =>
      read(async (trx) => {
        const row = await selectBatches(trx, account_id).where('key', '=', key).executeTakeFirst();
        return row && { batch: toBatch(row, await engine.now(trx)), digest: row.digest };
      }),
    findBatch: (account_id, batch_id) => read((trx) => findBatch(trx, account_id, batch_id)),
    findBatchOfJob: (account_id, job_id) =>
      read(async (trx) => {
        const row = await selectBatches(trx, account_id).where('job_id', '=', job_id).executeTakeFirst();
        return row && toBatch(row, await engine.now(trx));
      }),
    findUndo: (account_id, batch_id) =>
      read(async (trx) => {
        const row = await selectBatches(trx, account_id)
          .where('undoes', '=', batch_id)
          .where('started_at', 'is not', null)
          .orderBy('started_at', 'desc')
          .executeTakeFirst();
        return row && toBatch(row, await engine.now(trx));
      }),
    listBatches: (account_id, { limit, offset }) =>
      read(async (trx) => {
        const { total } = await trx
          .selectFrom('batches')
          .select((eb) => eb.fn.countAll().as('total'))
          .where('account_id', '=', account_id)
          .executeTakeFirstOrThrow();
        const rows = await selectBatches(trx, account_id)
          .orderBy('created_at', 'desc')
          .orderBy('batch_id', 'desc')
          .limit(limit)
          .offset(offset)
          .execute();
        const now = await engine.now(trx);
        return { total: toNumber(total), items: rows.map((row) => toBatch(row, now)) };
      }),
    startBatch: ({ account_id, batch_id, job_id, spending, started_by }) =>
      write(async (trx) => {
        const batch = await lockBatch(trx, account_id, batch_id);
        if (!batch) throw new Error(`batch ${batch_id} is not there`);
        if (batch.started_at !== null) return { is: 'running', batch };
        if (batch.status !== 'planned') return { is: 'unstartable', batch };
        await requireSpending(engine, trx, account_id, spending);
        const now = await engine.now(trx);
        await insertJob(trx, { ...buildJob(account_id, job_id, batch_id, 'run'), spending }, now);
        await queueItems(trx, account_id, batch_id);
        const row = await trx
          .updateTable('batches')
          .set({
            status: 'running',
            job_id,
            started_at: await findStart(trx, account_id, now),
            ...(started_by && { started_by: toJson(started_by) }),
          })
          .where('account_id', '=', account_id)
          .where('batch_id', '=', batch_id)
          .returningAll()
          .executeTakeFirstOrThrow();
        return { is: 'started', batch: toBatch(row, now) };
      }),
    startPlanned: (claim, batch_id) =>
      write(async (trx) => {
        const { account_id } = claim;
        await lockAccount(engine, trx, account_id);
        await requireClaim(engine, trx, claim);
        const started_at = await findStart(trx, account_id, await engine.now(trx));
        const { numUpdatedRows } = await trx
          .updateTable('batches')
          .set({ status: 'running', started_at })
          .where('account_id', '=', account_id)
          .where('batch_id', '=', batch_id)
          .where('status', '=', 'planning')
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        await queueItems(trx, account_id, batch_id);
        return true;
      }),
    cancelBatch: (account_id, batch_id, { spares_started = false } = {}) =>
      write(async (trx) => {
        const batch = await lockBatch(trx, account_id, batch_id);
        if (!batch) return undefined;
        const { status } = batch;
        const now = await engine.now(trx);
        const isRunning = status === 'running' || status === 'paused';
        const isOver = !isRunning && status !== 'planning' && status !== 'planned';
        if (isOver || (isRunning && spares_started)) return batch;
        const row = await trx
          .updateTable('batches')
          .set(
            isRunning
              ? { is_canceling: toBit(true) }
              : { status: 'canceled', is_canceling: toBit(status === 'planning'), completed_at: now },
          )
          .where('account_id', '=', account_id)
          .where('batch_id', '=', batch_id)
          .returningAll()
          .executeTakeFirstOrThrow();
        if (!isRunning) await cancelItems(trx, account_id, batch_id);
        return toBatch(row, now);
      }),
    takeTurn: (claim, batch_id) =>
      write(async (trx) => {
        const { account_id } = claim;
        const batch = await lockBatch(trx, account_id, batch_id);
        await requireClaim(engine, trx, claim);
        if (!batch || batch.is_canceling || batch.status === 'canceled') return 'canceled';
        // A batch that waits for a shop to be connected again lets the others pass, until none of them runs.
        const isBehind = batch.reason === 'reconnect';
        const first = await selectStarted(trx, account_id)
          .where(({ eb, or }) => or([eb('status', '=', 'running'), eb('reason', '=', 'limits')]))
          .where('batch_id', '<>', batch_id)
          .orderBy('started_at')
          .executeTakeFirst();
        const isFirst =
          first === undefined ||
          (!isBehind && batch.started_at !== null && batch.started_at < first.started_at);
        if (!isFirst) return 'wait';
        // In the same transaction, so that no other batch takes the turn as well.
        await trx
          .updateTable('batches')
          .set({ status: 'running', reason: null })
          .where('account_id', '=', account_id)
          .where('batch_id', '=', batch_id)
          .execute();
        return 'go';
      }),
    savePause: (claim, batch_id, reason) =>
      writeClaimed(claim, async (trx) => {
        await trx
          .updateTable('batches')
          .set({ status: reason === null ? 'running' : 'paused', reason })
          .where('account_id', '=', claim.account_id)
          .where('batch_id', '=', batch_id)
          .where('status', 'in', ['running', 'paused'])
          .execute();
      }),
  };
}

function selectBatches(trx: Transaction<Tables>, account_id: string) {
  return trx.selectFrom('batches').selectAll().where('account_id', '=', account_id);
}

/** Plans that can still be started. */
async function countOpenPlans(trx: Transaction<Tables>, account_id: string, now: string): Promise<number> {
  const { total } = await trx
    .selectFrom('batches')
    .select((eb) => eb.fn.countAll().as('total'))
    .where('account_id', '=', account_id)
    .where(({ and, eb, or }) =>
      or([eb('status', '=', 'planning'), and([eb('status', '=', 'planned'), eb('expires_at', '>', now)])]),
    )
    .executeTakeFirstOrThrow();
  return toNumber(total);
}

/** Batches that were started and have not ended. */
function selectStarted(trx: Transaction<Tables>, account_id: string) {
  return trx
    .selectFrom('batches')
    .select('started_at')
    .$narrowType<{ started_at: string }>()
    .where('account_id', '=', account_id)
    .where('started_at', 'is not', null)
    .where('completed_at', 'is', null);
}

/** Now, or just after the last start: the clocks of processes differ, and batches take turns in the order of their starts. */
async function findStart(trx: Transaction<Tables>, account_id: string, now: string): Promise<string> {
  const last = await selectStarted(trx, account_id).orderBy('started_at', 'desc').executeTakeFirst();
  return last === undefined || last.started_at < now ? now : shiftTime(last.started_at, 1);
}

async function queueItems(trx: Transaction<Tables>, account_id: string, batch_id: string): Promise<void> {
  await trx
    .updateTable('batch_items')
    .set({ status: 'waiting' })
    .where('account_id', '=', account_id)
    .where('batch_id', '=', batch_id)
    .where('status', '=', 'planned')
    .execute();
}

async function cancelItems(trx: Transaction<Tables>, account_id: string, batch_id: string): Promise<void> {
  await trx
    .updateTable('batch_items')
    .set({ status: 'canceled' })
    .where('account_id', '=', account_id)
    .where('batch_id', '=', batch_id)
    .where('status', '=', 'planned')
    .execute();
}

function buildJob(account_id: string, job_id: string, batch_id: string, phase: 'plan' | 'run') {
  return { kind: 'batch' as const, listing_pk: null, account_id, job_id, plan: { batch_id, phase } };
}

/** A plan that nobody started in time has expired. Does not touch a batch that was started. */
async function cancelPlan(
  trx: Transaction<Tables>,
  account_id: string,
  batch_id: string,
  now: string,
): Promise<void> {
  await trx
    .updateTable('batches')
    .set({ status: 'canceled', completed_at: now })
    .where('account_id', '=', account_id)
    .where('batch_id', '=', batch_id)
    .where('status', '=', 'planned')
    .execute();
}

function toBatch(row: Selectable<Tables['batches']>, now: string): BatchRecord {
  const { undoes: _undoes, key: _key, digest: _digest, cost_cents, ...batch } = row;
  const isExpired = row.status === 'planned' && row.expires_at <= now;
  return {
    ...batch,
    cost_usd: cost_cents / 100,
    status: isExpired ? 'expired' : row.status,
    spec: fromJson(row.spec),
    warnings: fromJson(row.warnings),
    started_by: row.started_by && fromJson(row.started_by),
    is_canceling: row.is_canceling === 1,
  };
}
