import type { Warning } from '../../../../schemas/job.js';
import type { PublicationProgress } from '../../ports/listing/progress.js';
import type { Target } from '../../ports/listing/target.js';
import { callRepeatably, isSettled, waitUntilSettled } from '../engine/attempt.js';
import { checkNotCanceled } from '../engine/cancel.js';
import type { Context } from '../engine/context.js';
import { isTransient } from '../engine/failures.js';
import { isStepDone, type Step } from '../engine/step.js';
import { activateStep, settleActivation } from '../steps/sale/activate.js';
import { isSent } from '../steps/sale/activation.js';
import { listSteps } from '../steps/table.js';
import type { Course } from './course.js';

/** Creates the listing and adds what the target has, or continues where an earlier job stopped. */
export const PUBLISHING: Course = {
  fallback_step: 'verify',

  async begin(cx, run) {
    const { publication, target } = cx;
    if (target.state !== 'active' && isSent(publication)) {
      await run.attempt(activateStep, () => settleActivation(cx));
    }
    const steps = listSteps(target);
    const isOpen = (step: Step) =>
      !(step.is_repeated ? steps : [step]).every((other) => isStepDone(other, publication));
    const open = steps.filter(isOpen);
    for (const step of steps) {
      // An earlier run may have activated the listing and ended before it could save that.
      if (!isOpen(step) && !publication.done.includes(step.name)) markDone(cx, step);
    }
    const first = open.find(({ is_repeated, is_for_complete }) => !is_repeated && !is_for_complete);
    if (first && !run.isOver() && !hasStarted(cx)) {
      await run.attempt(first, () => checkNotCanceled(cx, 'start'));
    }
    if (first && !run.isOver() && !publication.is_under_way) {
      publication.is_under_way = true;
      // If there is no listing yet, this is committed with the intent to create it.
      if (cx.listing_id !== null) await run.attempt(first, cx.save);
    }
    const unsure = open.find(({ listFieldsLeft }) => listFieldsLeft !== undefined);
    if (unsure && !run.isOver()) await run.attempt(unsure, () => readAgain(cx));
    return open;
  },

  async runStep(cx, step) {
    if (isSkipped(step, cx)) return { warnings: buildLeft(step, cx) };
    await step.resume?.(cx);
    return step.run(cx);
  },

  note(cx, step, { warnings = [], missing }) {
    cx.publication.warnings[step.name] = warnings;
    if (!missing) markDone(cx, step);
  },

  async finish(cx, { thrown }) {
    const { publication } = cx;
    if (!isTransient(thrown?.cause)) {
      // A write still in flight could otherwise undo whatever someone does manually to fix the failure.
      await waitUntilSettled(cx);
      delete publication.is_under_way;
    } else if (isStopping(cx) && isSettled(cx)) {
      // The next run need not wait: all steps have finished, and each of their writes got a response.
      delete publication.is_under_way;
    }
  },

  findWork: (_cx, { work = 'step' }) => work,
};

function markDone({ publication, ports }: Context, { name }: Step): void {
  if (!publication.done.includes(name)) publication.done.push(name);
  publication.done_at = { ...publication.done_at, [name]: ports.clock.now().toISOString() };
}

/** Whether the shop may have a listing, or part of one, from this publication. */
function hasStarted({ listing_id, publication, backed_up_at }: Context): boolean {
  const { intent, is_under_way } = publication;
  return listing_id !== null || intent !== null || is_under_way === true || backed_up_at !== undefined;
}

function isStopping({ checkStop }: Context): boolean {
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
export function isComplete(target: Target, progress: PublicationProgress): boolean {
  if (progress.failure || isSent(progress)) return false;
  return listSteps(target).every((step) => isStepDone(step, progress));
}

/**
 * Rereads the listing: the earlier run may have ended long ago or been restored from a backup, and its draft may
 * have been activated since.
 */
async function readAgain(cx: Context): Promise<void> {
  const { listing_id, ports, shop } = cx;
  if (listing_id === null) return;
  cx.listing_asked_ms = ports.clock.monotonic();
  cx.seen = await callRepeatably(cx, () => ports.marketplace.getListing(shop, listing_id));
}

/** Whether to skip a step that writes only to drafts, because the listing is no longer a draft. */
function isSkipped({ listFieldsLeft }: Step, { seen }: Context): boolean {
  return listFieldsLeft !== undefined && seen !== undefined && seen.state !== 'draft';
}

/** Warns about the fields that a skipped step does not write. */
function buildLeft({ listFieldsLeft }: Step, { seen, publication }: Context): Warning[] {
  const fields = [...(listFieldsLeft?.(publication) ?? [])];
  if (fields.length === 0) return [];
  const state = seen?.state ?? 'no draft';
  return [{ code: 'left_as_it_is', fields, reason: { code: 'left_since_live', params: { state } } }];
}
