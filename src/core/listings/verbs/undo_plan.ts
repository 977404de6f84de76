import type { Warning } from '../../../../schemas/job.js';
import type { UndoRequest } from '../../../../schemas/listing_changes.js';
import type { Pending } from '../../ports/listing/changes.js';
import type { ChangeAction, Plan, ShopPlan } from '../../ports/listing/plan.js';
import type { ChangeProgress } from '../../ports/listing/progress.js';
import type { Categories } from '../../shops/categories.js';
import { ServiceError } from '../../errors.js';
import type { BatchPart } from '../../operations/call.js';
import { buildValidationError } from '../../issues/issues.js';
import type { ListingRecord, Publication, Store, UpdateJob } from '../../ports/index.js';
import type { Shops } from '../../shops/shops.js';
import { isSameRef, toLabel } from '../snapshot/field_refs.js';
import { getJob } from '../requests/get_listing.js';
import { isSameValue } from '../snapshot/difference.js';
import { buildIdNames } from '../resolve/changes/id_names.js';
import { expectNoOpenCreate } from '../resolve/open_create.js';
import { projectWanted } from '../engine/wanted.js';
import { isChanged, revertJob, type Part } from '../decide/revert_job.js';
import { findTargets } from '../resolve/target_shops.js';

/**
 * An earlier undo of the same job in one shop. `rest`: its unfinished part, as the undo of a job in the opposite
 * direction.
 */
type Earlier = {
  job_id: string;
  rest: Pick<Extract<ChangeAction, { kind: 'restore' }>, 'before' | 'after'>;
  kept: ChangeProgress['kept'];
};

/** The changes of a job, as far as known. */
type Done = { job: UpdateJob; parts: Part[] };

/** Plans what undoes a job in each shop. */
export type UndoPlanning = {
  /**
   * Throws NOTHING_TO_UNDO, JOB_NOT_FOUND, VALIDATION_FAILED, LISTING_BUSY.
   * @param undone jobs that will already be undone at that time, in this order
   */
  plan(
    listing: ListingRecord,
    publications: readonly Publication[],
    input: UndoRequest,
    undone?: BatchPart['undone'],
  ): Promise<Plan<ChangeAction>>;
};

export function createUndoPlanning({
  store,
  shops,
  categories,
}: {
  store: Store;
  shops: Shops;
  categories: Categories;
}): UndoPlanning {
  return {
    async plan(listing, publications, input, undone = []) {
      const { account_id, listing_pk, request } = listing;
      findTargets(request, input.shops, publications);
      const isAsked = (shop_id: number) => input.shops?.includes(shop_id) !== false;
      const done = await find(listing, input.job_id, isAsked);
      if (!done && publications.every(({ listing_id }) => listing_id === null))
        throw buildOnlySaved(listing_pk);
      if (!done) throw buildNothing(listing_pk, input);
      const earlier = await listEarlier(listing, done.job);
      const asked = done.parts.filter(({ part_id }) => isAsked(part_id));
      const [schema, category] = await Promise.all([
        categories.findKeptSchema(request.listing.taxonomy_id),
        categories.findKeptPath(request.listing.taxonomy_id),
      ]);
      const pendings = await listPendings(listing, publications, undone);
      const connected = new Map((await shops.listConnected(account_id)).map((shop) => [shop.shop_id, shop]));
      const updates: ShopPlan<ChangeAction>[] = [];
      const warnings: Warning[] = [];
      for (const { part_id: shop_id, progress } of asked) {
        const { before, after, kept } = progress;
        if (!isChanged(progress) || !before) continue;
        const place = publications.find((one) => one.shop_id === shop_id);
        const pending = place && findSwap(progress, pendings.get(shop_id) ?? null);
        if (pending?.is_changed && progress.pending) warnings.push(buildKept(progress.pending));
        if (!after || !place || place.listing_id === null) {
          warnings.push(buildLost(shop_id, after ? 'gone' : 'unread'));
          continue;
        }
        const shop = connected.get(shop_id);
        if (!shop) throw buildUnconnected(shop_id);
        updates.push({
          shop_id,
          shop_name: shop.details.shop_name,
          currency_code: shop.details.currency_code,
          listing_id: place.listing_id,
          action: {
            kind: 'restore',
            ...(earlier.get(shop_id)?.rest ?? {
              before,
              after,
            }),
            kept: { ...kept, ...earlier.get(shop_id)?.kept },
            ...(input.on_drift && { on_drift: input.on_drift }),
            ...(pending && { pending: { is: pending.is, back: pending.back } }),
          },
          names: buildIdNames(shop, schema, category),
          warnings: [],
        });
      }
      const lost = warnings.find(({ reason }) => reason.code === 'undo_shop_lost');
      if (updates.length === 0 && lost) throw new ServiceError('NOTHING_TO_UNDO', lost.reason);
      if (updates.length === 0) throw buildNothing(listing_pk, input);
      if (input.job_id === undefined && done.job.plan?.purpose === 'undo') warnings.push(REDONE);
      const change = await store.listings.findRequestChange(account_id, done.job.job_id);
      const { request: merged, own } = change
        ? revertJob(change, done.parts, { request, publications }, new Set(updates.map((one) => one.shop_id)))
        : { request, own: [] };
      expectNoOpenCreate(listing, publications, merged, own);
      return { purpose: 'undo', undone: done.job.job_id, shops: updates, warnings, request: merged, own };
    },
  };

  /** The named job, otherwise the last one that changed something in the given shops. */
  async function find(
    { account_id, listing_pk }: ListingRecord,
    job_id: string | undefined,
    isAsked: (shop_id: number) => boolean,
  ): Promise<Done | undefined> {
    if (job_id !== undefined) {
      const job = await getJob(store, account_id, job_id);
      if (job.listing_pk !== listing_pk) {
        throw new ServiceError('JOB_NOT_FOUND', {
          code: 'job_of_other_listing',
          params: { job_id, listing_pk },
        });
      }
      return job.kind === 'update' ? readDone(job) : undefined;
    }
    const jobs = await store.listings.listJobs(account_id, listing_pk);
    for (const job of jobs.toReversed()) {
      if (job.kind !== 'update' || job.status === 'processing') continue;
      const done = await readDone(job);
      if (done.parts.some(({ part_id, progress }) => isAsked(part_id) && isChanged(progress))) return done;
    }
    return undefined;
  }

  /**
   * By shop, the last undo of a job, unless it was undone itself. A failed undo is to be finished; a successful one
   * has no rest.
   */
  async function listEarlier(
    { account_id, listing_pk }: ListingRecord,
    undone: UpdateJob,
  ): Promise<Map<number, Earlier>> {
    const found = new Map<number, Earlier>();
    for (const job of await store.listings.listJobs(account_id, listing_pk)) {
      if (job.kind !== 'update' || job.plan?.undone === undefined || job.status === 'processing') continue;
      const undoneId = job.plan.undone;
      const isSame = undoneId === undone.job_id;
      if (!isSame && ![...found.values()].some(({ job_id }) => job_id === undoneId)) continue;
      const { parts } = await readDone(job);
      for (const { part_id, progress } of parts) {
        const rest = isSame ? findRest(progress) : undefined;
        if (rest) found.set(part_id, { job_id: job.job_id, rest, kept: listKept(progress) });
        else if (found.get(part_id)?.job_id === undoneId && isChanged(progress)) found.delete(part_id);
      }
    }
    return found;
  }

  /** By shop, the pending values once these jobs are undone. */
  async function listPendings(
    { account_id }: ListingRecord,
    publications: readonly Publication[],
    undone: NonNullable<BatchPart['undone']>,
  ): Promise<Map<number, Pending | null>> {
    const pendings = new Map(publications.map((one) => [one.shop_id, one.progress.pending ?? null]));
    for (const { job_id, shop_ids } of undone) {
      const parts = await store.listings.listJobParts<ChangeProgress>(account_id, job_id);
      for (const { part_id, progress } of parts) {
        if (!shop_ids.includes(part_id)) continue;
        pendings.set(part_id, findSwap(progress, pendings.get(part_id) ?? null).back);
      }
    }
    return pendings;
  }

  async function readDone(job: UpdateJob): Promise<Done> {
    const { account_id, job_id } = job;
    return { job, parts: await store.listings.listJobParts<ChangeProgress>(account_id, job_id) };
  }
}

/** Undefined if it stopped before it had anything to do. */
function findRest(progress: ChangeProgress): Earlier['rest'] | undefined {
  const { before, target, after, seen, failure } = progress;
  if (!before || !target) return undefined;
  const { images: _, ...unread } = before;
  // Photos are changed one by one, and every other part in one write.
  return { before: projectWanted(progress), after: (failure?.drift && seen) || after || unread };
}

/** The stored bytes of its photos, also under the ids they got when they were sent again. */
function listKept({ target, sent, kept }: ChangeProgress): ChangeProgress['kept'] {
  const again = Object.entries(sent.images).flatMap(([index, id]) => {
    const file = target?.images?.[Number(index)]?.file;
    return file ? [[id, file] as const] : [];
  });
  return { ...kept, ...Object.fromEntries(again) };
}

/**
 * The pending values now, and those before the job; the same if the job did not change them. `is_changed`: another
 * job has since changed the values this one left.
 */
function findSwap(
  { pending = null, was_pending: back }: ChangeProgress,
  is: Pending | null,
): { is: Pending | null; back: Pending | null; is_changed: boolean } {
  const isOfJob = back !== undefined && !isSame(is, back);
  if (isOfJob && isSame(is, pending)) return { is, back, is_changed: false };
  return { is, back: is, is_changed: isOfJob };
}

/** Whether both set the same values, whatever the listing had when they became pending. */
function isSame(a: Pending | null, b: Pending | null): boolean {
  const [own, other] = [a?.fields ?? [], b?.fields ?? []];
  return (
    own.length === other.length &&
    own.every(({ ref, after }) =>
      other.some((one) => isSameRef(one.ref, ref) && isSameValue(one.after, after)),
    )
  );
}

function buildKept({ fields }: Pending): Warning {
  return {
    code: 'not_undone',
    fields: fields.map(({ ref }) => toLabel(ref)),
    reason: { code: 'undo_kept_for_stock', params: {} },
  };
}

const REDONE: Warning = {
  code: 'redone',
  fields: ['job_id'],
  reason: { code: 'redone', params: {} },
};
function buildLost(shop_id: number, because: 'gone' | 'unread'): Warning {
  const reason = { code: 'undo_shop_lost' as const, params: { shop_id, because } };
  return { code: 'not_undone', fields: ['shops'], reason };
}

function buildUnconnected(shop_id: number): ServiceError {
  return buildValidationError([{ code: 'shop_disconnected', at: 'shops', params: { shop_id } }]);
}

function buildOnlySaved(listing_pk: number): ServiceError {
  return new ServiceError('NOTHING_TO_UNDO', { code: 'undo_only_saved', params: { listing_pk } });
}

function buildNothing(listing_pk: number, { job_id, shops }: UndoRequest): ServiceError {
  const isOfShops = shops !== undefined;
  return new ServiceError(
    'NOTHING_TO_UNDO',
    job_id === undefined
      ? { code: 'undo_nothing', params: { listing_pk, in_shops: isOfShops } }
      : { code: 'undo_job_empty', params: { job_id, in_shops: isOfShops } },
  );
}
