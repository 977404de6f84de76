import type { ShopResult, Warning } from '../../../../schemas/job.js';
import type { ListingStatus } from '../../../../schemas/listing.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import type { JobRecord } from '../../ports/index.js';
import type { ChangeAction, Plan, PublishAction, ShopPlan } from '../../ports/listing/plan.js';
import {
  STEPS,
  type PublicationProgress,
  type ChangeProgress,
  buildEmptyChange,
} from '../../ports/listing/progress.js';
import { isPublished, isSettled } from '../engine/intents.js';
import { toShown, toTaken, toDrift } from '../decide/answers.js';

/** One shop's entry in the results, from its progress. */
export function toPublishResult(
  { plan, job_id }: Pick<JobRecord, 'job_id'> & { plan: Plan<PublishAction> },
  shop_plan: ShopPlan<PublishAction>,
  progress: PublicationProgress,
  listing_id: number | null,
): ShopResult {
  const { shop_id, shop_name, currency_code, action } = shop_plan;
  const identity = { shop_id: String(shop_id), shop_name };
  const warnings = listWarnings(plan, shop_plan, progress);
  const listing = {
    ...(listing_id === null ? {} : { listing_id }),
    ...(progress.listing_url === null ? {} : { listing_url: progress.listing_url }),
  };
  const sale = { activated: true, activation_cost_usd: getCost(progress, job_id) };
  if (progress.failure) {
    const { step, error, marketplace_status } = progress.failure;
    return {
      ...identity,
      status: 'error',
      error,
      marketplace_status,
      details: { step, ...listing },
      warnings,
      // No later job reports its fee.
      ...(progress.paid_in === job_id ? sale : {}),
    };
  }
  return {
    ...identity,
    status: isFinished(action, progress) ? 'ok' : 'processing',
    ...listing,
    currency_code,
    price: action.draft.price,
    images: listImages(progress),
    videos: progress.videos,
    warnings,
    ...(progress.is_active ? sale : {}),
  };
}

/**
 * The fee is in the result of the one job that found it charged: a later job on an active listing costs nothing.
 */
function getCost({ paid_in }: PublicationProgress, job_id: string): number {
  return paid_in === job_id ? MARKETPLACE_FACTS.listing_fee_usd : 0;
}

function isFinished({ target }: PublishAction, progress: PublicationProgress): boolean {
  if (progress.failure) return false;
  return target.state === 'active' ? progress.is_active : isPublished(progress);
}

/**
 * The listing's status after a job.
 * @param shops the progress in each shop of the plan
 * @param others publications of shops outside the job
 */
export function toListingStatus(
  plan: Plan<PublishAction>,
  shops: readonly PublicationProgress[],
  others: readonly PublicationProgress[],
): ListingStatus {
  const isDone = plan.shops.every(({ action }, index) => {
    const progress = shops[index];
    return progress !== undefined && isFinished(action, progress);
  });
  if (!isDone) return 'incomplete';
  if (!others.every(isSettled)) return 'incomplete';
  return [...shops, ...others].every((progress) => progress.is_active) ? 'active' : 'published';
}

function listWarnings(
  plan: Plan<PublishAction>,
  shop_plan: ShopPlan<PublishAction>,
  progress: PublicationProgress,
): Warning[] {
  const { own_warnings: shared = plan.warnings } = shop_plan.action;
  return [...shared, ...shop_plan.warnings, ...STEPS.flatMap((step) => progress.warnings[step] ?? [])];
}

/** Ranks as sent and reported: 1 to n, without gaps. */
function listImages({ images }: PublicationProgress): ShopResult['images'] {
  return Object.entries(images)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, { listing_image_id, url_fullxfull }], index) => ({
      listing_image_id,
      url_fullxfull,
      rank: index + 1,
    }));
}

/** One shop's entry in the results of an update, from its progress so far. */
export function toChangeResult(
  plan: Pick<Plan<ChangeAction>, 'warnings'>,
  update: ShopPlan<ChangeAction>,
  progress: ChangeProgress = buildEmptyChange(),
): ShopResult {
  const { shop_id, shop_name, currency_code, listing_id } = update;
  const { ended, failure, diff, listing_url, paid_usd, after } = progress;
  const listing = { listing_id, ...(listing_url === null ? {} : { listing_url }) };
  const common = {
    ...(diff.length > 0 && { diff: diff.map(toShown) }),
    ...(progress.pending && { pending: progress.pending.fields.map(toShown) }),
    warnings: [
      ...plan.warnings,
      ...update.warnings,
      ...progress.warnings,
      ...progress.overwriting.map(({ warning }) => warning),
      ...toTaken(progress.taken_over, failure === null),
    ],
    ...(paid_usd === null ? {} : { activated: true, activation_cost_usd: paid_usd }),
  };
  const identity = { shop_id: String(shop_id), shop_name };
  if (failure) {
    const { step, error, marketplace_status, drift, after_restore } = failure;
    const code = drift
      ? { code: 'DRIFT', drift: drift.map(toDrift), ...(after_restore && { after_restore }) }
      : {};
    return {
      ...identity,
      status: 'error',
      error,
      marketplace_status,
      details: { ...code, step, ...listing },
      ...common,
    };
  }
  return {
    ...identity,
    status: ended === 'unchanged' && hasOtherPending(progress) ? 'ok' : toStatus(ended),
    ...listing,
    currency_code,
    ...(after?.listing && { price: after.listing.price }),
    ...common,
  };
}

function hasOtherPending({ pending, was_pending }: ChangeProgress): boolean {
  return was_pending !== undefined || (pending !== undefined && pending !== null);
}

function toStatus(ended: ChangeProgress['ended']): 'ok' | 'unchanged' | 'processing' {
  return ended === 'ok' || ended === 'unchanged' ? ended : 'processing';
}
