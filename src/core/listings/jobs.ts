import type { Progress } from '../operation.js';
import type { Ports } from '../core.js';
import { cleanForeign } from '../errors.js';
import {
  LeaseLostError,
  type JobEnd,
  type JobLease,
  type JobRecord,
  type LeaseTerm,
  type Publication,
  type RunningJob,
  type TakenLease,
} from '../ports/index.js';
import type { Settings } from '../settings.js';
import { buildEmptyProgress, renewDeadline } from './progress.js';
import { describeJobFailure, isPassing } from './publish_shop.js';
import { publishShops } from './publish_shops.js';
import { createMeter, type Meter } from './meter.js';
import { toListingStatus, toShopResult } from './results.js';
import { StoppedError, type Publishing } from './steps/step.js';
import { createTurns } from './steps/turns.js';
import type { ShopPlan } from './plan.js';

const LEASE_MS = 30_000;
const POLL_MS = 500;
const MAX_PAUSE_MS = 60_000;
const FINISH_ATTEMPTS = 3;
const FINISH_PAUSE_MS = 1_000;
/** How often a process looks for jobs that another one left behind. */
const SWEEP_MS = 5_000;

/** A job that this process has just created, and the lease that it created it with. */
export type CreatedJob = { job: JobRecord; lease: TakenLease; term: LeaseTerm };

export type Jobs = {
  /** Takes the job's lease, unless it was created with it, and runs it in the background; when another process has it, does nothing. */
  start(account_id: string, job_id: string, created?: CreatedJob): void;
  /** For a lease that is taken now. */
  buildTerm(): LeaseTerm;
  /** The job once it has ended, or as it is when the time or the caller's patience is over. */
  wait(
    account_id: string,
    job_id: string,
    options: { wait_ms?: number; signal?: AbortSignal; onProgress?: (progress: Progress) => void },
  ): Promise<JobRecord>;
  /** Takes up what was left unfinished, now and from time to time. */
  resume(): Promise<void>;
  /** Lets running jobs stop where nothing is lost, and waits for them. They go on at the next start. */
  stop(): Promise<void>;
};

type JobPorts = Pick<Ports, 'store' | 'marketplace' | 'media' | 'blobs' | 'clock' | 'log' | 'reachPoint'>;
type JobSettings = Pick<Settings, 'process_id' | 'reconcile_settle_ms'>;

export function createJobs(ports: JobPorts, settings: JobSettings): Jobs {
  const { store, clock, log } = ports;
  const running = new Map<string, { ended: Promise<JobRecord | undefined>; meter: Meter }>();
  const stopping = new AbortController();
  const started_ms = clock.monotonic();

  function start(account_id: string, job_id: string, created?: CreatedJob): void {
    const earlier = running.get(job_id);
    // Whoever created it has its lease, and gives it back at once when the process stops.
    if (!created && (earlier || stopping.signal.aborted)) return;
    const meter = earlier?.meter ?? createMeter();
    const begin = () => run(account_id, job_id, created, meter);
    // A repeat of the call that created the job may have been here before it, and finds the lease taken.
    const ended = (earlier ? earlier.ended.then(begin) : begin())
      .catch((error: unknown) => {
        log.error('job could not be run', { job_id, error });
        return undefined;
      })
      .finally(() => {
        if (running.get(job_id)?.ended === ended) running.delete(job_id);
      });
    running.set(job_id, { ended, meter });
  }

  function buildTerm(): LeaseTerm {
    const expires_at = new Date(clock.now().getTime() + LEASE_MS).toISOString();
    return { owner: settings.process_id, expires_at };
  }

  function isFresh({ expires_at }: LeaseTerm): boolean {
    return Date.parse(expires_at) - clock.now().getTime() > (LEASE_MS * 2) / 3;
  }

  async function claim(account_id: string, job_id: string): Promise<TakenLease | undefined> {
    ports.reachPoint?.('job.before_claim');
    const { owner, expires_at } = buildTerm();
    const now = clock.now().toISOString();
    const lease = await store.listings.claimJob(account_id, job_id, owner, expires_at, now);
    if (lease) ports.reachPoint?.('job.claimed');
    return lease;
  }

  /** The job when it has ended; undefined where another process goes on with it, or this one later. */
  async function run(
    account_id: string,
    job_id: string,
    created: CreatedJob | undefined,
    meter: Meter,
  ): Promise<JobRecord | undefined> {
    const lease = created?.lease ?? (await claim(account_id, job_id));
    if (!lease) return undefined;
    const renewing = setInterval(() => renew(lease), LEASE_MS / 3);
    try {
      return await runLeased(lease, created, meter).finally(() => clearInterval(renewing));
    } catch (cause) {
      // A job that has ended holds no lease any more; this one is for whoever goes on with it.
      await store.listings.releaseLease(lease);
      if (cause instanceof LeaseLostError) log.warn('another process has taken over the job', { job_id });
      else if (!(cause instanceof StoppedError)) throw cause;
      return undefined;
    }
  }

  function renew(lease: JobLease): void {
    store.listings.renewLease(lease, buildTerm().expires_at).catch((error: unknown) => {
      log.warn('lease could not be renewed', { job_id: lease.job_id, error });
    });
  }

  async function runLeased(
    lease: TakenLease,
    created: CreatedJob | undefined,
    meter: Meter,
  ): Promise<JobRecord | undefined> {
    const { account_id, job_id } = lease;
    // Where it took long to come here, another process may have the job by now.
    if (created && !isFresh(created.term)) await store.listings.renewLease(lease, buildTerm().expires_at);
    const job = created?.job ?? (await store.listings.findJob(account_id, job_id));
    if (job?.status !== 'processing') return job;
    const publications = await store.listings.listPublications(account_id, job.listing_pk);
    const backed_up_at = created ? undefined : await store.listings.findBackupTime(job.listing_pk);
    if (backed_up_at !== undefined) log.info('a job goes on that is from a backup', { job_id, backed_up_at });
    meter.setTotal(job.plan);
    const shops = job.plan.shops.map((shop_plan) => {
      const publication = publications.find(({ shop_id }) => shop_id === shop_plan.shop_id);
      return buildPublishing(lease, job, shop_plan, publication, backed_up_at, meter);
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
    const done = await finish(lease, {
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
      now: clock.now().toISOString(),
    });
    ports.reachPoint?.('job.finished');
    return done;
  }

  /** What the shops have is there: a lock or a full disk that passes must not leave the job open. */
  async function finish(lease: JobLease, end: JobEnd): Promise<JobRecord> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await store.listings.finishJob(lease, end);
      } catch (cause) {
        if (cause instanceof LeaseLostError || attempt === FINISH_ATTEMPTS) throw cause;
        await clock.sleep(FINISH_PAUSE_MS);
      }
    }
  }

  function buildPublishing(
    lease: TakenLease,
    job: RunningJob,
    shop_plan: ShopPlan,
    known: Publication | undefined,
    backed_up_at: string | undefined,
    meter: Meter,
  ): Publishing {
    const progress = known?.progress ?? buildEmptyProgress();
    if (progress.intent) renewDeadline(progress.intent, clock.now(), lease.is_alone);
    const name = cleanForeign(shop_plan.shop_name);
    const publishing: Publishing = {
      job_id: job.job_id,
      listing_pk: job.listing_pk,
      backed_up_at,
      started_ms,
      shop: { account_id: lease.account_id, shop_id: shop_plan.shop_id },
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
      save: () => store.listings.savePublication(lease, shop_plan.shop_id, publishing.listing_id, progress),
      report: (message) => meter.advance(`${name}: ${message}`),
      checkStop: () => {
        if (stopping.signal.aborted) throw new StoppedError('the process is about to stop');
      },
      reach: ports.reachPoint,
    };
    return publishing;
  }

  async function wait(
    account_id: string,
    job_id: string,
    { wait_ms = Infinity, signal, onProgress }: Parameters<Jobs['wait']>[2],
  ): Promise<JobRecord> {
    const until_ms = clock.monotonic() + wait_ms;
    const stopListening = onProgress && running.get(job_id)?.meter.listen(onProgress);
    try {
      for (;;) {
        const rest_ms = until_ms - clock.monotonic();
        const is_over = rest_ms <= 0 || signal?.aborted || stopping.signal.aborted;
        // The end of a job of this process is told at once; one of another process is asked for.
        const ended = running.get(job_id)?.ended;
        if (is_over || !ended) {
          const job = await store.listings.findJob(account_id, job_id);
          if (!job) throw new Error('a job that was started has a row');
          if (is_over || job.status !== 'processing') return job;
          // Where nobody looks for what is left unfinished, whoever waits for it does.
          if (!sweeping) start(account_id, job_id);
        }
        const done = await pause(Math.min(rest_ms, ended ? MAX_PAUSE_MS : POLL_MS), ended, signal);
        if (done) return done;
      }
    } finally {
      stopListening?.();
    }
  }

  /** Ends with the time, the job or the caller's patience, whichever is first. */
  async function pause(
    duration_ms: number,
    ended: Promise<JobRecord | undefined> | undefined,
    signal: AbortSignal | undefined,
  ): Promise<JobRecord | undefined> {
    const over = new AbortController();
    const anySignal = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    const slept = clock.sleep(duration_ms, anySignal).then(
      () => undefined,
      () => undefined,
    );
    const done = await Promise.race(ended ? [slept, ended] : [slept]);
    over.abort('over');
    return done;
  }

  let sweeping: NodeJS.Timeout | undefined;

  async function sweep(): Promise<void> {
    await store.listings.releaseDeadLeases();
    const left = await store.listings.listClaimableJobs(clock.now().toISOString());
    for (const { account_id, job_id } of left) start(account_id, job_id);
  }

  return {
    start,
    buildTerm,
    wait,
    async resume() {
      await sweep();
      sweeping ??= setInterval(() => {
        sweep().catch((error: unknown) => log.warn('unfinished jobs could not be listed', { error }));
      }, SWEEP_MS).unref();
    },
    async stop() {
      stopping.abort();
      clearInterval(sweeping);
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}
