import { isPublish, type Context } from '../engine/context.js';
import { DriftError } from '../engine/drift_check.js';
import { isTransient, StepError, toJobFailure, toShopFailure } from '../engine/failures.js';
import type { Step, StepOutcome } from '../engine/step.js';
import type { StepFailure } from '../../ports/listing/progress.js';
import type { Work } from '../../../../schemas/issues/failures.js';
import { CHANGING } from './change.js';
import { PUBLISHING } from './publish.js';

/** How one shop's listing gets from where it is to the target. */
export type Course = {
  /** Finds out where the listing is. Returns the steps that may be needed, in order; undefined: the shop is over. */
  begin(cx: Context, run: ShopRun): Promise<readonly Step[] | undefined>;
  /** Runs one step. */
  runStep(cx: Context, step: Step): Promise<StepOutcome | void>;
  /** Records a step that was done. */
  note(cx: Context, step: Step, outcome: StepOutcome): void;
  /** Called when no step runs any more. */
  finish(cx: Context, run: ShopRun): Promise<void>;
  /** Names a failed call of the step. */
  findWork(cx: Context, step: FailingStep): Work;
};

export type FailingStep = Pick<Step, 'name' | 'work'>;

/** One run of one shop. */
export type ShopRun = {
  /** An error that is not the shop's: of the job, of the service, or one after which the job resumes. */
  thrown: { cause: unknown } | undefined;
  /** What an active listing must have, and this one lacks. */
  missing: StepFailure | undefined;
  /** Runs a part of the work. A failure of the shop goes into the journal, any other error into `thrown`. */
  attempt(step: FailingStep, work: () => Promise<boolean | void>): Promise<boolean>;
  isOver(): boolean;
};

/**
 * Brings one listing in one shop to the target, from the beginning or from where an earlier run stopped. A failure of
 * the shop becomes `journal.failure`; other errors are thrown (JobFailure, StoppedError, ClaimLostError, unexpected
 * ones). The caller saves the outcome, even after an error.
 */
export async function runShop(cx: Context): Promise<void> {
  const { journal } = cx;
  if (cx.change.ended) return;
  journal.failure = null;
  const course = isPublish(cx.plan) ? PUBLISHING : CHANGING;
  const run: ShopRun = {
    thrown: undefined,
    missing: undefined,
    isOver: () => run.thrown !== undefined || journal.failure !== null,
    async attempt(step, work) {
      try {
        return (await work()) !== false;
      } catch (cause) {
        fail(step, cause);
        return false;
      }
    },
  };
  const steps = await course.begin(cx, run);
  if (!steps) return;
  await runSteps(cx, course, steps, run);
  await course.finish(cx, run);
  if (run.thrown) throw run.thrown.cause;

  function fail(step: FailingStep, cause: unknown): void {
    const failure = toShopFailure(step.name, cause, course.findWork(cx, step), cx.again);
    if (failure) {
      journal.failure ??= cause instanceof DriftError ? { ...failure, ...cause.details } : failure;
      return;
    }
    run.thrown ??= { cause };
    // An error of the service, not of the shop, left the shop unfinished. Its result says so, unless the job
    // resumes later.
    if (isTransient(cause)) return;
    journal.failure ??= { step: step.name, error: toJobFailure(cause, cx.again), marketplace_status: null };
  }
}

/** Runs the steps, in parallel as soon as those they need are done, or one after the other. */
async function runSteps(cx: Context, course: Course, steps: readonly Step[], run: ShopRun): Promise<void> {
  const { policy, journal, schedule } = cx;
  const waiting = new Set(steps);
  const running = new Map<Step, Promise<void>>();
  const commits: Promise<unknown>[] = [];
  if (policy.is_parallel && steps.some(({ name }) => name === 'images')) schedule.begin();
  for (;;) {
    for (const step of waiting) {
      if (!isReady(step)) continue;
      waiting.delete(step);
      if (!isWanted(step)) continue;
      if (step.is_for_complete && run.missing) {
        journal.failure = run.missing;
        continue;
      }
      // The step leaves the map a microtask later at the earliest, so a step that finishes at once does not leave
      // it before it is added.
      running.set(
        step,
        runStep(step).finally(() => running.delete(step)),
      );
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  await Promise.all(commits);

  function isReady({ needs = [] }: Step): boolean {
    if (!policy.is_parallel) return running.size === 0;
    return needs.every((need) => ![...waiting, ...running.keys()].some(({ name }) => name === need));
  }

  /** Steps that restore parts removed by other writes run even if one of those writes failed. */
  function isWanted(step: Step): boolean {
    if (isTransient(run.thrown?.cause) || (run.isOver() && !step.is_restoring)) return false;
    return policy.is_parallel || step.isOpen?.(cx) !== false;
  }

  async function runStep(step: Step): Promise<void> {
    await run.attempt(step, async () => {
      cx.checkStop();
      const outcome = (await course.runStep(cx, step)) ?? {};
      const { missing } = outcome;
      if (missing && !policy.tolerates_refusals)
        throw new StepError(missing.error, missing.marketplace_status);
      if (missing) run.missing ??= { step: step.name, ...missing };
      course.note(cx, step, outcome);
      if (!policy.is_parallel) return cx.save();
      // The caller saves the last step. The next step does not wait for this save: if it is lost, repeating the
      // step does no harm.
      const isLast = waiting.size === 0 && running.size === 1;
      if (!isLast) commits.push(run.attempt(step, cx.save));
      return undefined;
    });
    // An error that does not belong to the shop, such as a lost claim, also ends the waiting writes.
    if (step.name === 'images') schedule.end(run.thrown?.cause);
  }
}
