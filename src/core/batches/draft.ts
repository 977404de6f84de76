import type { FieldDifference } from '../../../schemas/field_ref.js';
import type { Fact, Issue } from '../../../schemas/issue.js';
import type { ListingJobResult, Warning } from '../../../schemas/job.js';
import type { PlannedChange } from '../../../schemas/listing_changes.js';
import type { ServiceError } from '../errors.js';
import { isTransient } from '../listings/engine/failures.js';
import { toServiceError } from '../operations/service_error.js';
import type {
  BatchItemRecord,
  BatchStep,
  ConnectedShop,
  DraftListing,
  ListingRecord,
  StepCall,
} from '../ports/index.js';
import { isBusy } from './busy.js';

/** The range of positions of one listing: more than its shops and those that it is copied to. */
export const POSITIONS = 1_000;

export type ListingPlan = { items: BatchItemRecord[]; steps: BatchStep[] };

/** The answer of a dry run, or why it is refused. Throws LISTING_BUSY if another change of the listing is in the way. */
export async function attempt<Answer>(
  run: () => Promise<Answer>,
): Promise<{ answer: Answer } | { error: ServiceError }> {
  try {
    return { answer: await run() };
  } catch (cause) {
    if (isTransient(cause) || isBusy(cause)) throw cause;
    const error = toServiceError(cause);
    if (error.code === 'INTERNAL') throw cause;
    return { error };
  }
}

export type Draft = ReturnType<typeof createDraft>;

/** Collects the items and steps of one listing. An item is about one shop; a refusal is final for it. */
export function createDraft(
  listing: ListingRecord,
  index: number,
  connected: ReadonlyMap<number, ConnectedShop>,
) {
  const { listing_pk, title } = listing;
  const items = new Map<number, BatchItemRecord>();
  const calls: StepCall[] = [];
  const nothing = new Map<number, readonly Issue[]>();

  function getItem(shop_id: number): BatchItemRecord {
    const known = items.get(shop_id);
    if (known) return known;
    const item: BatchItemRecord = {
      position: index * POSITIONS + items.size,
      listing_pk,
      shop_id,
      shop_name: connected.get(shop_id)?.details.shop_name ?? `Shop ${shop_id}`,
      title,
      status: 'unchanged',
      diff: [],
      shown: [],
      issues: [],
      cost_usd: 0,
      marketplace_calls: 0,
    };
    items.set(shop_id, item);
    return item;
  }

  const draft = {
    refuse(shop_id: number, issues: readonly Issue[], code?: string): void {
      const item = getItem(shop_id);
      Object.assign(item, { status: 'refused', diff: [], cost_usd: 0, marketplace_calls: 0 });
      item.issues = issues.map(({ at, ...message }) => ({ code: code ?? message.code, field: at, message }));
    },
    refuseFor(shop_id: number, { code, issues }: ServiceError): void {
      draft.refuse(shop_id, issues, code === 'LISTING_BUSY' ? code : undefined);
    },
    fail(shop_id: number, error: Fact, details?: Record<string, unknown>) {
      const item = getItem(shop_id);
      Object.assign(item, { status: 'refused', diff: [], cost_usd: 0, marketplace_calls: 0 });
      const code = typeof details?.['code'] === 'string' ? details['code'] : 'refused';
      item.issues = [{ code, field: '', message: error }];
      if (details) item.details = details;
    },
    show(shop_id: number, diff: readonly FieldDifference[]): void {
      getItem(shop_id).shown.push(...diff);
    },
    /** @param error why an undo has nothing to undo; it is shown if nothing else is planned */
    keep(shop_id: number, error?: ServiceError): void {
      getItem(shop_id);
      if (error) nothing.set(shop_id, error.issues);
    },
    change(shop_id: number, { status, diff, pending = [], marketplace_calls = 0 }: PlannedChange): void {
      const item = getItem(shop_id);
      if (status !== 'ok' || item.status === 'refused') return;
      item.status = 'planned';
      // A sold-out listing takes some values only together with its stock: they belong to the plan, too.
      const later = pending.filter((one) => diff.every(({ field }) => field !== one.field));
      item.diff.push(...[...diff, ...later].map(({ field, before, after }) => ({ field, before, after })));
      item.marketplace_calls += marketplace_calls;
      if (diff.some(({ manual_edit }) => manual_edit === true)) item.overwrites = true;
    },
    /** @returns whether there is something to do */
    sell(
      shop_id: number,
      state: 'active' | 'inactive',
      before: string | null,
      { shops = [] }: ListingJobResult,
    ): boolean {
      const item = getItem(shop_id);
      const planned = shops.find((one) => one.shop_id === String(shop_id));
      if (!planned || item.status === 'refused') return false;
      item.status = 'planned';
      item.diff.push({ field: 'state', before, after: state });
      item.cost_usd += planned.cost_usd ?? 0;
      item.marketplace_calls += SALE_CALLS;
      return true;
    },
    /** @param created the listing that the copy creates */
    copy(shop_id: number, { shops = [] }: ListingJobResult, created?: DraftListing): void {
      const item = getItem(shop_id);
      if (item.status === 'refused') return;
      const planned = shops.find((one) => one.shop_id === String(shop_id));
      item.status = 'planned';
      item.diff.push({ field: 'state', before: null, after: 'draft' });
      for (const field of COPIED) {
        const after = created?.[field];
        if (after !== undefined && after !== null) item.diff.push({ field, before: null, after });
      }
      item.marketplace_calls += planned?.marketplace_calls ?? 0;
    },
    /** Warns about values that the marketplace or an undo leaves unchanged. */
    note(shop_id: number, ...warnings: readonly (readonly Warning[])[]): void {
      const item = getItem(shop_id);
      // An edit changes the value that the offerings share, and each offering's own.
      const hasOffering = item.shown.some(({ ref }) => ref.part === 'inventory');
      for (const { code, fields, reason } of warnings.flat()) {
        if (!NOTED.has(code) || (hasOffering && reason.code === 'offerings_have_own')) continue;
        item.issues.push({ code, field: fields.join(', '), message: reason });
      }
    },
    add(call: StepCall): void {
      calls.push(call);
    },
    finish(): ListingPlan {
      for (const [shop_id, issues] of nothing) {
        const item = getItem(shop_id);
        if (item.status !== 'unchanged' || item.issues.length > 0) continue;
        item.issues = issues.map(({ at, ...message }) => ({ code: 'not_undone', field: at, message }));
      }
      const first = index * POSITIONS;
      const isRefused = (shop_id: number) => items.get(shop_id)?.status === 'refused';
      const kept = new Set([...items.keys()].filter((shop_id) => !isRefused(shop_id)));
      const going = calls.map((call) => narrowCall(call, kept)).filter((call) => !isEmpty(call));
      const steps = going.map((call, step): BatchStep => ({
        position: first + step,
        listing_pk,
        call,
        job_ids: [],
        is_done: false,
      }));
      return { items: [...items.values()], steps };
    },
  };
  return draft;
}

/** The fields of a copy that depend on its shop. */
const COPIED = ['price', 'shipping_profile_id', 'return_policy_id', 'shop_section_id'] as const;

const NOTED: ReadonlySet<string> = new Set(['not_undone', 'not_changeable', 'ignored_field']);

/** A read before, the write, and a read after. */
const SALE_CALLS = 3;

/** The call, limited to these shops. */
export function narrowCall(call: StepCall, shop_ids: ReadonlySet<number>): StepCall {
  if (call.op === 'copy')
    return { ...call, shops: call.shops.filter(({ shop_id }) => shop_ids.has(shop_id)) };
  const narrowed = { ...call, shop_ids: call.shop_ids.filter((shop_id) => shop_ids.has(shop_id)) };
  if (narrowed.op !== 'update' || !narrowed.changes.shops) return narrowed;
  const shops = narrowed.changes.shops.filter(({ shop_id }) => shop_ids.has(shop_id));
  const { shops: _, ...changes } = narrowed.changes;
  return { ...narrowed, changes: { ...changes, ...(shops.length > 0 && { shops }) } };
}

function isEmpty(call: StepCall): boolean {
  return (call.op === 'copy' ? call.shops : call.shop_ids).length === 0;
}
