import { setMaxListeners } from 'node:events';
import {
  ClaimLostError,
  type JobEnd,
  type JobKind,
  type Marketplace,
  type Ports,
  type RunningJob,
  type TakenClaim,
} from '../../ports/index.js';
import type { Patience } from '../engine/context.js';
import type { Meter } from './meter.js';

const CLAIM_MS = 30_000;
const RENEW_MS = CLAIM_MS / 3;
/**
 * How long a claim counts for its holder. After that, requests it already sent have the last seconds of the claim
 * to arrive or abort, so that none is in flight when another process claims the job.
 */
const HOLD_MS = CLAIM_MS - 5_000;

/**
 * A job held by this process, for its runner. Its pauses end with the hold, and when the process is about to stop.
 */
export type Hold = Patience & {
  claim: TakenClaim;
  /**
   * Its calls for shops reject with ClaimLostError as soon as another process may have the job; their outcome is
   * then unknown.
   */
  marketplace: Marketplace;
  /** Aborted with the error that `checkStop` throws. */
  signal: AbortSignal;
};

/**
 * Runs a claimed job of one kind until it finishes. Throws StoppedError or ClaimLostError if the job is to resume
 * later.
 */
export type KindRunner<Kind extends JobKind> = (
  job: Extract<RunningJob, { kind: Kind }>,
  hold: Hold,
  meter: Meter,
) => Promise<JobEnd>;

/**
 * `letGo` returns whether to release the claim: calls that were cut off may be in flight at the marketplace until
 * the claim ends.
 */
type HeldJob = Hold & { letGo(): boolean };

/** The holder could not renew its claim in time; another process may not have claimed the job yet. */
export class ClaimRunOutError extends ClaimLostError {}

/**
 * Claims a job, and renews the claim until `letGo`. Returns undefined if another process has it. Measures the time
 * since the last renewal by this process's own clock, starting before the request: a database that does not respond
 * cannot report that the claim is over.
 */
export async function takeHold(
  { store, marketplace, clock, log }: Pick<Ports, 'store' | 'marketplace' | 'clock' | 'log'>,
  { account_id, job_id }: { account_id: string; job_id: string },
  stopping: AbortSignal,
): Promise<HeldJob | undefined> {
  let held_until_ms = clock.monotonic() + HOLD_MS;
  const claim = await store.listings.claimJob(account_id, job_id, CLAIM_MS);
  if (!claim) return undefined;
  const over = new AbortController();
  const lost = new AbortController();
  // Not AbortSignal.any, which retains part of each job at `stopping`.
  const ending = new AbortController();
  const { signal } = ending;
  const stop = (): void => ending.abort(stopping.reason);
  stopping.addEventListener('abort', stop, { once: true });
  if (stopping.aborted) stop();
  // Each call and each sleeping step adds a listener.
  setMaxListeners(0, lost.signal, signal);
  void renew(claim);
  void watch();

  function lose(cause: ClaimLostError): void {
    lost.abort(cause);
    ending.abort(cause);
  }

  async function renew(held: TakenClaim): Promise<void> {
    for (;;) {
      await clock.sleep(RENEW_MS, over.signal).catch(() => undefined);
      if (over.signal.aborted) return;
      const asked_ms = clock.monotonic();
      try {
        await store.listings.renewClaim(held, CLAIM_MS);
        held_until_ms = asked_ms + HOLD_MS;
      } catch (error) {
        if (over.signal.aborted) return;
        if (error instanceof ClaimLostError) lose(error);
        else log.warn('the claim of a job could not be renewed', { job_id, error });
      }
    }
  }

  async function watch(): Promise<void> {
    while (!over.signal.aborted) {
      const left_ms = held_until_ms - clock.monotonic();
      if (left_ms <= 0) return lose(new ClaimRunOutError(`The claim of job ${job_id} has run out.`));
      await clock.sleep(left_ms, over.signal).catch(() => undefined);
    }
  }

  return {
    claim,
    marketplace: marketplace.until(lost.signal),
    signal,
    checkStop: () => signal.throwIfAborted(),
    pause: (duration_ms) => clock.sleep(duration_ms, signal),
    letGo() {
      over.abort();
      stopping.removeEventListener('abort', stop);
      return !lost.signal.aborted;
    },
  };
}
