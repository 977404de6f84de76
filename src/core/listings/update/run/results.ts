import type { ShopResult } from '../../../../../schemas/job.js';
import { toShown, toTaken } from '../answers.js';
import type { ShopUpdate, UpdatePlan } from '../plan.js';
import { buildEmptyUpdate, type ShopUpdateProgress } from './progress.js';

/** One shop's entry in the results of an update, from what has happened there so far. */
export function toUpdateResult(
  plan: Pick<UpdatePlan, 'warnings'>,
  update: ShopUpdate,
  progress: ShopUpdateProgress = buildEmptyUpdate(),
): ShopResult {
  const { shop_id, shop_name, currency_code, listing_id } = update;
  const { ended, failure, diff, listing_url, paid_usd, after } = progress;
  const listing = { listing_id, ...(listing_url === null ? {} : { listing_url }) };
  const told = {
    ...(diff.length > 0 && {
      diff: diff.map(({ field, before, after: is }) => ({ field, before, after: is })),
    }),
    ...(progress.pending && { pending: progress.pending.fields.map(toShown) }),
    warnings: [
      ...plan.warnings,
      ...update.warnings,
      ...progress.warnings,
      ...toTaken(progress.taken_over, failure === null),
    ],
    ...(paid_usd === null ? {} : { activated: true, activation_cost_usd: paid_usd }),
  };
  const identity = { shop_id: String(shop_id), shop_name };
  if (failure) {
    const { step, error, marketplace_status, drift, after_restore } = failure;
    const code = drift ? { code: 'DRIFT', drift, ...(after_restore && { after_restore }) } : {};
    return {
      ...identity,
      status: 'error',
      error,
      marketplace_status,
      details: { ...code, step, ...listing },
      ...told,
    };
  }
  return {
    ...identity,
    status: ended === 'unchanged' && hasOtherPending(progress) ? 'ok' : toStatus(ended),
    ...listing,
    currency_code,
    ...(after?.listing && { price: after.listing.price }),
    ...told,
  };
}

function hasOtherPending({ pending, was_pending }: ShopUpdateProgress): boolean {
  return was_pending !== undefined || (pending !== undefined && pending !== null);
}

function toStatus(ended: ShopUpdateProgress['ended']): 'ok' | 'unchanged' | 'processing' {
  return ended === 'ok' || ended === 'unchanged' ? ended : 'processing';
}
