import { setMaxListeners } from 'node:events';
import { createBackgroundLoop } from '../../background_loop.js';
import type { Call } from '../../operations/call.js';
import type { JobRecord, ShopJob } from '../../ports/index.js';
import type { Progress } from '../../ports/records.js';
import type { Settings } from '../../settings.js';
import type { Uploads } from '../../uploads/uploads.js';
import { createImportRunner } from '../import/run_import.js';
import { createMeter, type Meter } from './meter.js';
import type { WorkPorts } from '../run/context.js';
import { createShopRunner } from '../run/run_shops.js';
import type { KindRunner } from './hold.js';
import { createJobRunner } from './run_job.js';
import { StoppedError } from '../engine/failures.js';

const POLL_MS = 500;
const MAX_PAUSE_MS = 60_000;
/**
 * How often a process checks for jobs that another one left behind. A worker checks for other processes' new jobs
 * more often.
 */
const SWEEP_MS = 5_000;
const WORKER_SWEEP_MS = 500;

export type Jobs = {
  /** Lets jobs of batches run; called once, before any job does. */
  serveBatches(runner: KindRunner<'batch'>): void;
  /**
   * Claims the job and runs it in the background. Does nothing if a process already runs it, or if this process's
   * role runs no jobs.
   */
  start(account_id: string, job_id: string): void;
  /**
   * Returns the job when it finishes, or in its current state at the deadline (ms of monotonic time) or when the
   * caller stops waiting.
   */
  wait(
    account_id: string,
    job_id: string,
    options: { deadline_ms: number; signal?: AbortSignal; onProgress?: (progress: Progress) => void },
  ): Promise<JobRecord>;
  /**
   * The deadline of a call's wait, in ms of monotonic time. Computed when the call arrives, so that checks and
   * consent count.
   */
  getDeadline(call: Call): number;
  /**
   * Returns the job when it finishes, or in its current state when the caller's time is over. Starts it if no
   * process runs it.
   */
  follow(job: ShopJob, call: Call, deadline_ms: number): Promise<ShopJob>;
  /** Runs unfinished jobs that no process has claimed, now and periodically. */
  resume(): Promise<void>;
  /** Stops running jobs where nothing is lost, and waits for them. They resume at the next start. */
  stop(): Promise<void>;
  /** The number of jobs this process runs. */
  countRunning(): number;
};

export function createJobs(
  ports: WorkPorts & { uploads: Uploads },
  settings: Pick<Settings, 'reconcile_settle_ms' | 'role'>,
): Jobs {
  const { store, clock, log } = ports;
  const running = new Map<string, { ended: Promise<JobRecord | undefined>; meter: Meter }>();
  const stopping = new AbortController();
  // Each job adds a listener to this signal.
  setMaxListeners(0, stopping.signal);
  const runShops = createShopRunner(ports, settings);
  const runners = {
    publish: runShops,
    update: runShops,
    import: createImportRunner(ports),
  };
  let runBatch = refuseBatch;
  const batch: KindRunner<'batch'> = (...args) => runBatch(...args);
  const run = createJobRunner(ports, { ...runners, batch }, stopping.signal);
  let isSweeping = false;
  const sweeper = createBackgroundLoop(
    { clock, log, longest_sleep_ms: settings.role === 'worker' ? WORKER_SWEEP_MS : SWEEP_MS, is_idle: true },
    async () => {
      await sweep();
      return undefined;
    },
  );

  async function sweep(): Promise<void> {
    const left = await store.listings.listClaimableJobs();
    for (const { account_id, job_id } of left) start(account_id, job_id);
  }

  function start(account_id: string, job_id: string): void {
    if (settings.role === 'web' || running.has(job_id) || stopping.signal.aborted) return;
    const meter = createMeter();
    const ended = run(account_id, job_id, meter)
      .catch((error: unknown) => {
        log.error('job could not be run', { job_id, error });
        return undefined;
      })
      .finally(() => running.delete(job_id));
    running.set(job_id, { ended, meter });
  }

  async function wait(
    account_id: string,
    job_id: string,
    { deadline_ms, signal, onProgress }: Parameters<Jobs['wait']>[2],
  ): Promise<JobRecord> {
    const stopListening = onProgress && running.get(job_id)?.meter.listen(onProgress);
    let reported = '';
    try {
      for (;;) {
        const rest_ms = deadline_ms - clock.monotonic();
        const isOver = rest_ms <= 0 || signal?.aborted || stopping.signal.aborted;
        // The end of a job of this process is known at once; a job of another process is polled.
        const ended = running.get(job_id)?.ended;
        if (isOver || !ended) {
          const job = await store.listings.findJob(account_id, job_id);
          if (!job) throw new Error('a job that was started has a row');
          if (isOver || job.status !== 'processing') return job;
          // If no worker checks for unfinished jobs, the caller that waits for one runs it.
          if (!isSweeping) start(account_id, job_id);
          const progress = onProgress && (await store.listings.findJobProgress(account_id, job_id));
          if (progress && reported !== (reported = JSON.stringify(progress))) onProgress(progress);
        }
        const done = await pause(Math.min(rest_ms, ended ? MAX_PAUSE_MS : POLL_MS), ended, signal);
        if (done) return done;
      }
    } finally {
      stopListening?.();
    }
  }

  /** Ends when the time is over, the job finishes, the caller stops waiting, or this process is about to stop. */
  async function pause(
    duration_ms: number,
    ended: Promise<JobRecord | undefined> | undefined,
    signal: AbortSignal | undefined,
  ): Promise<JobRecord | undefined> {
    const over = new AbortController();
    const end = (): void => over.abort('over');
    stopping.signal.addEventListener('abort', end, { once: true });
    const anySignal = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    const slept = clock.sleep(duration_ms, anySignal).then(
      () => undefined,
      () => undefined,
    );
    const done = await Promise.race(ended ? [slept, ended] : [slept]);
    stopping.signal.removeEventListener('abort', end);
    end();
    return done;
  }

  return {
    serveBatches: (runner) => (runBatch = runner),
    start,
    wait,
    getDeadline: ({ wait_ms = Infinity }) => clock.monotonic() + wait_ms,
    async follow({ account_id, job_id, status }, { signal, onProgress }, deadline_ms) {
      if (status === 'processing') start(account_id, job_id);
      const job = await wait(account_id, job_id, {
        deadline_ms,
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onProgress } : {}),
      });
      return toShopJob(job);
    },
    async resume() {
      await sweep();
      isSweeping = true;
      sweeper.start();
    },
    countRunning: () => running.size,
    async stop() {
      stopping.abort(new StoppedError('the process is about to stop'));
      await sweeper.stop();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

/** Used until the service is composed. */
const refuseBatch: KindRunner<'batch'> = ({ job_id }) =>
  Promise.reject(new Error(`job ${job_id} has kind 'batch', and nothing runs batches`));

/** Narrows a job that is known to have results by shop. */
export function toShopJob(job: JobRecord): ShopJob {
  if (job.listing_pk === null) throw new Error(`Job ${job.job_id} has kind '${job.kind}'.`);
  return job;
}
