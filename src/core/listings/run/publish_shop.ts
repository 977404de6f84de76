import type { ShopProgress, StepFailure, StepName } from '../../ports/listing/progress.js';
import type { Target } from '../../ports/listing/target.js';
import { isSettled, waitUntilSettled, callRepeatably } from '../engine/attempt.js';
import { checkNotCanceled } from '../engine/cancel.js';
import { isTransient, toJobFailure, toShopFailure } from '../engine/failures.js';
import { activateStep, settleActivation } from '../steps/sale/activate.js';
import { isSent } from '../steps/sale/activation.js';
import { listSteps, PIPELINE } from '../steps/table.js';
import type { Publishing } from '../engine/context.js';
import { isStepDone, type PublishStep, type StepOutcome } from '../engine/step.js';
import type { Warning } from '../../../../schemas/job.js';

/**
 * Brings one listing in one shop to the plan's state, from the beginning or from where an earlier run stopped. A
 * failure of the shop becomes `progress.failure`; other errors are thrown (JobFailure, StoppedError,
 * ClaimLostError, unexpected ones). The caller saves the last state of `progress`, even after an error.
 */
export async function publishShop(publishing: Publishing): Promise<void> {
  const { progress, target } = publishing;
  progress.failure = null;
  const state: { thrown?: { cause: unknown }; missing?: StepFailure } = {};
  const isOver = () => state.thrown !== undefined || progress.failure !== null;
  if (target.state !== 'active' && isSent(progress)) {
    await settleActivation(publishing).catch((cause: unknown) => fail(activateStep, cause));
  }
  const steps = listSteps(target);
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
    // An earlier run may have activated the listing and ended before it could save that.
    if (!progress.done.includes(name)) markDone(name);
  }
  const running = new Map<StepName, Promise<void>>();
  const commits: Promise<void>[] = [];

  const first = [...waiting].find(({ is_repeated, is_for_complete }) => !is_repeated && !is_for_complete);
  if (first && !isOver() && !hasStarted(publishing)) {
    await checkNotCanceled(publishing, 'start').catch((cause: unknown) => fail(first, cause));
  }
  if (first && !isOver() && !progress.is_under_way) {
    progress.is_under_way = true;
    // If there is no listing yet, this is committed with the intent to create it.
    if (publishing.listing_id !== null) {
      await publishing.save().catch((cause: unknown) => fail(first, cause));
    }
  }
  const unsure = [...waiting].find(({ listFieldsLeft }) => listFieldsLeft !== undefined);
  if (unsure && !isOver()) await readAgain(publishing).catch((cause: unknown) => fail(unsure, cause));
  for (const step of waiting) step.onPlanned?.(publishing);
  while (waiting.size > 0 || running.size > 0) {
    for (const step of isOver() ? [] : waiting) {
      if (!step.needs.every((need) => settled.has(need))) continue;
      waiting.delete(step);
      if (step.is_for_complete && state.missing) {
        progress.failure = state.missing;
        continue;
      }
      // The step leaves the map a microtask later at the earliest, so a step that finishes at once does not leave
      // it before it is added.
      const run = runStep(step).finally(() => running.delete(step.name));
      running.set(step.name, run);
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  await Promise.all(commits);
  const canResume = isTransient(state.thrown?.cause);
  if (!canResume) {
    // A write still in flight could otherwise undo whatever someone does manually to fix the failure.
    await waitUntilSettled(publishing);
    delete progress.is_under_way;
  } else if (isStopping(publishing) && isSettled(publishing)) {
    // The next run need not wait: all steps have finished, and each of their writes got a response.
    delete progress.is_under_way;
  }
  if (state.thrown) throw state.thrown.cause;

  function markDone(name: StepName): void {
    if (!progress.done.includes(name)) progress.done.push(name);
    progress.done_at = { ...progress.done_at, [name]: publishing.ports.clock.now().toISOString() };
  }

  async function runOpen(step: PublishStep): Promise<StepOutcome | void> {
    if (isSkipped(step, publishing)) return { warnings: buildLeft(step, publishing) };
    await step.resume?.(publishing);
    return step.run(publishing);
  }

  async function runStep(step: PublishStep): Promise<void> {
    try {
      publishing.checkStop();
      const { warnings = [], missing } = (await runOpen(step)) ?? {};
      progress.warnings[step.name] = warnings;
      if (missing) state.missing ??= { step: step.name, ...missing };
      else markDone(step.name);
      settled.add(step.name);
      // The caller saves the last step. The next step does not wait for this save: if it is lost, repeating the
      // step does no harm.
      const isLast = waiting.size === 0 && running.size === 1;
      if (!isLast) commits.push(publishing.save().catch((cause: unknown) => fail(step, cause)));
    } catch (cause) {
      fail(step, cause);
    }
    step.onEnded?.(publishing, state.thrown?.cause);
  }

  function fail({ name, work = 'step' }: PublishStep, cause: unknown): void {
    const failure = toShopFailure(name, cause, work);
    if (failure) {
      progress.failure ??= failure;
      return;
    }
    state.thrown ??= { cause };
    // An error of the service, not of the shop, left the shop unfinished. Its result says so, unless the job
    // resumes later.
    if (isTransient(cause)) return;
    progress.failure ??= { step: name, error: toJobFailure(cause), marketplace_status: null };
  }
}

/** Whether the shop may have a listing, or part of one, from this publication. */
function hasStarted({ listing_id, progress, backed_up_at }: Publishing): boolean {
  const { intent, is_under_way } = progress;
  return listing_id !== null || intent !== null || is_under_way === true || backed_up_at !== undefined;
}

function isStopping({ checkStop }: Publishing): boolean {
  try {
    checkStop();
    return false;
  } catch {
    return true;
  }
}

/**
 * Whether the listing is complete in one shop: it has everything the target asks for, including parts whose absence
 * only causes a warning.
 */
export function isComplete(target: Target, progress: ShopProgress): boolean {
  if (progress.failure || isSent(progress)) return false;
  return listSteps(target).every((step) => isStepDone(step, progress));
}

/**
 * Rereads the listing: the earlier run may have ended long ago or been restored from a backup, and its draft may
 * have been activated since.
 */
async function readAgain(publishing: Publishing): Promise<void> {
  const { listing_id, ports, shop } = publishing;
  if (listing_id === null) return;
  publishing.listing_asked_ms = ports.clock.monotonic();
  publishing.seen = await callRepeatably(publishing, () => ports.marketplace.getListing(shop, listing_id));
}

/** Whether a step is skipped, since its writes are for drafts and the listing is no longer one. */
function isSkipped({ listFieldsLeft }: PublishStep, { seen }: Publishing): boolean {
  return listFieldsLeft !== undefined && seen !== undefined && seen.state !== 'draft';
}

/** Warns about the fields that a skipped step does not write. */
function buildLeft({ listFieldsLeft }: PublishStep, { seen, progress }: Publishing): Warning[] {
  const fields = [...(listFieldsLeft?.(progress) ?? [])];
  if (fields.length === 0) return [];
  const state = seen?.state ?? 'no draft';
  return [{ code: 'left_as_it_is', fields, reason: { code: 'left_since_live', params: { state } } }];
}
