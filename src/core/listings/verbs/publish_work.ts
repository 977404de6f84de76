import type { z } from 'zod/v3';
import type { publishRequest, Warning } from '../../../../schemas/job.js';
import { buildValidationError } from '../../issues/issues.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { JobRecord, ListingRecord, Publication, PublishJob, ShopJob } from '../../ports/index.js';
import type { Target } from '../../ports/listing/target.js';
import { buildBusy } from '../requests/repeats.js';
import { toDigest } from '../requests/request.js';
import { isPublished } from '../engine/intents.js';
import { isComplete } from '../run/publish.js';
import { isSameSale, type SaleRequest } from './sale.js';

export type PublishRequest = z.output<typeof publishRequest>;

/** The request without the key that names the call and the token that confirms it. */
export function toAsked({ listing_pk, state, shops, stock }: PublishRequest) {
  return { listing_pk, state, ...(shops && { shops }), ...(stock !== undefined && { stock }) };
}

export function buildPublishDigest(request: PublishRequest): string {
  return toDigest(['listing_publish', toAsked(request)]);
}

/**
 * The work of a call: publishing in shops where the listing was never on sale, or changing its state where it was.
 */
export type Work =
  | { kind: 'publish'; state: 'publish' | 'active'; shop_ids: readonly number[] }
  | ({ kind: 'sale' } & Omit<SaleRequest, 'listing' | 'binding' | 'started_by'>);

/** A listing with its publications and jobs, as found by a call. `last`: the job that published it. */
export type Found = {
  listing: ListingRecord;
  publications: readonly Publication[];
  last: PublishJob | undefined;
  /** Read before the publications, which therefore include at least its work up to that point. */
  running: JobRecord | undefined;
};

/**
 * Without `shops`, puts no listing back on sale that was on sale before.
 * @param nameShop for the choices in issues
 */
export function chooseWork(
  { listing, publications, last, running }: Found,
  request: PublishRequest,
  nameShop: (shop_id: number) => string | undefined,
): Work {
  const { state, stock, dry_run: isDryRun = false } = request;
  const all = listing.request.shops.map(({ shop_id }) => shop_id);
  const named = request.shops && [...new Set(request.shops)];
  const getPath = (shop_id: number) => (request.shops ? `shops[${request.shops.indexOf(shop_id)}]` : 'state');
  const find = (shop_id: number) => publications.find((known) => known.shop_id === shop_id);
  // Shops that the running job itself put on sale do not count: a repeat of its call must find its work.
  const wasLive = (shop_id: number) => {
    const progress = find(shop_id)?.progress;
    return progress?.is_active === true && (!running || progress.paid_in !== running.job_id);
  };

  const choices = all.map((id) => ({ id, name: nameShop(id) }));
  expectNone(
    (named ?? [])
      .filter((shop_id) => !all.includes(shop_id))
      .map((shop_id) => ({
        code: 'shop_of_other_listing',
        at: getPath(shop_id),
        params: { shop_id, choices, can_copy: false },
      })),
  );
  const targets = named ?? all;
  const places = targets.flatMap((shop_id) => {
    const known = find(shop_id);
    if (!known || known.listing_id === null) return [];
    return [{ shop_id, listing_id: known.listing_id, pending: known.progress.pending }];
  });
  const sale = { kind: 'sale', places, getPath, stock, is_dry_run: isDryRun } as const;
  if (state === 'inactive') {
    const missing = (named ?? []).filter((shop_id) => !places.some((place) => place.shop_id === shop_id));
    expectNone(missing.map((shop_id) => toNothing(getPath(shop_id))));
    expectNone(places.length === 0 ? [toNothing('state')] : []);
    expectNone(stock === undefined ? [] : [{ code: 'stock_not_for_inactive', at: 'stock', params: {} }]);
    return { ...sale, state };
  }
  const live = state === 'active' && named ? named.filter(wasLive) : [];
  if (live.length > 0 && live.length < targets.length) {
    expectNone([{ code: 'sale_mixed', at: 'shops', params: { shop_ids: live } }]);
  }
  if (live.length > 0 && state === 'active') return { ...sale, state };
  expectNone(stock === undefined ? [] : [{ code: 'stock_without_shops', at: 'stock', params: {} }]);
  // In shops where it was live, only the unfinished rest of an earlier job is done.
  const isOpen = (shop_id: number) => !wasLive(shop_id) || !isDone(shop_id, last, state, publications);
  const shop_ids = named ?? all.filter((shop_id) => state === 'publish' || isOpen(shop_id));
  return { kind: 'publish', state, shop_ids };
}

function toNothing(at: string): Issue {
  return { code: 'nothing_on_marketplace', at, params: {} };
}

/** Whether everything this state asks for is done. A live listing stays live, even if a draft is requested. */
export function isDone(
  shop_id: number,
  last: PublishJob | undefined,
  state: 'publish' | 'active',
  publications: readonly Publication[],
): boolean {
  const known = publications.find((publication) => publication.shop_id === shop_id);
  if (!known) return false;
  const { progress } = known;
  const shop_plan = last?.plan?.shops.find((shop) => shop.shop_id === shop_id);
  if (shop_plan) return isComplete(withState(shop_plan.action.target, state), progress);
  if (progress.failure || progress.intent) return false;
  return progress.is_active || (state === 'publish' && isPublished(progress));
}

function withState({ state: _, ...parts }: Target, state: 'publish' | 'active'): Target {
  return { ...parts, ...(state === 'active' && { state }) };
}

/**
 * Returns the running job if the call can wait for it. A listing has one running job at a time: throws LISTING_BUSY
 * for any other.
 */
export function expectJoinable(running: JobRecord, work: Work): ShopJob {
  const isChange = running.kind === 'update';
  if (running.kind === 'publish' && work.kind === 'publish') return running;
  if (isChange && work.kind === 'sale' && isSameSale(running, work)) return running;
  throw buildBusy(running);
}

/** Whether the running job does exactly the requested work. */
export function isSameWork(running: ShopJob, work: Work): boolean {
  if (running.kind !== 'publish' || work.kind !== 'publish') return running.kind === 'update';
  const planned = running.plan?.shops.map(({ shop_id }) => shop_id) ?? [];
  const isSame = planned.length === work.shop_ids.length && work.shop_ids.every((id) => planned.includes(id));
  return running.state === work.state && isSame;
}

export function buildOtherJob(running: string, asked: string): Warning {
  return {
    code: 'other_job_running',
    fields: ['state'],
    reason: { code: 'other_job_running', params: { running, asked } },
  };
}

function expectNone(issues: readonly Issue[]): void {
  if (issues.length > 0) throw buildValidationError(issues);
}
