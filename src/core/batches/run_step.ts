import type { UndoRequest, UpdateRequest } from '../../../schemas/listing_changes.js';
import type { ListingJobResult, ShopResult } from '../../../schemas/job.js';
import type { ServiceError } from '../errors.js';
import type { Hold } from '../listings/jobs/hold.js';
import type { Listings } from '../listings/listings.js';
import { isTransient } from '../listings/engine/failures.js';
import type { BatchPart, Call } from '../operations/call.js';
import { toServiceError } from '../operations/service_error.js';
import type { BatchItemRecord, BatchJob, BatchRecord, BatchStep, Ports, StepCall } from '../ports/index.js';
import { BUSY_PAUSE_MS, isBusy, waitWhileBusy } from './busy.js';
import { buildCall } from './call.js';
import { narrowCall, POSITIONS } from './draft.js';

type Running = Extract<BatchJob, { status: 'processing' }>;

type Parts = Pick<Ports, 'store' | 'clock' | 'log'> & {
  listings: Pick<Listings, 'update' | 'publish' | 'copy' | 'undo'>;
};

/** The items after a step. `left`: why the step is not done yet. */
type StepOutcome = { items: BatchItemRecord[]; job_ids: string[]; left?: Left };
/** `limits`: the marketplace let no further calls through. `cut_off`: the shop must be connected again. */
type Left = 'busy' | 'cut_off' | 'limits';

/** `more`: shops that later steps are about. `shop_id`: the shop, if it is changed individually. */
type RunningStep = {
  job: Running;
  batch: BatchRecord;
  step: BatchStep;
  more: ReadonlySet<number>;
  hold: Hold;
  isLast: boolean;
  shop_id?: number;
};

/** Makes one step of a batch, or leaves it for later. @param later the further steps of the listing */
type RunStep = (
  job: Running,
  batch: BatchRecord,
  step: BatchStep,
  later: readonly BatchStep[],
  hold: Hold,
  isLast: boolean,
) => Promise<StepOutcome>;

export function createStepRunner(parts: Parts): RunStep {
  const { store, log } = parts;
  return runStep;

  async function runStep(
    job: Running,
    batch: BatchRecord,
    step: BatchStep,
    later: readonly BatchStep[],
    hold: Hold,
    isLast: boolean,
  ): Promise<StepOutcome> {
    const items = await listItems(batch, step);
    const open = items.filter(({ status }) => status === 'waiting' || status === 'running');
    if (open.length === 0) return { items: [], job_ids: [] };
    const running = open.map((item) => ({ ...item, status: 'running' as const }));
    await store.batches.saveBatchItems(hold.claim, batch.batch_id, running);
    const more = new Set(later.flatMap(({ call }) => listShopIds(call)));
    return runItems({ job, batch, step, more, hold, isLast }, open);
  }

  async function runItems(running: RunningStep, items: readonly BatchItemRecord[]): Promise<StepOutcome> {
    const { batch, step, hold, isLast, more } = running;
    const isCanceled = async () =>
      (await store.batches.findBatch(batch.account_id, batch.batch_id))?.is_canceling === true;
    try {
      const answer = await waitWhileBusy(parts, hold, () => followCall(running, items), isCanceled);
      const results = items.map((item) => toResult(item, answer, step, more.has(item.shop_id)));
      const job_ids = answer.job_id === undefined ? [] : [answer.job_id];
      const left = (answer.results ?? []).flatMap((result) => findLeft(result) ?? []);
      const [first] = left.includes('cut_off') ? (['cut_off'] as const) : left;
      return { items: results, job_ids, ...(first && { left: first }) };
    } catch (cause) {
      hold.checkStop();
      if (isTransient(cause)) throw cause;
      const error = toServiceError(cause);
      if (error.code === 'INTERNAL')
        log.error('an item of a batch failed', { batch_id: batch.batch_id, error });
      // One shop must not keep the others from being changed.
      if (!isBusy(error) && items.length > 1) return await runEach(running, items);
      const left = isBusy(error) && (!isLast || (await isCanceled())) ? 'busy' : undefined;
      const isCutOff = error.code === 'STORE_RECONNECT_REQUIRED';
      if (!left && !isCutOff) return { items: items.map((item) => toRefused(item, error)), job_ids: [] };
      const waiting = items.map((item) => ({ ...item, status: 'waiting' as const }));
      return { items: waiting, job_ids: [], left: left ?? 'cut_off' };
    }
  }

  async function followCall(running: RunningStep, items: readonly BatchItemRecord[]) {
    for (;;) {
      const answer = await makeCall(running, items);
      running.hold.checkStop();
      if (answer.status !== 'processing') return answer;
      await running.hold.pause(BUSY_PAUSE_MS);
    }
  }

  async function runEach(running: RunningStep, items: readonly BatchItemRecord[]): Promise<StepOutcome> {
    const all: StepOutcome = { items: [], job_ids: [] };
    for (const item of items) {
      const own = await runItems({ ...running, shop_id: item.shop_id }, [item]);
      all.items.push(...own.items);
      all.job_ids.push(...own.job_ids);
      if (own.left) all.left = own.left;
    }
    return all;
  }

  async function listItems(
    { account_id, batch_id }: BatchRecord,
    step: BatchStep,
  ): Promise<BatchItemRecord[]> {
    const shop_ids = listShopIds(step.call);
    const first = Math.floor(step.position / POSITIONS) * POSITIONS;
    const range = { from: first, before: first + POSITIONS };
    const all = await store.batches.listItemsFrom(account_id, batch_id, range);
    return all.filter(({ shop_id }) => shop_ids.includes(shop_id));
  }

  function makeCall(
    { job, batch, step, hold, shop_id: only }: RunningStep,
    items: readonly BatchItemRecord[],
  ): Promise<Pick<ListingJobResult, 'status' | 'job_id' | 'results'>> {
    const { account_id, batch_id, spec } = batch;
    const { listing_pk, position } = step;
    const call = narrowCall(step.call, new Set(items.map(({ shop_id }) => shop_id)));
    const confirmed = new Map(items.map(({ shop_id, cost_usd }) => [shop_id, cost_usd]));
    const part: BatchPart = {
      batch_id,
      job_id: job.job_id,
      ...(call.op === 'update' && call.adds_stock && { holds_stock: true }),
      shown: new Map(items.map(({ shop_id, shown }) => [shop_id, shown])),
    };
    const own: Call = {
      ...buildCall(account_id, hold.signal),
      batch: part,
      askConsent: ({ shops }) => {
        const isAsAgreed = shops.every(({ shop_id, fee_usd }) => fee_usd <= (confirmed.get(shop_id) ?? 0));
        return Promise.resolve(isAsAgreed ? 'accepted' : 'changed');
      },
    };
    const common = {
      listing_pk,
      // Another attempt at a step that was cut off is a job of its own.
      idempotency_key: [batch_id, position, only, step.job_ids.length || undefined]
        .filter((part) => part !== undefined)
        .join('.'),
    };
    switch (call.op) {
      case 'update': {
        const { changes, shop_ids } = call;
        const on_drift = call.on_drift ?? (spec.on_drift === 'skip' ? 'refuse' : spec.on_drift);
        const input: UpdateRequest = { ...common, changes, shops: shop_ids, on_drift };
        return parts.listings.update(input, own);
      }
      case 'sale':
        return parts.listings.publish(
          { ...common, state: call.state, shops: call.shop_ids, stock: call.stock },
          own,
        );
      case 'copy':
        return parts.listings.copy({ ...common, shops: call.shops, state: 'publish' }, own);
      case 'undo': {
        const input: UndoRequest = {
          ...common,
          job_id: call.job_id,
          shops: call.shop_ids,
          on_drift: call.on_drift,
        };
        return parts.listings.undo(input, own);
      }
    }
  }
}

export function listShopIds(call: StepCall): number[] {
  return call.op === 'copy' ? call.shops.map(({ shop_id }) => shop_id) : call.shop_ids;
}

/** @param isMore whether a later step is about it, too */
function toResult(
  item: BatchItemRecord,
  { status, job_id, results = [] }: Pick<ListingJobResult, 'status' | 'job_id' | 'results'>,
  { call: { op }, job_ids }: BatchStep,
  isMore: boolean,
): BatchItemRecord {
  const result = results.find(({ shop_id }) => shop_id === String(item.shop_id));
  const isUnchanged = (result?.status ?? status) === 'unchanged';
  const job = job_id === undefined || isUnchanged ? {} : { job_id };
  if (result && findLeft(result)) return { ...item, ...job, status: 'waiting' };
  if (result?.error) {
    const code = toCode(result);
    return {
      ...item,
      ...job,
      status: 'error',
      issues: [{ code, field: '', message: result.error }],
      ...(result.details && { details: result.details }),
    };
  }
  // A state that the listing already had, or cannot have since it sold out, was not written, unless an attempt that was cut
  // off wrote it.
  const diff =
    isUnchanged && op === 'sale' && job_ids.length === 0
      ? item.diff.filter(({ field }) => field !== 'state')
      : item.diff;
  if (isMore) return { ...item, ...job, diff, status: 'waiting' };
  return { ...item, ...job, diff, status: isUnchanged && item.job_id === undefined ? 'unchanged' : 'ok' };
}

/** Why a job could not finish a shop, if it can continue later. */
function findLeft({ error }: Pick<ShopResult, 'error'>): Left | undefined {
  if (error?.code !== 'call_failed' || !('failure' in error.params.why)) return undefined;
  const { failure } = error.params.why;
  if (failure === 'reconnect') return 'cut_off';
  return failure === 'rate_limited' ? 'limits' : undefined;
}

function toCode({ details }: ShopResult): string {
  return typeof details?.['code'] === 'string' ? details['code'] : 'failed';
}

function toRefused(item: BatchItemRecord, { code, issues }: ServiceError): BatchItemRecord {
  // A fee that was not confirmed is not paid.
  const own = code === 'ACTIVATION_DECLINED' ? 'FEE_CHANGED' : code;
  return {
    ...item,
    status: 'error',
    issues: issues.map(({ at: field, ...message }) => ({ code: own, field, message })),
  };
}
