import type { ListingJobResult, ShopResult, Warning } from '../../../schemas/job.js';
import type { Call } from '../operation.js';
import type { Clock, JobRecord, Store } from '../ports/index.js';
import { toJobAnswer } from './answers.js';
import type { Jobs, CreatedJob } from './jobs.js';
import { buildEmptyProgress } from './progress.js';
import { toShopResult } from './results.js';
import type { Settings } from '../settings.js';

/** The time a caller waits, counted from the arrival of the call: checking and asking take their share of it. */
export type Patience = { getRest_ms(): number };

/** Waiting for jobs, and telling what they have done so far. */
export type Following = {
  startPatience(call: Call): Patience;
  /** The job when it has ended, or as it is when the caller's time is over. Starts it if nobody runs it. */
  follow(job: JobRecord, call: Call, patience: Patience, created?: CreatedJob): Promise<JobRecord>;
  answer(job: JobRecord, warnings?: readonly Warning[]): Promise<ListingJobResult>;
  /** What is known of each shop, during a job too. */
  listResults(job: JobRecord): Promise<ShopResult[]>;
};

export function createFollowing(
  ports: { store: Store; clock: Clock },
  jobs: Jobs,
  { base_url }: Pick<Settings, 'base_url'>,
): Following {
  const { store, clock } = ports;

  async function listResults(job: JobRecord): Promise<ShopResult[]> {
    const { plan } = job;
    if (job.results || !plan) return job.results ?? [];
    const publications = await store.listings.listPublications(job.account_id, job.listing_pk);
    return plan.shops.map((shop_plan) => {
      const publication = publications.find(({ shop_id }) => shop_id === shop_plan.shop_id);
      const progress = publication?.progress ?? buildEmptyProgress();
      return toShopResult({ ...job, plan }, shop_plan, progress, publication?.listing_id ?? null);
    });
  }

  return {
    startPatience({ wait_ms }) {
      const until_ms = wait_ms === undefined ? Infinity : clock.monotonic() + wait_ms;
      return { getRest_ms: () => Math.max(0, until_ms - clock.monotonic()) };
    },
    async follow({ account_id, job_id, status }, { signal, onProgress }, patience, created) {
      if (status === 'processing') jobs.start(account_id, job_id, created);
      return jobs.wait(account_id, job_id, {
        wait_ms: patience.getRest_ms(),
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onProgress } : {}),
      });
    },
    answer: async (job, warnings = []) => toJobAnswer(job, await listResults(job), warnings, base_url),
    listResults,
  };
}
