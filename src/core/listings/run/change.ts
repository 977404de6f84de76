import type { Work } from '../../../../schemas/issues/failures.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { SnapshotPart } from '../../ports/listing/snapshot.js';
import { toDriftFact } from '../decide/answers.js';
import { decideAction } from '../decide/decide_action.js';
import { isLicensed } from '../decide/edit_license.js';
import { listLost } from '../decide/losses.js';
import { findPending } from '../decide/pending.js';
import { checkNotCanceled } from '../engine/cancel.js';
import { getChange, type Context } from '../engine/context.js';
import { DriftError, expectAsBackedUp, expectAsKnown, expectNoDrift } from '../engine/drift_check.js';
import { StepError } from '../engine/failures.js';
import { leaveDrift, leaveUnwritten } from '../engine/leave_drift.js';
import { readForAction, readParts, readUntilShown } from '../engine/read.js';
import { rebaseOnOtherEdits } from '../engine/rebase.js';
import { markStale } from '../engine/write.js';
import { isSameValue } from '../snapshot/difference.js';
import { toLabel } from '../snapshot/field_refs.js';
import { listLagging } from '../snapshot/lag.js';
import { READ_BACK, keepUrl, readBack } from '../steps/read_back.js';
import { isSent, toUnknownWork } from '../steps/sale/activation.js';
import { CHANGES } from '../steps/table.js';
import type { Course, FailingStep } from './course.js';

const DECIDE: FailingStep = { name: 'decide', work: 'read' };

/** Changes an existing listing: reads it, decides the target, and keeps the earlier state for an undo. */
export const CHANGING: Course = {
  fallback_step: 'decide',

  async begin(cx, run) {
    const { change } = cx;
    const attempt = (work: (cx: Context) => Promise<boolean | void>) =>
      run.attempt(DECIDE, () => {
        cx.checkStop();
        return work(cx);
      });
    if (cx.is_restored && !(await attempt(expectAsBackedUp))) {
      if (run.thrown) return [];
      // None of its writes is known, so there is nothing to report or undo.
      const nothing = { before: null, target: null, diff: [], taken_over: [], warnings: [], overwriting: [] };
      if (change.failure?.after_restore) Object.assign(change, nothing);
      change.ended = 'error';
      return undefined;
    }
    const isOpen = await attempt(change.target ? resume : decide);
    if (run.thrown) return [];
    return isOpen || (change.target && cx.fresh.listing) ? CHANGES : [];
  },

  runStep: (cx, step) => step.run(cx),

  note({ change, ports }, { name }) {
    change.done_at = { ...change.done_at, [name]: ports.clock.now().toISOString() };
  },

  async finish(cx, run) {
    const { change } = cx;
    if (!run.thrown && change.before && change.target) {
      await run.attempt(READ_BACK, () => {
        cx.checkStop();
        return readBack(cx);
      });
    }
    if (run.thrown) return;
    reportLost(cx);
    leaveDrift(cx);
    leaveUnwritten(cx);
    change.ended = change.failure ? 'error' : (change.ended ?? 'ok');
  },

  findWork: ({ change }, { name, work = 'change' }): Work => {
    if (name === 'decide' && isSent(change)) return toUnknownWork(change.activation_intended_at !== null);
    const isBegun = Object.keys(change.done_at ?? {}).length > 0;
    return name === 'fields' && isBegun ? 'change_other_fields' : work;
  },
};

/** After a failed change, reports as lost only the parts that it removed. */
function reportLost({ change }: Context): void {
  const { before, after, target, failure } = change;
  if (!failure || !before || !after || !target) return;
  const others = change.warnings.filter(({ code }) => code !== 'is_lost');
  change.warnings = [...others, ...listLost(before, after, target)];
}

/** Reads and decides. Commits the target and the earlier state before the first write. */
async function decide(cx: Context): Promise<boolean> {
  const { change, baseline, ports } = cx;
  const update = getChange(cx);
  cx.is_new = true;
  cx.fresh = await readForAction(update, baseline, async (parts) => {
    await readParts(cx, parts);
    return cx.fresh;
  });
  await waitForLists(cx);
  keepUrl(cx);
  const now = ports.marketplace.findTime()?.latest ?? ports.clock.now();
  const isAccepted = (edit: FieldDifference) => isLicensed(cx.licensed, edit);
  const decision = decideAction({ update, baseline, fresh: cx.fresh }, now, isAccepted);
  cx.report('looked at');
  if (decision.kind === 'drift') {
    const fields = decision.drift.map(({ ref }) => toLabel(ref));
    throw new DriftError(toDriftFact(fields, update.action.kind), decision.drift);
  }
  if (decision.kind === 'refused') {
    const { fields, problem } = decision;
    throw new StepError({ code: 'change_refused', params: { fields, problem } }, null);
  }
  if (decision.kind === 'go' && cx.is_restored) expectAsKnown(cx, decision.diff);
  if (decision.kind === 'go') await checkNotCanceled(cx, 'start');
  change.warnings = [...decision.warnings];
  if (decision.kind === 'go') change.overwriting = decision.overwriting;
  change.taken_over = decision.taken_over;
  if (decision.pending !== undefined) {
    const was = findPending(update.action);
    change.pending = decision.pending;
    if (!isSameValue(was, decision.pending)) change.was_pending = was;
  }
  if (decision.kind === 'unchanged') {
    change.before = cx.fresh;
    change.after = cx.fresh;
    change.ended = 'unchanged';
    return false;
  }
  change.before = cx.fresh;
  change.target = decision.target;
  change.diff = decision.diff;
  await cx.save();
  cx.addUnits(CHANGES.filter((step) => step.isOpen?.(cx)).length);
  return true;
}

/** Rereads lists that do not yet show everything just written. */
async function waitForLists(cx: Context): Promise<void> {
  const { baseline: snapshot, baseline_age_ms: age_ms } = cx;
  let lagging: SnapshotPart[] = [];
  await readUntilShown(cx, async () => {
    if (lagging.length > 0) await readParts(cx, lagging);
    lagging = listLagging(snapshot && { snapshot, age_ms }, cx.fresh);
    return lagging.length === 0;
  });
}

/** Resumes an earlier run: reads the current listing, and searches for media that the run was sending. */
async function resume(cx: Context): Promise<void> {
  const { change } = cx;
  cx.is_new = false;
  // A write that the earlier run had in flight may arrive after a read that does not show it, and after later
  // writes.
  if (change.is_writing) await cx.pause(cx.remains_ms);
  delete change.is_writing;
  const parts = Object.keys(change.before ?? {}) as SnapshotPart[];
  // Only a read shows the writes of the earlier run: if this one fails, the read-back reads again.
  markStale(cx, parts);
  await readParts(cx, parts);
  keepUrl(cx);
  for (const step of CHANGES) await step.resume?.(cx);
  rebaseOnOtherEdits(cx);
  expectNoDrift(cx);
}
