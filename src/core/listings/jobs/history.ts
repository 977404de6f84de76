import type { ShopResult } from '../../../../schemas/job.js';
import type { ListingHistory } from '../../../../schemas/listing.js';
import type { Publication, PublishJob, ShopJob, Store } from '../../ports/index.js';
import type { PublishAction, ShopPlan } from '../../ports/listing/plan.js';
import { buildEmptyProgress, type PublicationProgress, type StepName } from '../../ports/listing/progress.js';
import { toUsd } from '../fees/fee_question.js';
import { listSteps, PIPELINE } from '../steps/table.js';
import type { Step } from '../engine/step.js';

/** All jobs of a listing, and for each shop the steps of the last job that published there, with their times. */
export async function buildHistory(
  store: Store,
  account_id: string,
  listing_pk: number,
): Promise<ListingHistory> {
  const [jobs, publications] = await Promise.all([
    store.listings.listJobs(account_id, listing_pk),
    store.listings.listPublications(account_id, listing_pk),
  ]);
  const published = jobs.filter((job) => job.kind === 'publish');
  const shops = published.flatMap((job) => listShops(job, publications));
  return {
    jobs: jobs.flatMap((job) => (job.listing_pk === null ? [] : [toEntry(job)])),
    shops: [...new Map(shops.map((shop) => [shop.shop_id, shop])).values()],
    fees: listFees(jobs.flatMap((job) => (job.listing_pk === null ? [] : (job.results ?? [])))),
  };
}

/** Each fee is in the results of exactly one job: the one that found it charged. */
function listFees(results: readonly ShopResult[]): ListingHistory['fees'] {
  const shop_ids = [...new Set(results.map(({ shop_id }) => shop_id))];
  const fees = shop_ids.map((shop_id) => ({
    shop_id,
    cost_usd: sumFees(results.filter((result) => result.shop_id === shop_id)),
  }));
  return fees.filter(({ cost_usd }) => cost_usd > 0);
}

function sumFees(results: readonly ShopResult[]): number {
  return toUsd(results.reduce((sum, { activation_cost_usd = 0 }) => sum + activation_cost_usd, 0));
}

export function toEntry(job: ShopJob): ListingHistory['jobs'][number] {
  const { job_id, status, created_at, completed_at, error_message, results } = job;
  // For an old job, whose plan was deleted, only the kind is known.
  const kind = job.kind === 'publish' ? job.kind : (job.plan?.purpose ?? job.kind);
  const state = job.kind === 'publish' ? job.state : null;
  const cost_usd = results && sumFees(results);
  return { job_id, kind, state, status, created_at, completed_at, error_message, cost_usd };
}

function listShops(job: PublishJob, publications: readonly Publication[]): ListingHistory['shops'] {
  const { plan } = job;
  if (!plan) return listFinished(job, publications);
  return plan.shops.map((shop_plan) => buildShop(shop_plan, publications));
}

/** For a job without its plan, which is deleted only once nothing is left to do: all its steps were done. */
function listFinished(
  { results }: Pick<PublishJob, 'results'>,
  publications: readonly Publication[],
): ListingHistory['shops'] {
  return (results ?? []).map(({ shop_id, shop_name = '' }) => {
    const progress = findProgress(publications, Number(shop_id));
    const done = PIPELINE.filter((step) => progress.done.includes(step.name) && isReported(step, progress));
    return { shop_id, shop_name, steps: done.map(({ name }) => toStep(name, progress)) };
  });
}

function buildShop(
  { shop_id, shop_name, action }: ShopPlan<PublishAction>,
  publications: readonly Publication[],
): ListingHistory['shops'][number] {
  const progress = findProgress(publications, shop_id);
  const steps = listSteps(action.target).filter((step) => isReported(step, progress));
  return {
    shop_id: String(shop_id),
    shop_name,
    steps: steps.map(({ name }) => toStep(name, progress)),
  };
}

function findProgress(publications: readonly Publication[], shop_id: number): PublicationProgress {
  return publications.find((known) => known.shop_id === shop_id)?.progress ?? buildEmptyProgress();
}

function toStep(
  name: StepName,
  progress: PublicationProgress,
): ListingHistory['shops'][number]['steps'][number] {
  return { step: name, status: toStatus(name, progress), done_at: progress.done_at?.[name] ?? null };
}

function isReported(step: Step, progress: PublicationProgress): boolean {
  return step.isReported?.(progress) ?? true;
}

function toStatus(name: StepName, { failure, done }: PublicationProgress): 'done' | 'failed' | 'open' {
  if (failure?.step === name) return 'failed';
  return done.includes(name) ? 'done' : 'open';
}
