import { isPublish, type Context } from '../engine/context.js';
import { DriftError } from '../engine/drift_check.js';
import { isTransient, StepError, toJobFailure, toShopFailure } from '../engine/failures.js';
import type { Step } from '../engine/step.js';
import { CHANGING } from './change.js';
import type { Course, FailingStep, ShopRun } from './course.js';
import { PUBLISHING } from './publish.js';

/**
 * Brings one listing in one shop to the target, from the beginning or from where an earlier run stopped. A failure of
 * the shop becomes `journal.failure`; other errors are thrown (JobFailure, StoppedError, ClaimLostError, unexpected
 * ones). The caller saves the outcome, that of a publication even after an error.
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
  try {
    const steps = await course.begin(cx, run);
    if (!steps) return;
    await runSteps(cx, course, steps, run);
    await course.finish(cx, run);
  } catch (cause) {
    if (isTransient(cause)) throw cause;
    fail({ name: course.fallback_step }, cause);
  }
  if (run.thrown) throw run.thrown.cause;

  function fail(step: FailingStep, cause: unknown): void {
    const failure = toShopFailure(step.name, cause, course.findWork(cx, step), cx.again);
    if (failure) {
      journal.failure ??= cause instanceof DriftError ? { ...failure, ...cause.details } : failure;
      return;
    }
    // A change must resume to restore the parts it removed, so a transient error replaces one that would end it.
    const isResumed = isTransient(cause) && !cx.policy.is_parallel && !isTransient(run.thrown?.cause);
    run.thrown = isResumed ? { cause } : (run.thrown ?? { cause });
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
    // An error that does not belong to the shop, such as a lost claim, also rejects the writes waiting for photos.
    if (step.name === 'images') schedule.end(run.thrown?.cause);
  }
}
