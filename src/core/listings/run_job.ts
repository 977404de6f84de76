import pLimit from 'p-limit';
import type { Ports } from '../core.js';
import { cleanForeign } from '../errors.js';
import {
  ClaimLostError,
  type JobEnd,
  type JobClaim,
  type JobRecord,
  type Publication,
  type RunningJob,
  type TakenClaim,
} from '../ports/index.js';
import type { Settings } from '../settings.js';
import type { Meter } from './meter.js';
import type { ShopPlan } from './plan.js';
import { buildEmptyProgress, renewDeadline } from './progress.js';
import { describeJobFailure, isPassing } from './publish_shop.js';
import { publishShops } from './publish_shops.js';
import { toListingStatus, toShopResult } from './results.js';
import { StoppedError, type Publishing } from './steps/step.js';
import { createTurns } from './steps/turns.js';

const CLAIM_MS = 30_000;
const FINISH_ATTEMPTS = 3;
const FINISH_PAUSE_MS = 1_000;

/** The job when it has ended; undefined where another process has it, or this one goes on with it later. */
type JobRunner = (account_id: string, job_id: string, meter: Meter) => Promise<JobRecord | undefined>;

type RunnerPorts = Pick<Ports, 'store' | 'marketplace' | 'media' | 'blobs' | 'clock' | 'log' | 'reachPoint'>;

/** @param stopping ends what is under way where nothing is lost */
export function createJobRunner(
  ports: RunnerPorts,
  settings: Pick<Settings, 'reconcile_settle_ms'>,
  stopping: AbortSignal,
): JobRunner {
  const { store, clock, log } = ports;
  const started_ms = clock.monotonic();

  async function run(account_id: string, job_id: string, meter: Meter): Promise<JobRecord | undefined> {
    ports.reachPoint?.('job.before_claim');
    const claim = await store.listings.claimJob(account_id, job_id, CLAIM_MS);
    if (!claim) return undefined;
    ports.reachPoint?.('job.claimed');
    const over = new AbortController();
    void keepClaim(claim, over.signal);
    try {
      return await runClaimed(claim, meter).finally(() => over.abort());
    } catch (cause) {
      // A job that has ended holds no claim any more; this one is for the process that goes on with it.
      await store.listings.releaseClaim(claim);
      if (cause instanceof ClaimLostError) log.warn('another process has taken over the job', { job_id });
      else if (!(cause instanceof StoppedError)) throw cause;
      return undefined;
    }
  }

  async function keepClaim(claim: JobClaim, signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(CLAIM_MS / 3, signal).catch(() => undefined);
      if (signal.aborted) return;
      await store.listings.renewClaim(claim, CLAIM_MS).catch((error: unknown) => {
        if (!signal.aborted)
          log.warn('the claim of a job could not be renewed', { job_id: claim.job_id, error });
      });
    }
  }

  async function runClaimed(claim: TakenClaim, meter: Meter): Promise<JobRecord | undefined> {
    const { account_id, job_id } = claim;
    const job = await store.listings.findJob(account_id, job_id);
    if (job?.status !== 'processing') return job;
    const publications = await store.listings.listPublications(account_id, job.listing_pk);
    const backed_up_at = await store.listings.findBackupTime(job.listing_pk);
    if (backed_up_at !== undefined) log.info('a job goes on that is from a backup', { job_id, backed_up_at });
    meter.setTotal(job.plan);
    const shops = job.plan.shops.map((shop_plan) => {
      const publication = publications.find(({ shop_id }) => shop_id === shop_plan.shop_id);
      return buildPublishing(claim, job, shop_plan, publication, backed_up_at, meter);
    });
    const { unsaved, thrown } = await publishShops(job_id, shops, ports);
    const passing = thrown.find(isPassing);
    if (passing) {
      await Promise.allSettled(unsaved.map(({ save }) => save()));
      throw passing;
    }
    const [cause] = thrown;
    if (cause !== undefined) log.error('job failed', { job_id, error: cause });
    const progresses = shops.map(({ progress }) => progress);
    ports.reachPoint?.('job.before_finish');
    const done = await finish(claim, {
      status: cause === undefined ? 'completed' : 'failed',
      publications: unsaved.map(({ shop: { shop_id }, listing_id, progress }) => ({
        shop_id,
        listing_id,
        progress,
      })),
      results: shops.map(({ shop_plan, progress, listing_id }) =>
        toShopResult(job, shop_plan, progress, listing_id),
      ),
      error_message: cause === undefined ? null : describeJobFailure(cause),
      listing_status: cause === undefined ? toListingStatus(job.plan, progresses) : 'incomplete',
    });
    ports.reachPoint?.('job.finished');
    return done;
  }

  /** What the shops have is there: a lock or a full disk that passes must not leave the job open. */
  async function finish(claim: JobClaim, end: JobEnd): Promise<JobRecord> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await store.listings.finishJob(claim, end);
      } catch (cause) {
        if (cause instanceof ClaimLostError || attempt === FINISH_ATTEMPTS) throw cause;
        await clock.sleep(FINISH_PAUSE_MS);
      }
    }
  }

  function checkStop(): void {
    if (stopping.aborted) throw new StoppedError('the process is about to stop');
  }

  function buildPublishing(
    claim: TakenClaim,
    job: RunningJob,
    shop_plan: ShopPlan,
    known: Publication | undefined,
    backed_up_at: string | undefined,
    meter: Meter,
  ): Publishing {
    const { shop_id } = shop_plan;
    const progress = known?.progress ?? buildEmptyProgress();
    if (progress.intent) renewDeadline(progress.intent, clock.now(), claim.is_alone);
    const name = cleanForeign(shop_plan.shop_name);
    // Two at once could be committed in the other order.
    const oneAtATime = pLimit(1);
    const publishing: Publishing = {
      job_id: job.job_id,
      listing_pk: job.listing_pk,
      backed_up_at,
      started_ms,
      shop: { account_id: claim.account_id, shop_id },
      plan: job.plan,
      shop_plan,
      progress,
      listing_id: known?.listing_id ?? null,
      is_new: false,
      has_lost_media: false,
      fresh: undefined,
      inventory: undefined,
      ports,
      settle_ms: settings.reconcile_settle_ms,
      turns: createTurns(job.plan, shop_plan),
      save: () =>
        oneAtATime(() =>
          store.listings.savePublication(claim, { shop_id, listing_id: publishing.listing_id, progress }),
        ),
      report: (message) => meter.advance(`${name}: ${message}`),
      checkStop,
      async pause(duration_ms) {
        checkStop();
        // The sleep rejects for the stop alone, which is looked at next.
        await clock.sleep(duration_ms, stopping).catch(() => undefined);
        checkStop();
      },
      reach: ports.reachPoint,
    };
    return publishing;
  }

  return run;
}
