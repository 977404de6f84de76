import type { Warning } from '../../../../schemas/job.js';
import type { UndoRequest } from '../../../../schemas/listing_changes.js';
import type { Categories } from '../../shops/categories.js';
import { ServiceError } from '../../errors.js';
import { buildValidationError } from '../../issues/issues.js';
import type { ListingRecord, Publication, Store, UpdateJob } from '../../ports/index.js';
import type { Shops } from '../../shops/shops.js';
import { getJob } from '../get_listing.js';
import { isSameValue } from '../snapshot/difference.js';
import { buildIdNames } from './changes/id_names.js';
import { expectUnsought } from '../open_create.js';
import type { Pending, ShopAction, ShopUpdate, UpdatePlan } from './plan.js';
import { rebaseBefore } from './run/beside.js';
import type { ShopUpdateProgress } from './run/progress.js';
import { projectWanted } from './run/wanted.js';
import { isChanged, takeBack, type Part } from './take_back.js';
import { findTargets } from './target_shops.js';

/** An earlier undo of the same job in one shop. `rest`: what it has left to do, as the undo of a job that went the other way. */
type Earlier = {
  job_id: string;
  rest: Pick<Extract<ShopAction, { kind: 'restore' }>, 'before' | 'after'>;
  kept: ShopUpdateProgress['kept'];
};

/** The changes of a job, as far as they are known. */
type Done = { job: UpdateJob; parts: Part[] };

/** From a job to what takes it back in each shop. */
export type UndoPlanning = {
  /** Throws NOTHING_TO_UNDO, JOB_NOT_FOUND, VALIDATION_FAILED, LISTING_BUSY. */
  plan(listing: ListingRecord, publications: readonly Publication[], input: UndoRequest): Promise<UpdatePlan>;
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
    async plan(listing, publications, input) {
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
      const connected = new Map((await shops.listConnected(account_id)).map((shop) => [shop.shop_id, shop]));
      const updates: ShopUpdate[] = [];
      const warnings: Warning[] = [];
      for (const { part_id: shop_id, progress } of asked) {
        const { before, target, after, kept } = progress;
        if (!isChanged(progress) || !before) continue;
        const place = publications.find((one) => one.shop_id === shop_id);
        const pending = place && findSwap(progress, place.progress.pending ?? null);
        if (pending?.is_changed && progress.pending) warnings.push(buildKept(progress.pending));
        if (!after || !place || place.listing_id === null) {
          warnings.push(buildLost(shop_id, after ? GONE : UNREAD));
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
              // What earlier releases saved has the sales of the time of the job in it.
              before: target ? rebaseBefore(before, after, target) : after,
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
      if (updates.length === 0) throw buildNothing(listing_pk, input);
      if (input.job_id === undefined && done.job.plan?.purpose === 'undo') warnings.push(REDONE);
      const change = await store.listings.findRequestChange(account_id, done.job.job_id);
      const { request: merged, own } = change
        ? takeBack(change, done.parts, { request, publications }, new Set(updates.map((one) => one.shop_id)))
        : { request, own: [] };
      expectUnsought(listing, publications, merged, own);
      return { purpose: 'undo', undone: done.job.job_id, shops: updates, warnings, request: merged, own };
    },
  };

  /** The job that is named, else the last one that changed something in the given shops. */
  async function find(
    { account_id, listing_pk }: ListingRecord,
    job_id: string | undefined,
    isAsked: (shop_id: number) => boolean,
  ): Promise<Done | undefined> {
    if (job_id !== undefined) {
      const job = await getJob(store, account_id, job_id);
      if (job.listing_pk !== listing_pk) {
        throw new ServiceError('JOB_NOT_FOUND', `Job ${job_id} is none of listing ${listing_pk}.`);
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

  /** By shop, the last undo of a job, unless it was undone itself: an undo that failed is finished, and one that did not has no rest. */
  async function listEarlier(
    { account_id, listing_pk }: ListingRecord,
    undone: UpdateJob,
  ): Promise<Map<number, Earlier>> {
    const found = new Map<number, Earlier>();
    for (const job of await store.listings.listJobs(account_id, listing_pk)) {
      if (job.kind !== 'update' || job.plan?.undone === undefined || job.status === 'processing') continue;
      const taken_back = job.plan.undone;
      const isSame = taken_back === undone.job_id;
      if (!isSame && ![...found.values()].some(({ job_id }) => job_id === taken_back)) continue;
      const { parts } = await readDone(job);
      for (const { part_id, progress } of parts) {
        const rest = isSame ? findRest(progress) : undefined;
        if (rest) found.set(part_id, { job_id: job.job_id, rest, kept: listKept(progress) });
        else if (found.get(part_id)?.job_id === taken_back && isChanged(progress)) found.delete(part_id);
      }
    }
    return found;
  }

  async function readDone(job: UpdateJob): Promise<Done> {
    const { account_id, job_id } = job;
    return { job, parts: await store.listings.listJobParts<ShopUpdateProgress>(account_id, job_id) };
  }
}

/** Undefined where it stopped before it had anything to do. */
function findRest(progress: ShopUpdateProgress): Earlier['rest'] | undefined {
  const { before, target, after, seen, failure } = progress;
  if (!before || !target) return undefined;
  const { images: _, ...unread } = before;
  // Photos are changed one by one, and all else in one write each.
  return { before: projectWanted({ progress }), after: (failure?.drift && seen) || after || unread };
}

/** The kept bytes of its photos, also by the ids that they have got when they were sent again. */
function listKept({ target, sent, kept }: ShopUpdateProgress): ShopUpdateProgress['kept'] {
  const again = Object.entries(sent.images).flatMap(([index, id]) => {
    const file = target?.images?.[Number(index)]?.file;
    return file ? [[id, file] as const] : [];
  });
  return { ...kept, ...Object.fromEntries(again) };
}

/**
 * From what is pending to what was before the job; the same where the job changed nothing of it. `is_changed`: another job has changed
 * since what this one left.
 */
function findSwap(
  { pending = null, was_pending: back }: ShopUpdateProgress,
  is: Pending | null,
): { is: Pending | null; back: Pending | null; is_changed: boolean } {
  const isOfJob = back !== undefined && !isSame(is, back);
  if (isOfJob && isSame(is, pending)) return { is, back, is_changed: false };
  return { is, back: is, is_changed: isOfJob };
}

function isSame(a: Pending | null, b: Pending | null): boolean {
  return isSameValue(toValues(a), toValues(b));
}

function toValues(pending: Pending | null): unknown {
  return pending?.fields.map(({ field, after }) => ({ field, after })) ?? null;
}

function buildKept({ fields }: Pending): Warning {
  return {
    code: 'not_undone',
    fields: fields.map(({ field }) => field),
    reason: 'It is kept here until the listing has stock, and a later change has set it again; that stays.',
  };
}

const REDONE: Warning = {
  code: 'redone',
  fields: ['job_id'],
  reason:
    'The last change was an undo itself, so what that took back is made again. listing_undo once more takes it back; with the job_id of an earlier job, of which listing_get with history tells, that one.',
};
const GONE = 'The listing is not known to be there any more.';
const UNREAD =
  'What was written there could not be read back then, so that it is not known what to take back.';

function buildLost(shop_id: number, reason: string): Warning {
  return { code: 'not_undone', fields: ['shops'], reason: `Shop ${shop_id}: ${reason}` };
}

function buildUnconnected(shop_id: number): ServiceError {
  return buildValidationError([{ code: 'shop_disconnected', at: 'shops', params: { shop_id } }]);
}

function buildOnlySaved(listing_pk: number): ServiceError {
  return new ServiceError(
    'NOTHING_TO_UNDO',
    `Listing ${listing_pk} is only saved here, and earlier versions of what is only saved are not kept; set the former values with listing_update.`,
  );
}

function buildNothing(listing_pk: number, { job_id, shops }: UndoRequest): ServiceError {
  const where = shops ? ' in these shops' : '';
  const what =
    job_id === undefined
      ? `Listing ${listing_pk} has no update of the last 90 days that changed something${where}.`
      : `Job ${job_id} changed nothing${where} that can be taken back, or is older than 90 days.`;
  return new ServiceError('NOTHING_TO_UNDO', what);
}
