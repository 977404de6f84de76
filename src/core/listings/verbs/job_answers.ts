import type { ListingJobResult, ShopResult, Warning } from '../../../../schemas/job.js';
import type { ListingRecord, PublishJob, ShopJob, Store, UpdateJob } from '../../ports/index.js';
import { buildEmptyProgress, type ChangeProgress } from '../../ports/listing/progress.js';
import { toJobAnswer } from './answers.js';
import { toPublishResult, toChangeResult } from '../run/results.js';

/** Builds responses about a job and its progress. */
export type JobAnswers = {
  answer(job: ShopJob, warnings?: readonly Warning[]): Promise<ListingJobResult>;
  /** The result of each shop, even while the job runs. */
  listResults(job: ShopJob): Promise<ShopResult[]>;
  /**
   * For each shop of a listing, the result of the last job that published there: a later job may be for other
   * shops.
   */
  listPublishResults(listing: ListingRecord): Promise<ShopResult[]>;
};

export function createJobAnswers({ store }: { store: Store }): JobAnswers {
  async function listResults(job: ShopJob): Promise<ShopResult[]> {
    if (job.results) return job.results;
    return job.kind === 'publish' ? listPublished(job) : listUpdated(job);
  }

  async function listPublishResults({
    account_id,
    listing_pk,
    request,
  }: ListingRecord): Promise<ShopResult[]> {
    const jobs = await store.listings.listJobs(account_id, listing_pk);
    const results = await Promise.all(jobs.filter((job) => job.kind === 'publish').map(listResults));
    const last = new Map(results.flat().map((result) => [result.shop_id, result]));
    return request.shops.flatMap(({ shop_id }) => last.get(String(shop_id)) ?? []);
  }

  async function listUpdated({ account_id, job_id, plan }: UpdateJob): Promise<ShopResult[]> {
    if (!plan) return [];
    const parts = await store.listings.listJobParts<ChangeProgress>(account_id, job_id);
    return plan.shops.map((update) =>
      toChangeResult(plan, update, parts.find(({ part_id }) => part_id === update.shop_id)?.progress),
    );
  }

  async function listPublished(job: PublishJob): Promise<ShopResult[]> {
    const { plan } = job;
    if (!plan) return [];
    const publications = await store.listings.listPublications(job.account_id, job.listing_pk);
    return plan.shops.map((shop_plan) => {
      const publication = publications.find(({ shop_id }) => shop_id === shop_plan.shop_id);
      const progress = publication?.progress ?? buildEmptyProgress();
      return toPublishResult({ ...job, plan }, shop_plan, progress, publication?.listing_id ?? null);
    });
  }

  return {
    answer: async (job, warnings = []) => toJobAnswer(job, await listResults(job), warnings),
    listResults,
    listPublishResults,
  };
}
