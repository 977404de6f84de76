import type { ShopResult, Warning } from '../../../../schemas/job.js';
import type { ListingStatus } from '../../../../schemas/listing.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import type { JobRecord } from '../../ports/index.js';
import type { ChangeAction, Plan, PublishAction, ShopPlan } from '../../ports/listing/plan.js';
import {
  STEPS,
  type ChangeProgress,
  type Journal,
  type PublicationProgress,
  buildEmptyChange,
} from '../../ports/listing/progress.js';
import type { Target } from '../../ports/listing/target.js';
import { isPublished, isSettled } from '../engine/intents.js';
import { toShown, toTaken, toDrift } from '../decide/answers.js';

/** One shop's entry in the results of publishing, from its progress. */
export function toPublishResult(
  { plan, job_id }: Pick<JobRecord, 'job_id'> & { plan: Plan<PublishAction> },
  shop_plan: ShopPlan<PublishAction>,
  progress: PublicationProgress,
  listing_id: number | null,
): ShopResult {
  const { draft, target } = shop_plan.action;
  // No later job reports the fee of a failed one.
  const isReported = progress.failure ? progress.paid_in === job_id : progress.is_active;
  return toResult(shop_plan, progress, listing_id, {
    status: isFinished(target, progress) ? 'ok' : 'processing',
    shown: { price: draft.price, images: listImages(progress), videos: progress.videos },
    common: {
      warnings: listWarnings(plan, shop_plan, progress),
      ...(isReported && { activated: true, activation_cost_usd: getCost(progress, job_id) }),
    },
  });
}

/** @param end `shown`: only for a shop without a failure */
function toResult(
  { shop_id, shop_name, currency_code }: Pick<ShopPlan, 'shop_id' | 'shop_name' | 'currency_code'>,
  { failure, listing_url }: Journal,
  listing_id: number | null,
  end: Record<'shown' | 'common', Partial<ShopResult>> & Pick<ShopResult, 'status'>,
): ShopResult {
  const identity = { shop_id: String(shop_id), shop_name };
  const listing = {
    ...(listing_id !== null && { listing_id }),
    ...(listing_url !== null && { listing_url }),
  };
  if (!failure)
    return { ...identity, status: end.status, ...listing, currency_code, ...end.shown, ...end.common };
  const { step, error, marketplace_status, drift, after_restore } = failure;
  const code = drift && { code: 'DRIFT', drift: drift.map(toDrift), ...(after_restore && { after_restore }) };
  return {
    ...identity,
    status: 'error',
    error,
    marketplace_status,
    details: { ...code, step, ...listing },
    ...end.common,
  };
}

/**
 * The fee is in the result of the one job that found it charged: a later job on an active listing costs nothing.
 */
function getCost({ paid_in }: PublicationProgress, job_id: string): number {
  return paid_in === job_id ? MARKETPLACE_FACTS.listing_fee_usd : 0;
}

function isFinished(target: Target, progress: PublicationProgress): boolean {
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
    return progress !== undefined && isFinished(action.target, progress);
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

/** One shop's entry in the results of a change, from its progress so far. */
export function toChangeResult(
  plan: Pick<Plan, 'warnings'>,
  shop_plan: ShopPlan<ChangeAction>,
  progress: ChangeProgress = buildEmptyChange(),
): ShopResult {
  const { ended, failure, diff, paid_usd, after } = progress;
  return toResult(shop_plan, progress, shop_plan.listing_id, {
    status: ended === 'unchanged' && hasOtherPending(progress) ? 'ok' : toStatus(ended),
    shown: { ...(after?.listing && { price: after.listing.price }) },
    common: {
      ...(diff.length > 0 && { diff: diff.map(toShown) }),
      ...(progress.pending && { pending: progress.pending.fields.map(toShown) }),
      warnings: [
        ...plan.warnings,
        ...shop_plan.warnings,
        ...progress.warnings,
        ...progress.overwriting.map(({ warning }) => warning),
        ...toTaken(progress.taken_over, failure === null),
      ],
      ...(paid_usd !== null && { activated: true, activation_cost_usd: paid_usd }),
    },
  });
}

function hasOtherPending({ pending, was_pending }: ChangeProgress): boolean {
  return was_pending !== undefined || (pending !== undefined && pending !== null);
}

function toStatus(ended: ChangeProgress['ended']): 'ok' | 'unchanged' | 'processing' {
  return ended === 'ok' || ended === 'unchanged' ? ended : 'processing';
}
