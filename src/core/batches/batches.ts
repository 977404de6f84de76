import type { z } from 'zod/v3';
import { toStarter } from '../operations/starter.js';
import type {
  BatchAnswer,
  BatchCreateRequest,
  batchCancelRequest,
  BatchesPage,
  batchesQuery,
  batchStartRequest,
  batchUndoRequest,
} from '../../../schemas/batch.js';
import type { JobResult } from '../../../schemas/job.js';
import type { Issue } from '../../../schemas/issue.js';
import { ServiceError } from '../errors.js';
import { buildValidationError } from '../issues/issues.js';
import { toPollUrl } from '../listings/verbs/answers.js';
import { createConsents } from '../listings/verbs/consent.js';
import { listOffered } from './offered.js';
import { createSpending } from '../listings/fees/spending.js';
import type { Listings } from '../listings/listings.js';
import { buildReused } from '../listings/requests/repeats.js';
import { readIdempotencyKey } from '../listings/requests/request.js';
import type { Replan, Call } from '../operations/call.js';
import type { Continuations } from '../operations/continuations.js';
import { toQuotaError } from '../operations/quotas.js';
import {
  SpendingLimitError,
  type BatchJob,
  type BatchRecord,
  type BatchSpec,
  type NewBatch,
  type Ports,
  type Starter,
} from '../ports/index.js';
import type { Settings } from '../settings.js';
import type { Shops } from '../shops/shops.js';
import type { Events } from '../webhooks/events.js';
import type { Uploads } from '../uploads/uploads.js';
import { createBatchAnswers, describeBatch, getCounts, toItemAnswer } from './answers.js';
import { toDigest } from './digest.js';
import { checkEdits, readEdits } from './edits/check.js';
import { eachItem } from './list_items.js';
import { createPlanListing } from './plan_listing.js';
import { listWritten } from './plan_undo.js';
import { createBatchRunner, PLAN_LIFE_MS } from './run_batch.js';
import {
  buildExpired,
  buildNeedlessStatus,
  buildOverLimit,
  buildRunning,
  buildUnknownBatch,
} from './refusals.js';
import { listCurrencies, listUnconnected, selectPlaces } from './select.js';
import type { SheetExports } from './sheets/export.js';
import { keepPlaces, keepSheetEdits, readRows, withOverwrites } from './rows.js';
import { planSheet } from './sheets/plan_sheet.js';

/** The most listings for which a call waits for the plan. */
const MOST_WAITED = 50;

/** Changes of many listings: plans, starts once, cancels, and undoes them. */
export type Batches = {
  create(input: BatchCreateRequest, call: Call): Promise<BatchAnswer>;
  list(account_id: string, query: z.output<typeof batchesQuery>): Promise<BatchesPage>;
  /** Who started the batch, as far as it is stored. */
  findStarter(account_id: string, batch_id: string): Promise<Starter | null>;
  /** The batch that took it back last, unless that was taken back itself. */
  findUndo(account_id: string, batch_id: string): Promise<string | undefined>;
  start(input: z.output<typeof batchStartRequest>, call: Call): Promise<BatchAnswer>;
  cancel(input: z.output<typeof batchCancelRequest>, call: Call): Promise<BatchAnswer>;
  undo(input: z.output<typeof batchUndoRequest>, call: Call): Promise<BatchAnswer>;
};

type Parts = Ports & {
  shops: Shops;
  continuations: Continuations;
  listings: Listings;
  events: Events;
  uploads: Uploads;
  sheets: SheetExports;
};

export function createBatches(parts: Parts, settings: Settings): Batches {
  const { store, ids, shops, listings } = parts;
  const { jobs } = listings;
  const consents = createConsents(parts, settings);
  const spending = createSpending(parts, settings);
  const answers = createBatchAnswers(parts);
  listings.serveBatches({
    run: createBatchRunner({ ...parts, planListing: createPlanListing(parts) }),
    answer: answerJob,
  });

  async function findUndo(account_id: string, of: string): Promise<string | undefined> {
    const undo = await store.batches.findUndo(account_id, of);
    if (!undo || (await findUndo(account_id, undo.batch_id)) !== undefined) return undefined;
    return undo.batch_id;
  }

  return {
    findUndo,
    async create(input, call) {
      const deadline_ms = jobs.getDeadline(call);
      const { account_id } = call.caller;
      const { select, sheet, on_drift = 'refuse' } = input;
      const digest = toDigest('batch_create', input);
      // Things that the call names may have changed or expired since.
      const known = await findKnown(input, digest, call);
      if (known) return followPlan(known, call, deadline_ms);
      const hasRow = call.replan && (await readRows(store, account_id, call.replan));
      if (sheet !== undefined) {
        const others = (['select', 'edits', 'shops'] as const).filter(
          (member) => input[member] !== undefined,
        );
        if (others.length > 0) {
          const params = { members: others };
          throw buildValidationError([{ code: 'sheet_with_others', at: 'sheet', params }]);
        }
        const { places: all, sheet_edits: every, ...rest } = await planSheet(parts, account_id, sheet);
        const sheet_edits = hasRow ? keepSheetEdits(every, hasRow) : every;
        const kept = hasRow ? all.filter(({ listing_pk }) => sheet_edits.has(listing_pk)) : all;
        const places = withOverwrites(kept, call.replan);
        const planned = { ...rest, sheet_edits };
        const spec: BatchSpec = { kind: 'sheet', sheet, places, on_drift };
        return followPlan(await plan({ spec, digest, ...planned }, input, call), call, deadline_ms);
      }
      const connected = await shops.listConnected(account_id);
      const edits = readEdits(input.edits ?? []);
      const selected = select
        ? await selectPlaces(parts, select, { account_id, shops: connected, only: input.shops })
        : { places: [], shop_ids: [], issues: [] };
      const issues: Issue[] = [
        ...(select ? [] : [{ code: 'batch_source_missing', at: 'select', params: {} } as const]),
        ...(edits.length > 0 ? [] : [{ code: 'edit_needs_several', at: 'edits', params: {} } as const]),
        ...listUnconnected(input.shops ?? [], connected),
        ...checkEdits(edits, listCurrencies(connected, selected.shop_ids, input.shops)),
        ...selected.issues,
      ];
      if (issues.length > 0) throw buildValidationError(issues);
      const kept = hasRow ? keepPlaces(selected.places, hasRow) : selected.places;
      const places = withOverwrites(kept, call.replan);
      const spec: BatchSpec = { kind: 'edit', edits, places, on_drift };
      return followPlan(await plan({ spec, digest }, input, call), call, deadline_ms);
    },
    findStarter: async (account_id, batch_id) =>
      (await store.batches.findBatch(account_id, batch_id))?.started_by ?? null,
    async list(account_id, { batch_id, item_status, limit, offset }) {
      if (batch_id === undefined) {
        if (item_status !== undefined) throw buildValidationError([buildNeedlessStatus('item_status')]);
        const { total, items } = await store.batches.listBatches(account_id, { limit, offset });
        const counts = await store.batches.countBatchItems(
          account_id,
          items.map((batch) => batch.batch_id),
        );
        const batches = await Promise.all(
          items.map(async (batch) =>
            answers.describe(batch, counts.get(batch.batch_id) ?? (await getCounts(store, batch))),
          ),
        );
        return { total, limit, offset, batches };
      }
      const batch = await getBatch(account_id, batch_id);
      const page = { limit, offset, status: item_status };
      const { total, items } = await store.batches.listBatchItems(account_id, batch_id, page);
      const described = await answers.describe(batch, await getCounts(store, batch));
      const { warnings } = batch;
      return { total, limit, offset, batches: [described], items: items.map(toItemAnswer), warnings };
    },
    async start({ batch_id, confirm }, call) {
      const deadline_ms = jobs.getDeadline(call);
      return start(await getBatch(call.caller.account_id, batch_id), confirm, call, deadline_ms);
    },
    async cancel({ batch_id }, { caller: { account_id }, spares_started }) {
      const batch = await store.batches.cancelBatch(account_id, batch_id, { spares_started });
      if (!batch) throw buildUnknownBatch(batch_id);
      const message =
        batch.is_canceling && batch.started_at !== null
          ? 'The batch stops before its next item. Completed changes are kept; to undo them, call batch_undo.'
          : undefined;
      return answers.answer(batch, message);
    },
    async undo(input, call) {
      const deadline_ms = jobs.getDeadline(call);
      const { account_id } = call.caller;
      const { batch_id, on_drift = 'refuse', pay: isPaying = false, dry_run = false } = input;
      const batch = await getBatch(account_id, batch_id);
      if (batch.status === 'running' || batch.status === 'paused') throw buildRunning(batch_id);
      const hasRow = call.replan && (await readRows(store, account_id, call.replan));
      const written = await listWritten(eachItem(store, batch), input);
      const places = withOverwrites(hasRow ? keepPlaces(written, hasRow) : written, call.replan);
      if (places.length === 0) {
        const params = { batch_id, ...((input.listing_pks ?? input.shops) && { is_narrowed: true }) };
        const hint = 'batches_list lists the batches; with a batch_id and item_status ok, what one changed.';
        throw new ServiceError('NOTHING_TO_UNDO', { code: 'batch_changed_nothing', params }, { hint });
      }
      const spec: BatchSpec = {
        kind: 'undo',
        undoes: batch_id,
        on_drift,
        pays: isPaying,
        starts: !dry_run,
        places,
      };
      // A plan that was only shown is the one that the same call without dry_run starts.
      const { confirm, dry_run: _dry, ...body } = input;
      const created = await plan(
        {
          spec,
          digest: toDigest('batch_undo', { ...body, ...toRows(call.replan) }),
        },
        input,
        call,
      );
      const planned = await follow(created, call, deadline_ms);
      const undo = await getBatch(account_id, planned.batch_id);
      if (dry_run || undo.status === 'planning' || undo.started_at !== null) return planned;
      return start(undo, confirm, call, deadline_ms);
    },
  };

  async function plan(
    planned: Pick<NewBatch, 'spec' | 'digest' | 'sheet_edits'> & { warnings?: NewBatch['warnings'] },
    input: { idempotency_key?: string | undefined },
    call: Call,
  ): Promise<BatchRecord> {
    const { account_id } = call.caller;
    const created = await store.batches
      .createBatch({
        account_id,
        batch_id: ids.build('batch_'),
        job_id: ids.build('job_'),
        warnings: [],
        ...planned,
        life_ms: PLAN_LIFE_MS,
        key: readIdempotencyKey(input, call.idempotency_key),
        most: settings.quotas,
        started_by: toStarter(call),
        replaces: call.replan?.batch_id,
      })
      .catch((cause: unknown) => {
        throw toQuotaError(cause, settings);
      });
    if (created.is === 'reused') throw buildReused();
    if (created.is === 'unfinished') throw buildRunning(created.batch.batch_id);
    return created.batch;
  }

  async function findKnown(
    input: { idempotency_key?: string | undefined },
    digest: string,
    call: Call,
  ): Promise<BatchRecord | undefined> {
    const key = readIdempotencyKey(input, call.idempotency_key);
    const known = key === null ? undefined : await store.batches.findBatchByKey(call.caller.account_id, key);
    if (known && known.digest !== digest) throw buildReused();
    return known?.batch;
  }

  /** Waits for the plan, unless it has many listings. */
  function followPlan(batch: BatchRecord, call: Call, deadline_ms: number): Promise<BatchAnswer> {
    return follow(batch, call, batch.spec.places.length > MOST_WAITED ? 0 : deadline_ms);
  }

  /** Waits for the batch's job, and returns the batch's answer. */
  async function follow(batch: BatchRecord, call: Call, deadline_ms: number): Promise<BatchAnswer> {
    const { account_id, batch_id, job_id } = batch;
    jobs.start(account_id, job_id);
    const { signal, onProgress } = call;
    await jobs.wait(account_id, job_id, {
      deadline_ms,
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
    });
    return answers.answer(await getBatch(account_id, batch_id));
  }

  async function start(
    batch: BatchRecord,
    confirm: string | undefined,
    call: Call,
    deadline_ms: number,
  ): Promise<BatchAnswer> {
    const { account_id, batch_id } = batch;
    const credential = `${call.caller.credential}:${call.caller.credential_id}`;
    if (batch.started_at !== null) return follow(batch, call, deadline_ms);
    if (batch.status === 'planning') throw buildRunning(batch_id);
    if (batch.status !== 'planned') throw buildExpired(batch);
    const offered = batch.cost_usd > 0 ? await listOffered(eachItem(store, batch)) : [];
    const fees = offered.reduce((sum, { fees: own = 1 }) => sum + own, 0);
    const consent = await consents.open(call, ['batch_start', { batch_id, credential }], confirm);
    const left = await spending.countLeft(account_id);
    const issues = [...consent.issues, ...(fees > 0 && fees > left ? [buildOverLimit(fees, left)] : [])];
    if (issues.length > 0) throw buildValidationError(issues);
    const agreed = await consent.ask(offered, []);
    if ('instead' in agreed) {
      const { confirm_token, expires_at: confirm_expires_at, message = '' } = agreed.instead;
      const answer = await answers.answer(batch, message);
      return { ...answer, status: 'confirmation_required', confirm_token, confirm_expires_at };
    }
    const started = await store.batches
      .startBatch({
        account_id,
        batch_id,
        job_id: agreed.job_id,
        spending: spending.build(fees),
        started_by: toStarter(call),
      })
      .catch(async (cause: unknown) => {
        if (!(cause instanceof SpendingLimitError)) throw cause;
        throw buildValidationError([buildOverLimit(fees, await spending.countLeft(account_id))]);
      });
    if (started.is === 'unstartable') throw buildExpired(started.batch);
    return follow(started.batch, call, deadline_ms);
  }

  async function getBatch(account_id: string, batch_id: string): Promise<BatchRecord> {
    const batch = await store.batches.findBatch(account_id, batch_id);
    if (!batch) throw buildUnknownBatch(batch_id);
    return batch;
  }

  async function answerJob(job: BatchJob): Promise<JobResult> {
    const { account_id, job_id, status, created_at, completed_at, error_message } = job;
    const batch = await store.batches.findBatchOfJob(account_id, job_id);
    const counts = batch && (await getCounts(store, batch));
    return {
      job_id,
      status,
      created_at,
      completed_at,
      poll_url: toPollUrl(job_id),
      ...(error_message !== null && { error_message }),
      ...(batch &&
        counts && {
          message: describeBatch(batch, counts),
          batch: { batch_id: batch.batch_id, status: batch.status, counts },
        }),
    };
  }
}

/** The parts of a replan that make it a different plan. */
function toRows(replan: Replan | undefined): object {
  return replan ? { left_out: replan.left_out, overwrites: replan.overwrites } : {};
}
