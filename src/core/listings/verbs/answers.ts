import type { ListingJobResult, ShopResult, Warning } from '../../../../schemas/job.js';
import type { ListingSummary, ShopStanding } from '../../../../schemas/listing.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Plan, PublishAction } from '../../ports/listing/plan.js';
import { quoteForeign } from '../../text/foreign.js';
import type { ListingRecord, SeenPlace, ShopJob, UpdateJob } from '../../ports/index.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { countCalls } from '../steps/table.js';
import type { Names, ShopNamer } from '../names.js';
import {
  describeFees,
  sumFees,
  toFeeQuestion,
  toOfferedShop,
  type OfferedShop,
} from '../fees/fee_question.js';
import { findSavedOffer } from '../requests/saved_offer.js';

/** A path relative to the address of the service, as in the API. */
function toDashboardPath(listing_pk: number): string {
  return `/dashboard/listings/${listing_pk}`;
}

export function toSummary<Shop extends ShopStanding>(
  listing: ListingRecord,
  shops: Shop[],
): ListingSummary & { shops: Shop[] } {
  const { listing_pk, title, status, state, job_id, created_at, updated_at } = listing;
  return {
    listing_pk,
    title,
    status,
    state,
    shop_ids: shops.map(({ shop_id }) => shop_id),
    shops,
    job_id,
    dashboard_url: toDashboardPath(listing_pk),
    created_at,
    updated_at,
  };
}

/**
 * The last known state of a listing in one shop, and when it was seen.
 * @param request includes the shop's own values
 */
export function toStanding(
  { shop_id, listing_id, state, seen_at, ends_at, shown }: SeenPlace,
  request: ListingRequest,
  nameShop: ShopNamer,
): ShopStanding {
  const { shop_name = null, currency_code = null } = nameShop(shop_id) ?? {};
  const saved = findSavedOffer(request, shop_id);
  const { price, quantity } = shown ?? saved;
  const prices = shown?.prices && new Set(Object.values(shown.prices));
  const several = (prices ? prices.size > 1 : saved.has_several_prices) && { has_several_prices: true };
  const offer = { price, quantity, currency_code, ...several };
  return { shop_id: String(shop_id), shop_name, listing_id, state, seen_at, ends_at, ...offer };
}

/**
 * The response for a saved draft.
 * @param base_url the address of the dashboard while one is served; with stdio only, there may be none
 */
export function toDraftAnswer(
  listing: ListingRecord,
  names: Names,
  warnings: readonly Warning[],
  base_url: string,
): ListingJobResult {
  const dashboard_url = toDashboardPath(listing.listing_pk);
  return {
    status: 'draft',
    listing_pk: listing.listing_pk,
    message: `Saved as a draft; nothing is on the marketplace. listing_get shows it, listing_publish publishes it. The seller sees it at ${base_url}${dashboard_url} while the server runs (npm start, or listing-service serve).`,
    dashboard_url,
    shops_count: listing.request.shops.length,
    names,
    created_at: listing.created_at,
    ...withWarnings(warnings),
  };
}

/** The response about a job in its current state. */
export function toJobAnswer(
  job: ShopJob,
  results: readonly ShopResult[],
  warnings: readonly Warning[],
): ListingJobResult {
  const { job_id, listing_pk, status, created_at, completed_at, error_message } = job;
  return {
    status,
    job_id,
    listing_pk,
    message: describeJob(job, results),
    dashboard_url: toDashboardPath(listing_pk),
    poll_url: toPollUrl(job_id),
    shops_count: results.length,
    created_at,
    completed_at,
    ...(error_message === null ? {} : { error_message }),
    results: [...results],
    ...withWarnings(warnings),
  };
}

/** The path that returns the status of a job of any kind. */
export function toPollUrl(job_id: string): string {
  return `/api/v1/listings/create/${job_id}`;
}

/** A job is `completed` even if every shop failed, so its first sentence says in how many shops it succeeded. */
function describeJob(job: ShopJob, results: readonly ShopResult[]): string {
  const { job_id, status } = job;
  if (status === 'processing') {
    return `Still running. Call listing_create_status for job ${job_id} in a few seconds.`;
  }
  const succeeded = results.filter(({ status }) => status === 'ok' || status === 'unchanged').length;
  const all = results.length;
  if (job.kind === 'update') {
    const unchanged = results.filter((result) => result.status === 'unchanged').length;
    return describeUpdate(job, succeeded, unchanged, all);
  }
  const what = job.state === 'active' ? 'Live' : 'A draft on the marketplace';
  const done = `${what} in ${succeeded} of ${all} ${all === 1 ? 'shop' : 'shops'}.`;
  if (succeeded === all) return done;
  if (job.error_message?.code === 'job_canceled') {
    return `${done} A person canceled the job. Ask the seller before you call listing_publish to finish the rest.`;
  }
  const where = status === 'failed' ? 'error_message says why' : 'The results say why';
  return `${done} ${where}; listing_publish finishes the rest.`;
}

function describeUpdate({ status }: UpdateJob, succeeded: number, unchanged: number, all: number): string {
  if (unchanged === all) {
    return `Nothing had to be changed: ${all === 1 ? 'the shop already has' : `all ${all} shops already have`} the requested values.`;
  }
  const done = `Done in ${succeeded} of ${all} ${all === 1 ? 'shop' : 'shops'}.`;
  if (succeeded === all) return done;
  return `${done} ${status === 'failed' ? 'error_message says why' : 'The results say why'}.`;
}

/**
 * The response for a dry run, which saves nothing.
 * @param warnings about the request as a whole
 * @param unknown warnings about unknown keys of the request; `invoke` adds them to the response, and here they only
 * affect its message
 */
export function toDryRun(
  request: ListingRequest,
  plan: Plan<PublishAction> | undefined,
  names: Names,
  { warnings, unknown }: Record<'warnings' | 'unknown', readonly Warning[]>,
): ListingJobResult {
  const shops = (plan?.shops ?? []).map((shop) => ({
    ...toPlannedShop(toOfferedShop(shop)),
    marketplace_calls: countCalls(shop.action.target),
  }));
  return {
    status: 'valid',
    message: `${describeCheck([...warnings, ...unknown, ...shops.flatMap((shop) => shop.warnings)])} Nothing was saved or sent.`,
    shops_count: request.shops.length,
    names,
    shops,
    marketplace_calls: shops.reduce((sum, { marketplace_calls }) => sum + marketplace_calls, 0),
    cost_usd: sumFees(
      (plan?.shops ?? []).filter(({ action }) => action.target.state === 'active').map(toOfferedShop),
    ),
    warnings: [...warnings],
  };
}

/**
 * Asks for consent: the fees to be paid, and the token that agrees to them. Nothing has been done.
 * @param confirmation `reason`: why to ask the seller in the chat. `changed`: the given confirm_token was for other
 * shops or prices. `dismissed`: the client dismissed the question without an answer
 */
export function toConfirmation(confirmation: {
  confirm_token: string;
  expires_at: string;
  shops: readonly OfferedShop[];
  warnings: readonly Warning[];
  reason: keyof typeof CONFIRMATION_REASONS | undefined;
}): ListingJobResult {
  const { confirm_token, expires_at, shops, warnings, reason } = confirmation;
  const { names, fees } = describeFees(toFeeQuestion(shops));
  const why = reason === undefined ? '' : `${CONFIRMATION_REASONS[reason]} `;
  return {
    status: 'confirmation_required',
    confirm_token,
    expires_at,
    cost_usd: sumFees(shops),
    message: `${why}Nothing was done or paid yet. Activating it in ${names} costs ${fees}. Ask the seller; if the seller agrees, repeat this call unchanged, with confirm set to the confirm_token, before ${expires_at}.`,
    shops: shops.map(toPlannedShop),
    ...withWarnings(warnings),
  };
}

const CONFIRMATION_REASONS = {
  changed: 'The cost, the shops or their prices have changed.',
  dismissed:
    'The client dismissed the question, apparently without showing it to the seller. Ask the seller in the chat.',
} as const;

function toPlannedShop({ shop_id, shop_name, currency_code, price, state, is_paid, warnings }: OfferedShop) {
  return {
    shop_id: String(shop_id),
    shop_name,
    currency_code,
    price,
    // Omitted for a listing that is new in the shop: its state is always draft.
    ...(state !== 'draft' && { state, cost_usd: is_paid ? MARKETPLACE_FACTS.listing_fee_usd : 0 }),
    warnings: [...warnings],
  };
}

/** The response for a dry run of taking a listing off sale or putting it back on sale. */
export function toSaleDryRun(
  listing_pk: number,
  state: 'inactive' | 'active',
  shops: readonly OfferedShop[],
  warnings: readonly Warning[],
): ListingJobResult {
  const { names, fees } = describeFees(toFeeQuestion(shops));
  const what =
    state === 'active'
      ? `It would be reactivated in ${names}, for ${fees} in total.`
      : `It would be deactivated in ${shops.map(({ shop_name }) => quoteForeign(shop_name)).join(', ')}, which is free.`;
  return {
    status: 'valid',
    listing_pk,
    message: `${what} Nothing was changed.`,
    shops_count: shops.length,
    shops: shops.map(toPlannedShop),
    cost_usd: sumFees(shops),
    ...withWarnings(warnings),
  };
}

/** The response if every shop already has the requested state, so that no job was created. */
export function toUnchanged(
  listing_pk: number,
  results: readonly ShopResult[],
  warnings: readonly Warning[],
): ListingJobResult {
  return {
    status: 'unchanged',
    listing_pk,
    message: warnings.some(({ level }) => level !== 'note')
      ? 'Nothing was done; the warnings say which shops do not have the requested state.'
      : 'Nothing had to be done: every shop already has the requested state.',
    shops_count: results.length,
    results: [...results],
    ...withWarnings(warnings),
  };
}

/** A sentence about the check. Claims nothing that was not checked, and points to warnings that would surprise. */
function describeCheck(warnings: readonly Warning[]): string {
  if (warnings.some(({ code }) => code === 'not_checked')) {
    return 'No problems in the parts that were checked; the warnings not_checked name the parts that were not.';
  }
  return warnings.some(({ level }) => level !== 'note')
    ? 'It would be accepted; the warnings say what will differ from the request.'
    : 'No problems found.';
}

function withWarnings(warnings: readonly Warning[]): { warnings?: Warning[] } {
  return warnings.length > 0 ? { warnings: [...warnings] } : {};
}

/** The warning in the repeated response to a repeated request. */
export const REPLAYED: Warning = {
  code: 'replayed',
  fields: [],
  reason: { code: 'replayed', params: { is_creation: false } },
};

/** The same for a creation: no other operation makes another listing under another key. */
export const REPLAYED_CREATION: Warning = {
  ...REPLAYED,
  reason: { code: 'replayed', params: { is_creation: true } },
};

/** The warning in the response to a call whose confirm_token was already used. */
export const CONFIRMED_BEFORE: Warning = {
  code: 'replayed',
  fields: ['confirm'],
  reason: { code: 'confirmed_before', params: {} },
};
