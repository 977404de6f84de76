import { findFault } from '../../faults.js';
import { ClaimLostError, StoreUnavailableError, MarketplaceError } from '../../ports/index.js';
import { toPlanOf, type PublishPlan, type ShopPlan } from './plan.js';
import type { ShopProgress, StepFailure, StepName } from './progress.js';
import { describeFailure, isQuiet, waitUntilQuiet } from './steps/attempt.js';
import { settleActivation } from './steps/activate.js';
import { isSent } from './steps/activation.js';
import { buildLeft, isBehind, readAgain } from './steps/drafts_only.js';
import { PIPELINE } from './steps/index.js';
import { isStepDone, JobFailure, StepError, StoppedError, type Publishing, type Step } from './steps/step.js';
import { withPoints } from './steps/watched.js';

/**
 * Brings one listing in one shop to the plan's state, from the beginning or from where an earlier run stopped. A failure of the shop
 * becomes `progress.failure`; other errors are thrown (JobFailure, StoppedError, ClaimLostError, unexpected ones). The caller saves
 * the last state of `progress`.
 */
export async function publishShop(publishing: Publishing): Promise<void> {
  const { progress, plan, shop_plan } = publishing;
  progress.failure = null;
  const state: { thrown?: { cause: unknown }; missing?: StepFailure; is_end_unsaved?: boolean } = {};
  const isOver = () => state.thrown !== undefined || progress.failure !== null;
  if (plan.state !== 'active' && isSent(progress)) {
    await settleActivation(watch('activate')).catch((cause: unknown) => fail('activate', cause));
  }
  const steps = PIPELINE.filter((step) => step.isNeeded(plan, shop_plan));
  const settled = new Set<StepName>(
    PIPELINE.filter((step) => !steps.includes(step)).map((step) => step.name),
  );
  const waiting = new Set(
    steps.filter(
      (step) => !(step.is_repeated ? steps : [step]).every((other) => isStepDone(other, progress)),
    ),
  );
  for (const { name } of steps.filter((step) => !waiting.has(step))) {
    settled.add(name);
    // The listing may be live from an earlier run that ended before it could save that.
    if (!progress.done.includes(name)) markDone(name);
  }
  const running = new Map<StepName, Promise<void>>();
  const commits: Promise<void>[] = [];

  const first = [...waiting].find(({ is_repeated, is_for_complete }) => !is_repeated && !is_for_complete);
  if (first && !isOver() && !progress.is_under_way) {
    progress.is_under_way = true;
    // Where there is no listing yet, it is committed with the intent to create it.
    if (publishing.listing_id !== null) {
      await publishing.save().catch((cause: unknown) => fail(first.name, cause));
    }
  }
  const unsure = [...waiting].find(({ listLeft }) => listLeft !== undefined);
  if (unsure && !isOver()) await readAgain(publishing).catch((cause: unknown) => fail(unsure.name, cause));
  for (const step of waiting) step.onPlanned?.(publishing);
  while (waiting.size > 0 || running.size > 0) {
    for (const step of isOver() ? [] : waiting) {
      if (!step.needs.every((need) => settled.has(need))) continue;
      waiting.delete(step);
      if (step.is_for_complete && state.missing) {
        progress.failure = state.missing;
        continue;
      }
      // The step leaves the map a microtask later at the earliest, so that one that ends at once does not leave it before it is in.
      const run = runStep(step).finally(() => running.delete(step.name));
      running.set(step.name, run);
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  await Promise.all(commits);
  const is_passing = isPassing(state.thrown?.cause);
  if (!is_passing) {
    // Else a write without an answer could undo what is done about the failure by hand.
    await waitUntilQuiet(publishing);
    delete progress.is_under_way;
  } else if (isStopping(publishing) && isQuiet(publishing)) {
    // The next run need not wait: all steps have ended, and each of their writes was answered.
    delete progress.is_under_way;
    await publishing.save().catch(() => undefined);
  }
  if (!state.thrown) return;
  // The caller does not save when this throws: neither that the shop has ended, nor what the last step left to it.
  if (!is_passing || state.is_end_unsaved) await publishing.save().catch(() => undefined);
  throw state.thrown.cause;

  function watch(name: StepName): Publishing {
    return publishing.reach ? withPoints(publishing, name, publishing.reach) : publishing;
  }

  function markDone(name: StepName): void {
    if (!progress.done.includes(name)) progress.done.push(name);
    progress.done_at = { ...progress.done_at, [name]: publishing.ports.clock.now().toISOString() };
  }

  async function runStep(step: Step): Promise<void> {
    const own = watch(step.name);
    try {
      publishing.checkStop();
      const { warnings = [], missing } = isBehind(step, publishing)
        ? { warnings: buildLeft(step, publishing) }
        : await step.run(own);
      progress.warnings[step.name] = warnings;
      if (missing) state.missing ??= { step: step.name, ...missing };
      else markDone(step.name);
      settled.add(step.name);
      state.is_end_unsaved = waiting.size === 0 && running.size === 1;
      // The next step does not wait for this save: should it be lost, doing the step again does no harm.
      if (!state.is_end_unsaved) commits.push(own.save().catch((cause: unknown) => fail(step.name, cause)));
    } catch (cause) {
      fail(step.name, cause);
    }
    step.onEnded?.(publishing, state.thrown?.cause);
  }

  function fail(step: StepName, cause: unknown): void {
    const failure = toFailure(step, cause);
    if (failure) {
      progress.failure ??= failure;
      return;
    }
    state.thrown ??= { cause };
    // An error of the service, not of the shop, has left the shop unfinished: its result says so, unless the job goes on later.
    if (isPassing(cause)) return;
    progress.failure ??= { step, error: describeJobFailure(cause), marketplace_status: null };
  }
}

function isStopping({ checkStop }: Publishing): boolean {
  try {
    checkStop();
    return false;
  } catch {
    return true;
  }
}

/** Whether the listing is complete in one shop: it has all that the plan asks for, even the parts whose lack is only a warning. */
export function isComplete(plan: PublishPlan, shop_plan: ShopPlan, progress: ShopProgress): boolean {
  if (progress.failure || isSent(progress)) return false;
  const own = toPlanOf(plan, shop_plan);
  return PIPELINE.filter((step) => step.isNeeded(own, shop_plan)).every((step) => isStepDone(step, progress));
}

/** Errors after which the job goes on later or in another process, so that there is no result yet. */
export function isPassing(cause: unknown): boolean {
  const isOurs = cause instanceof StoppedError || cause instanceof ClaimLostError;
  return isOurs || cause instanceof StoreUnavailableError;
}

/** @param again the operation that finishes what is left */
export function describeJobFailure(cause: unknown, again = 'listing_publish'): string {
  if (cause instanceof JobFailure) return cause.message;
  const fault = findFault(cause);
  const what = fault ? `${fault.message} ${fault.hint}` : 'Something went wrong inside the service.';
  return `${what} ${again} finishes what is left.`;
}

function toFailure(step: StepName, cause: unknown): StepFailure | undefined {
  if (cause instanceof StepError)
    return { step, error: cause.message, marketplace_status: cause.marketplace_status };
  if (cause instanceof MarketplaceError)
    return { step, error: describeFailure(cause), marketplace_status: cause.status };
  return undefined;
}
