import { isRelative } from '../../../core/batches/edits/relative.js';
import type { BatchItem, BatchItemStatus, BatchesPage } from '../../../../schemas/batch.js';
import type { JobChange } from '../../../core/listings/verbs/changes.js';
import type { ConnectedShop, Starter } from '../../../core/ports/index.js';
import type { OwnVisit } from '../../page.js';
import { PREFIX } from '../../routes.js';
import { formatPrices } from '../../components/price.js';
import type { Undone } from '../../components/undone.js';
import { toTitle, type Batch } from './words.js';

/* Reads batches with the same function as batches_list: the operation's answers word issues for programs,
   and pages have their own wording. */

export const PATH = `${PREFIX}/changes`;
const MOST = 100;

export type Visitor = Pick<OwnVisit, 'core' | 'account_id'>;
type Query = { item_status?: BatchItemStatus | undefined; limit?: number; offset?: number };
export type BatchPage = Pick<BatchesPage, 'total' | 'limit' | 'offset' | 'warnings'> & {
  batch: Batch;
  items: BatchItem[];
  /** The kind of change, and the listing if it is one. */
  title: string;
  undone: Undone | undefined;
};

export function toBatchPath(batch_id: string): string {
  return `${PATH}/${batch_id}`;
}

export function toJobPath(job_id: string): string {
  return `${PATH}/jobs/${job_id}`;
}

export function getBatchId({ params }: Pick<OwnVisit, 'params'>): string {
  return params['batch_id'] ?? '';
}

/** Throws BATCH_NOT_FOUND. */
export async function readBatch(visitor: Visitor, batch_id: string, query: Query = {}): Promise<BatchPage> {
  const { core, account_id } = visitor;
  const {
    batches,
    items = [],
    ...page
  } = await core.batches.list(account_id, {
    batch_id,
    limit: 25,
    offset: 0,
    ...query,
  });
  const [batch] = batches;
  if (!batch) throw new Error(`batches_list has answered without the batch ${batch_id}`);
  const [listing] = batch.counts.listings === 1 ? items : [];
  return {
    ...page,
    batch,
    items,
    title: toTitle(batch, await findUndone(visitor, batch), listing?.title),
    undone: await findUndo(visitor, batch),
  };
}

/** A job that belongs to no batch, or a batch. */
export type ListedChange =
  { job: JobChange } | (Pick<BatchPage, 'batch' | 'title' | 'undone'> & { started_by: Starter | null });

/** Newest first. */
export async function listChanges(visitor: Visitor, page: { limit: number; offset: number }) {
  const { core, account_id } = visitor;
  const { total, items } = await core.listings.listChanges(account_id, page);
  const listed = await Promise.all(
    items.map(async (change): Promise<ListedChange> => {
      if (change.kind === 'job') return change;
      const { batch_id } = change;
      const { batch, title, undone } = await readBatch(visitor, batch_id, { limit: 1 });
      return { batch, title, undone, started_by: await core.batches.findStarter(account_id, batch_id) };
    }),
  );
  return { total, items: listed };
}

/** Undefined once it is no longer kept. */
async function findUndone({ core, account_id }: Visitor, { undoes }: Batch): Promise<Batch | undefined> {
  if (undoes === undefined) return undefined;
  const found = await core.batches
    .list(account_id, { batch_id: undoes, limit: 1, offset: 0 })
    .catch(() => undefined);
  return found?.batches[0];
}

export function findJobUndo(job: JobChange): Undone | undefined {
  const { undone_by } = job.kind === 'import' ? {} : job;
  return undone_by && { href: toJobPath(undone_by.job_id), is_whole: undone_by.is_whole };
}

async function findUndo(
  { core, account_id }: Visitor,
  { batch_id, started_at, counts }: Batch,
): Promise<Undone | undefined> {
  const undo_id = started_at === null ? undefined : await core.batches.findUndo(account_id, batch_id);
  if (undo_id === undefined) return undefined;
  const { batches } = await core.batches.list(account_id, { batch_id: undo_id, limit: 1, offset: 0 });
  const { ok = 0, unchanged = 0 } = batches[0]?.counts ?? {};
  // An item that had the old values already needed no undo.
  return ok === 0 ? undefined : { href: toBatchPath(undo_id), is_whole: ok + unchanged >= counts.ok };
}

/** All items of a batch, or those of one status. */
export async function* walkItems(
  { core, account_id }: Visitor,
  batch_id: string,
  item_status?: BatchItemStatus,
): AsyncGenerator<BatchItem> {
  for (let offset = 0; ; offset += MOST) {
    const query = { batch_id, item_status, limit: MOST, offset };
    const { items = [], total } = await core.batches.list(account_id, query);
    yield* items;
    if (offset + MOST >= total) return;
  }
}

/** The changes and cost of a plan, over all of its items. */
export type PlanSum = {
  listings: number;
  /** The shops in which the plan changes listings. */
  shop_names: string[];
  /** All listings of the plan, including unchanged ones. */
  listing_pks: number[];
  paid: { shop_id: string; shop_name: string; fees: number }[];
  /** Whether an edit made on Etsy is in conflict with an item. */
  hasDrift: boolean;
  /** Whether an item replaces an edit made on Etsy. */
  hasOverwrites: boolean;
  /** Of an undo that may not pay: listings in a shop that a fee would activate again. */
  unpaid: number;
  /** For each currency, the lowest and the highest of the prices that change. */
  prices: { before: string; after: string }[];
};

export async function sumPlan(
  visitor: Visitor,
  batch_id: string,
  connected: readonly ConnectedShop[],
): Promise<PlanSum> {
  const [before, after] = [new Map<string, Span>(), new Map<string, Span>()];
  const [listings, every, shops] = [new Set<number>(), new Set<number>(), new Set<string>()];
  const paid = new Map<string, PlanSum['paid'][number]>();
  let hasDrift = false;
  let hasOverwrites = false;
  let unpaid = 0;
  for await (const item of walkItems(visitor, batch_id)) {
    hasDrift ||= isDrift(item);
    every.add(item.listing_pk);
    if (item.status !== 'planned') {
      if (item.issues.some(({ message }) => message.code === 'undo_costs_fee')) unpaid += 1;
      continue;
    }
    const { listing_pk, shop_id, shop_name, cost_usd = 0 } = item;
    hasOverwrites ||= item.overwrites === true;
    listings.add(listing_pk);
    shops.add(shop_name);
    const code = connected.find((shop) => String(shop.shop_id) === shop_id)?.details.currency_code ?? '';
    for (const { field, before: was, after: is } of item.diff) {
      if (field.split('.').at(-1) !== 'price' || typeof was !== 'number' || typeof is !== 'number') continue;
      widen(before, code, was);
      widen(after, code, is);
    }
    if (cost_usd > 0) {
      paid.set(shop_id, { shop_id, shop_name, fees: (paid.get(shop_id)?.fees ?? 0) + 1 });
    }
  }
  return {
    listings: listings.size,
    shop_names: [...shops],
    listing_pks: [...every],
    paid: [...paid.values()],
    hasDrift,
    hasOverwrites,
    unpaid,
    prices: [...before.keys()].map((code) => ({
      before: formatSpan(before, code),
      after: formatSpan(after, code),
    })),
  };
}

type Span = { low: number; high: number };

function widen(spans: Map<string, Span>, code: string, price: number): void {
  const { low, high } = spans.get(code) ?? { low: price, high: price };
  spans.set(code, { low: Math.min(low, price), high: Math.max(high, price) });
}

function formatSpan(spans: ReadonlyMap<string, Span>, currency_code: string): string {
  const { low = null, high = null } = spans.get(currency_code) ?? {};
  return formatPrices([low, high].map((price) => ({ price, currency_code }))) ?? '';
}

/** Names a row in a form. */
export function toRow({ listing_pk, shop_id }: Pick<BatchItem, 'listing_pk' | 'shop_id'>): string {
  return `${listing_pk}:${shop_id}`;
}

/** Whether an edit made on Etsy is in conflict. */
export function isDrift({ issues }: BatchItem): boolean {
  return issues.some(({ code }) => code === 'DRIFT');
}

/** Whether items failed after a job of theirs began, in a batch whose edits must not be made twice. */
export async function hasHalfDone(
  visitor: Pick<OwnVisit, 'core' | 'account_id'>,
  { batch_id, edits = [], counts }: Batch,
): Promise<boolean> {
  if (counts.error === 0 || !edits.some(isRelative)) return false;
  for await (const { job_id } of walkItems(visitor, batch_id, 'error')) {
    if (job_id !== undefined) return true;
  }
  return false;
}
