import type { ListingJobResult, ShopResult, Warning } from '../../../schemas/job.js';
import type { Call } from '../call.js';
import type { Clock, JobRecord, PublishJob, ShopJob, Store, UpdateJob } from '../ports/index.js';
import { toJobAnswer } from './answers.js';
import type { Jobs } from './jobs.js';
import { buildEmptyProgress } from './progress.js';
import { toShopResult } from './results.js';
import type { ShopUpdateProgress } from './update/run/progress.js';
import { toUpdateResult } from './update/run/results.js';
import type { Settings } from '../settings.js';

/** Waiting for jobs, and telling what they have done so far. */
export type Following = {
  /** When a caller has waited long enough, in milliseconds of monotonic time. Taken as the call arrives: checking and asking count. */
  getDeadline(call: Call): number;
  /** The job when it has ended, or as it is when the caller's time is over. Starts it if no process runs it. */
  follow(job: ShopJob, call: Call, deadline_ms: number): Promise<ShopJob>;
  answer(job: ShopJob, warnings?: readonly Warning[]): Promise<ListingJobResult>;
  /** What is known of each shop, during a job too. */
  listResults(job: ShopJob): Promise<ShopResult[]>;
};

export function createFollowing(
  ports: { store: Store; clock: Clock },
  jobs: Jobs,
  { base_url }: Pick<Settings, 'base_url'>,
): Following {
  const { store, clock } = ports;

  async function listResults(job: ShopJob): Promise<ShopResult[]> {
    if (job.results) return job.results;
    return job.kind === 'publish' ? listPublished(job) : listUpdated(job);
  }

  async function listUpdated({ account_id, job_id, plan }: UpdateJob): Promise<ShopResult[]> {
    if (!plan) return [];
    const parts = await store.listings.listJobParts<ShopUpdateProgress>(account_id, job_id);
    return plan.shops.map((update) =>
      toUpdateResult(plan, update, parts.find(({ part_id }) => part_id === update.shop_id)?.progress),
    );
  }

  async function listPublished(job: PublishJob): Promise<ShopResult[]> {
    const { plan } = job;
    if (!plan) return [];
    const publications = await store.listings.listPublications(job.account_id, job.listing_pk);
    return plan.shops.map((shop_plan) => {
      const publication = publications.find(({ shop_id }) => shop_id === shop_plan.shop_id);
      const progress = publication?.progress ?? buildEmptyProgress();
      return toShopResult({ ...job, plan }, shop_plan, progress, publication?.listing_id ?? null);
    });
  }

  return {
    getDeadline: ({ wait_ms = Infinity }) => clock.monotonic() + wait_ms,
    async follow({ account_id, job_id, status }, { signal, onProgress }, deadline_ms) {
      if (status === 'processing') jobs.start(account_id, job_id);
      const job = await jobs.wait(account_id, job_id, {
        deadline_ms,
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onProgress } : {}),
      });
      return toShopJob(job);
    },
    answer: async (job, warnings = []) => toJobAnswer(job, await listResults(job), warnings, base_url),
    listResults,
  };
}

/** Of a job that is known to have results by shop. */
export function toShopJob(job: JobRecord): ShopJob {
  if (job.kind === 'import') throw new Error(`Job ${job.job_id} is an import.`);
  return job;
}
