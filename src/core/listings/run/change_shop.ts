import type { Work } from '../../../../schemas/issues/failures.js';
import type { ListingSnapshot, SnapshotPart } from '../../ports/listing/snapshot.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import { isSameRef, toLabel } from '../snapshot/field_refs.js';
import { compareSnapshots } from '../snapshot/compare.js';
import { isSameValue } from '../snapshot/difference.js';
import { isSent, toUnknownWork } from '../steps/sale/activation.js';
import { checkNotCanceled } from '../engine/cancel.js';
import type { Changing } from '../engine/context.js';
import { isTransient, StepError, toShopFailure } from '../engine/failures.js';
import type { ChangeStep } from '../engine/step.js';
import { markStale } from '../engine/write.js';
import { rebaseOnOtherEdits } from '../engine/rebase.js';
import { findPending } from '../decide/pending.js';
import { isLicensed } from '../decide/edit_license.js';
import { listLagging } from '../snapshot/lag.js';
import { toDriftFact } from '../decide/answers.js';
import { decideAction } from '../decide/decide_action.js';
import { listLost } from '../decide/losses.js';
import { leaveDrift, leaveUnwritten } from '../engine/leave_drift.js';
import { DriftError, expectNoDrift, expectAsBackedUp, expectAsKnown } from '../engine/drift_check.js';
import { readForAction, readParts, readUntilShown } from '../engine/read.js';
import { removeDoubles } from '../steps/photos/step.js';
import { CHANGES } from '../steps/table.js';
import { listUnseenIds } from '../engine/media_ids.js';
import { projectWanted, withSold } from '../engine/wanted.js';

type FailingStep = Pick<ChangeStep, 'name' | 'work'>;
const DECIDE: FailingStep = { name: 'decide', work: 'read' };
const READ_BACK: FailingStep = { name: 'read_back', work: 'read_back' };

/**
 * Brings one shop's listing to its target, or resumes where an earlier run stopped. A failure of the shop becomes
 * `progress.failure`; other errors (a lost claim, the database) are thrown. The caller saves the outcome.
 */
export async function changeShop(changing: Changing): Promise<void> {
  const { progress } = changing;
  if (progress.ended) return;
  progress.failure = null;
  if (changing.is_restored && !(await attempt(DECIDE, expectAsBackedUp))) {
    // None of its writes is known, so there is nothing to report or undo.
    const nothing = { before: null, target: null, diff: [], taken_over: [], warnings: [], overwriting: [] };
    if (isStoppedAfterRestore(progress)) Object.assign(progress, nothing);
    progress.ended = 'error';
    return;
  }
  const isOpen = progress.target ? await attempt(DECIDE, resume) : await attempt(DECIDE, decide);
  if (isOpen || (progress.target && changing.fresh.listing)) await write();
  if (progress.before && progress.target) await attempt(READ_BACK, readBack);
  reportLost(changing);
  leaveDrift(changing);
  leaveUnwritten(changing);
  progress.ended = progress.failure ? 'error' : (progress.ended ?? 'ok');

  /** Runs a step. Returns false if it failed or returned false: then nothing follows. */
  async function attempt(
    step: FailingStep,
    run: (changing: Changing) => Promise<boolean | void>,
  ): Promise<boolean> {
    try {
      changing.checkStop();
      return (await run(changing)) !== false;
    } catch (cause) {
      if (isTransient(cause)) throw cause;
      const failure = toFailure(step, cause, changing);
      if (!failure) throw cause;
      progress.failure ??= failure;
      return false;
    }
  }

  /** Steps that restore parts removed by other writes run even if one of those writes failed. */
  async function write(): Promise<void> {
    let thrown: { cause: unknown } | undefined;
    for (const step of CHANGES) {
      if ((progress.failure || thrown) && !step.is_restoring) continue;
      if (!step.isOpen(changing)) continue;
      try {
        await attempt(step, () => runStep(step, changing));
      } catch (cause) {
        if (isTransient(cause)) throw cause;
        thrown ??= { cause };
      }
    }
    if (thrown) throw thrown.cause;
  }
}

function isStoppedAfterRestore({ failure }: Changing['progress']): boolean {
  return failure?.after_restore === true;
}

/** Does not report parts as lost that the failed update did not remove. */
function reportLost({ progress }: Changing): void {
  const { before, after, target, failure } = progress;
  if (!failure || !before || !after || !target) return;
  const others = progress.warnings.filter(({ code }) => code !== 'is_lost');
  progress.warnings = [...others, ...listLost(before, after, target)];
}

async function runStep(step: ChangeStep, changing: Changing): Promise<void> {
  const { missing } = (await step.run(changing)) ?? {};
  if (missing) throw new StepError(missing.error, missing.marketplace_status);
  const { progress, ports } = changing;
  progress.done_at = { ...progress.done_at, [step.name]: ports.clock.now().toISOString() };
  await changing.save();
}

/** Reads and decides. Commits the target, with the state before, ahead of the first write. */
async function decide(changing: Changing): Promise<boolean> {
  const { progress, update, baseline, ports } = changing;
  changing.is_new = true;
  changing.fresh = await readForAction(update, baseline, async (parts) => {
    await readParts(changing, parts);
    return changing.fresh;
  });
  await waitForLists(changing);
  keepUrl(changing);
  const now = ports.marketplace.findTime()?.latest ?? ports.clock.now();
  const isAccepted = (edit: FieldDifference) => isLicensed(changing.licensed, edit);
  const decision = decideAction({ update, baseline, fresh: changing.fresh }, now, isAccepted);
  changing.report('looked at');
  if (decision.kind === 'drift') {
    const fields = decision.drift.map(({ ref }) => toLabel(ref));
    throw new DriftError(toDriftFact(fields, update.action.kind), decision.drift);
  }
  if (decision.kind === 'refused') {
    const { fields, problem } = decision;
    throw new StepError({ code: 'change_refused', params: { fields, problem } }, null);
  }
  if (decision.kind === 'go' && changing.is_restored) expectAsKnown(changing, decision.diff);
  if (decision.kind === 'go') await checkNotCanceled(changing, 'start');
  progress.warnings = [...decision.warnings];
  if (decision.kind === 'go') progress.overwriting = decision.overwriting;
  progress.taken_over = decision.taken_over;
  if (decision.pending !== undefined) {
    const was = findPending(update.action);
    progress.pending = decision.pending;
    if (!isSameValue(was, decision.pending)) progress.was_pending = was;
  }
  if (decision.kind === 'unchanged') {
    progress.before = changing.fresh;
    progress.after = changing.fresh;
    progress.ended = 'unchanged';
    return false;
  }
  progress.before = changing.fresh;
  progress.target = decision.target;
  progress.diff = decision.diff;
  await changing.save();
  changing.plan(CHANGES.filter((step) => step.isOpen(changing)).length);
  return true;
}

/** Reads lists again that show less than was just written. */
async function waitForLists(changing: Changing): Promise<void> {
  const { baseline: snapshot, baseline_age_ms: age_ms } = changing;
  let lagging: SnapshotPart[] = [];
  await readUntilShown(changing, async () => {
    if (lagging.length > 0) await readParts(changing, lagging);
    lagging = listLagging(snapshot && { snapshot, age_ms }, changing.fresh);
    return lagging.length === 0;
  });
}

/** Resumes an earlier run: reads the current listing, and searches for media that the run was sending. */
async function resume(changing: Changing): Promise<void> {
  const { progress } = changing;
  changing.is_new = false;
  // A write that the earlier run had in flight may arrive after a read that does not show it, and after later
  // writes.
  if (progress.is_writing) await changing.pause(changing.remains_ms);
  delete progress.is_writing;
  const parts = Object.keys(progress.before ?? {}) as SnapshotPart[];
  // Only a read shows the writes of the earlier run: if this one fails, the read-back reads again.
  markStale(changing, parts);
  await readParts(changing, parts);
  keepUrl(changing);
  for (const step of CHANGES) await step.resume?.(changing);
  rebaseOnOtherEdits(changing);
  expectNoDrift(changing);
}

async function readBack(changing: Changing): Promise<void> {
  const { progress, update } = changing;
  const { before } = progress;
  if (!before) return;
  const parts = Object.keys(before) as SnapshotPart[];
  const wanted = projectWanted(progress);
  try {
    await readUntilShown(changing, async () => {
      const open = parts.filter((part) => changing.stale.has(part));
      if (open.length > 0) await readParts(changing, open);
      if (!progress.failure) await removeDoubles(changing);
      // Items sent before an update failed stay in the listing.
      const missing = progress.failure ? listUnseenIds(changing) : listChanged();
      if (missing.length > 0) markStale(changing, parts);
      return missing.length === 0;
    });
  } catch (cause) {
    // Earlier writes were not read back: the next check starts from scratch.
    progress.after = null;
    throw cause;
  }
  rebaseOnOtherEdits(changing);
  const seen = pick(changing.fresh, parts);
  progress.after = withSold(changing, seen);
  progress.seen = seen;
  progress.diff = compareSnapshots(progress.before ?? {}, progress.after, update.names);
  keepUrl(changing);
  changing.report('read back');
  for (const { ref, before: was, after: is } of listSold()) {
    const params = { was, is, since: 'set' as const, is_overwritten: false };
    const reason = { code: 'sold_meanwhile' as const, params };
    progress.warnings.push({ code: 'sold_meanwhile', level: 'note', fields: [toLabel(ref)], reason });
  }
  const changed = progress.failure ? [] : listChanged();
  if (changed.length > 0) {
    const fields = changed.map(({ ref }) => toLabel(ref));
    const reason = { code: 'shown_differently' as const, params: { fields } };
    progress.warnings.push({ code: 'marketplace_changed', fields, reason });
  }
  await changing.save();

  /** Quantities that the update wrote and sales have lowered since. */
  function listSold() {
    const set = compareSnapshots(before ?? {}, wanted, update.names);
    return progress.failure
      ? []
      : compareSnapshots(wanted, pick(changing.fresh, parts), update.names)
          .filter(({ kind }) => kind === 'sold')
          .filter(({ ref }) => set.some((change) => isSameRef(change.ref, ref)));
  }

  function listChanged() {
    return compareSnapshots(wanted, pick(changing.fresh, parts), update.names).filter(
      ({ kind }) => kind !== 'sold',
    );
  }
}

function pick(snapshot: Partial<ListingSnapshot>, parts: readonly SnapshotPart[]): Partial<ListingSnapshot> {
  return Object.fromEntries(
    Object.entries(snapshot).filter(([part]) => parts.includes(part as SnapshotPart)),
  );
}

function keepUrl({ progress, fresh }: Changing): void {
  progress.listing_url = fresh.listing?.url ?? progress.listing_url;
}

function toFailure(step: FailingStep, cause: unknown, changing: Changing) {
  const failure = toShopFailure(step.name, cause, findWork(step, changing), changing.again);
  if (!failure || !(cause instanceof DriftError)) return failure;
  const { drift, after_restore } = cause;
  return { ...failure, drift, ...(after_restore && { after_restore }) };
}

function findWork({ name, work = 'change' }: FailingStep, { progress }: Changing): Work {
  if (name === 'decide' && isSent(progress)) return toUnknownWork(progress.activation_intended_at !== null);
  const isBegun = Object.keys(progress.done_at).length > 0;
  return name === 'fields' && isBegun ? 'change_other_fields' : work;
}
