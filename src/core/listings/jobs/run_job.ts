import type { Ports } from '../../ports/index.js';
import {
  ClaimLostError,
  type JobClaim,
  type JobEnd,
  type JobKind,
  type JobRecord,
  type RunningJob,
} from '../../ports/index.js';
import type { Progress } from '../../ports/records.js';
import { retry } from '../../async/retry.js';
import { ClaimRunOutError, takeHold, type Hold, type KindRunner } from './hold.js';
import type { Meter } from './meter.js';
import { StoppedError } from '../engine/failures.js';

/** How often progress is saved, for callers waiting in other processes. */
const PROGRESS_MS = 500;
const FINISH_ATTEMPTS = 3;
const FINISH_PAUSE_MS = 1_000;
const RELEASE_PAUSE_MS = 5_000;

/**
 * Runs a job. Returns the job once it has finished; undefined if another process has it, or if this one resumes it
 * later.
 */
type JobRunner = (account_id: string, job_id: string, meter: Meter) => Promise<JobRecord | undefined>;

type KindRunners = { [Kind in JobKind]: KindRunner<Kind> };

/**
 * @param stopping aborted with StoppedError when the process is about to stop: the work then ends where nothing is
 * lost
 */
export function createJobRunner(
  ports: Pick<Ports, 'store' | 'marketplace' | 'clock' | 'log'>,
  runners: KindRunners,
  stopping: AbortSignal,
): JobRunner {
  const { store, clock, log } = ports;

  async function run(account_id: string, job_id: string, meter: Meter): Promise<JobRecord | undefined> {
    const hold = await takeHold(ports, { account_id, job_id }, stopping);
    if (!hold) return undefined;
    const { claim } = hold;
    const over = new AbortController();
    void saveProgress(claim, meter, over.signal);
    let isWhole = true;
    try {
      return await runClaimed(hold, meter).finally(() => {
        over.abort();
        isWhole = hold.letGo();
      });
    } catch (cause) {
      // The claim of a finished job no longer exists; this releases the claim of a job that another process
      // resumes.
      if (isWhole) await release(claim);
      if (cause instanceof ClaimRunOutError) log.warn('the claim of a job has run out', { job_id });
      else if (cause instanceof ClaimLostError)
        log.warn('another process has taken over the job', { job_id });
      else if (!(cause instanceof StoppedError)) throw cause;
      return undefined;
    }
  }

  /**
   * Retries until the database accepts it: the claim expires by the database's clock, which may have been set back.
   */
  async function release(claim: JobClaim): Promise<void> {
    try {
      await store.listings.releaseClaim(claim);
    } catch (error) {
      log.warn('the claim of a job could not be released yet', { job_id: claim.job_id, error });
      const paused = clock.sleep(RELEASE_PAUSE_MS, stopping, { is_idle: true });
      void paused.then(
        () => release(claim),
        () => undefined,
      );
    }
  }

  async function saveProgress(claim: JobClaim, meter: Meter, signal: AbortSignal): Promise<void> {
    let saved: Progress | undefined;
    for (;;) {
      await clock.sleep(PROGRESS_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      const last = meter.findLast();
      if (!last || last === saved) continue;
      saved = last;
      await store.listings.saveJobProgress(claim, last).catch((error: unknown) => {
        log.debug('the progress of a job could not be saved', { job_id: claim.job_id, error });
      });
    }
  }

  async function runClaimed(hold: Hold, meter: Meter): Promise<JobRecord | undefined> {
    const { account_id, job_id } = hold.claim;
    const job = await store.listings.findJob(account_id, job_id);
    if (job?.status !== 'processing') return job;
    const end = await runKind(job, hold, meter);
    return finish(hold.claim, end);
  }

  async function runKind(job: RunningJob, hold: Hold, meter: Meter): Promise<JobEnd> {
    if (job.kind === 'publish') return runners.publish(job, hold, meter);
    if (job.kind === 'update') return runners.update(job, hold, meter);
    if (job.kind === 'batch') return runners.batch(job, hold, meter);
    return runners.import(job, hold, meter);
  }

  /**
   * Saves the outcome of the job, in several attempts: the work in the shops is done, so a temporary lock or a full
   * disk must not leave the job open.
   */
  function finish(claim: JobClaim, end: JobEnd): Promise<JobRecord> {
    return retry(() => store.listings.finishJob(claim, end), {
      attempts: FINISH_ATTEMPTS,
      isWorthIt: (cause) => !(cause instanceof ClaimLostError),
      pause: () => clock.sleep(FINISH_PAUSE_MS),
    });
  }

  return run;
}
