import { formatFields } from '../../../text/choices.js';
import { MarketplaceError } from '../../../ports/index.js';
import { isPassing } from '../../publish/publish_shop.js';
import { compareSnapshots } from '../../snapshot/compare.js';
import { isSameValue } from '../../snapshot/difference.js';
import type { ListingSnapshot, SnapshotPart } from '../../snapshot/snapshot.js';
import { describeUnknown } from '../../publish/steps/activation.js';
import { describeFailure } from '../../publish/steps/attempt.js';
import { StepError } from '../../publish/steps/step.js';
import { withPoints } from '../../publish/steps/watched.js';
import { expectAsBackedUp, expectAsKnown } from './after_restore.js';
import { takeOverBeside } from './beside.js';
import { findPending } from '../decide/pending.js';
import { isLicensed } from '../edit_license.js';
import { listLagging } from '../lag.js';
import type { Drift } from '../plan.js';
import { markStale, type Changing, type ChangeStep } from './changing.js';
import { describeDrift, withPaths } from '../answers.js';
import { decideAction } from '../decide/decide_action.js';
import { listLost } from '../decide/losses.js';
import { leaveDrift, leaveUnwritten } from './leave_drift.js';
import { DriftError, expectNoDrift } from './drift_check.js';
import type { ChangeStepName } from './progress.js';
import { readForAction, readParts } from './read.js';
import { takeDoublesAway } from './steps/images.js';
import { CHANGES } from './steps/index.js';
import { listUnseenIds } from './steps/media_ids.js';
import { projectWanted, withSold } from './wanted.js';

/**
 * Brings one shop's listing to its target, also from where an earlier run stopped. A failure of the shop becomes `progress.failure`;
 * other errors (a lost claim, the database) are thrown. The caller saves how it ended.
 */
export async function changeShop(changing: Changing): Promise<void> {
  const { progress } = changing;
  if (progress.ended) return;
  progress.failure = null;
  if (changing.is_restored && !(await attempt('decide', expectAsBackedUp))) {
    // Nothing of it is known to be there, so there is nothing to report or undo.
    const nothing = { before: null, target: null, diff: [], taken_over: [], warnings: [] };
    if (isStoppedAfterRestore(progress)) Object.assign(progress, nothing);
    progress.ended = 'error';
    return;
  }
  const isOpen = progress.target ? await attempt('decide', takeUp) : await attempt('decide', decide);
  if (isOpen || (progress.target && changing.fresh.listing)) await write();
  if (progress.before && progress.target) await attempt('read_back', readBack);
  tellLost(changing);
  leaveDrift(changing);
  leaveUnwritten(changing);
  progress.ended = progress.failure ? 'error' : (progress.ended ?? 'ok');

  /** Runs a step. False when it failed, or answered false: then nothing follows. */
  async function attempt(
    step: ChangeStepName,
    run: (changing: Changing) => Promise<boolean | void>,
  ): Promise<boolean> {
    const own = changing.reach ? withPoints(changing, `change.${step}`, changing.reach) : changing;
    try {
      changing.checkStop();
      return (await run(own)) !== false;
    } catch (cause) {
      if (isPassing(cause)) throw cause;
      const failure = toFailure(step, cause, changing);
      if (!failure) throw cause;
      progress.failure ??= failure;
      return false;
    }
  }

  /** Steps that restore what other writes removed run also when one of those failed. */
  async function write(): Promise<void> {
    let thrown: { cause: unknown } | undefined;
    for (const step of CHANGES) {
      if ((progress.failure || thrown) && !step.is_restoring) continue;
      if (!step.isNeeded(changing)) continue;
      try {
        await attempt(step.name, (own) => runStep(step, own));
      } catch (cause) {
        if (isPassing(cause)) throw cause;
        thrown ??= { cause };
      }
    }
    if (thrown) throw thrown.cause;
  }
}

function isStoppedAfterRestore({ failure }: Changing['progress']): boolean {
  return failure?.after_restore === true;
}

/** What was to be removed, and was not as the change failed, is not told as removed. */
function tellLost({ progress }: Changing): void {
  const { before, after, target, failure } = progress;
  if (!failure || !before || !after || !target) return;
  const others = progress.warnings.filter(({ code }) => code !== 'is_lost');
  progress.warnings = [...others, ...listLost(before, after, target)];
}

async function runStep(step: ChangeStep, own: Changing): Promise<void> {
  await step.run(own);
  const { progress } = own;
  progress.done_at = { ...progress.done_at, [step.name]: own.ports.clock.now().toISOString() };
  await own.save();
}

/** Reads and decides. The target is committed, with the state before, ahead of the first write. */
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
  const isAccepted = (edit: Drift) => isLicensed(changing.licensed, edit);
  const decision = decideAction({ update, baseline, fresh: changing.fresh }, now, isAccepted);
  changing.report('looked at');
  if (decision.kind === 'drift') {
    const fields = decision.drift.map(({ field }) => field);
    throw new DriftError(describeDrift(fields, update.action.kind), decision.drift);
  }
  if (decision.kind === 'refused') {
    throw new StepError(withPaths(decision.fields, decision.error), null);
  }
  if (decision.kind === 'go' && changing.is_restored) expectAsKnown(changing, decision.diff);
  progress.warnings = [...decision.warnings];
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
  changing.plan(CHANGES.filter((step) => step.isNeeded(changing)).length);
  return true;
}

/** Reads lists twice more if they show less than was written a moment ago, as the read-back does. */
async function waitForLists(changing: Changing): Promise<void> {
  const { baseline: snapshot, baseline_age_ms: age_ms, settle_ms } = changing;
  for (const pause_ms of [settle_ms, settle_ms / 10]) {
    const lagging = listLagging(snapshot && { snapshot, age_ms }, changing.fresh);
    if (lagging.length === 0) return;
    await changing.pause(pause_ms);
    await readParts(changing, lagging);
  }
}

/** Resumes an earlier run: reads the listing as it is now, and looks for media that the run was sending. */
async function takeUp(changing: Changing): Promise<void> {
  const { progress } = changing;
  changing.is_new = false;
  // A write that the earlier run had under way may come after a read that does not show it, and after what is done then.
  if (progress.is_writing) await changing.pause(changing.remains_ms);
  delete progress.is_writing;
  const parts = Object.keys(progress.before ?? {}) as SnapshotPart[];
  // What the earlier run wrote is known by a read alone: if this one fails, the read-back reads again.
  markStale(changing, parts);
  await readParts(changing, parts);
  keepUrl(changing);
  for (const step of CHANGES) await step.takeUp?.(changing);
  takeOverBeside(changing);
  expectNoDrift(changing);
}

async function readBack(changing: Changing): Promise<void> {
  const { progress, update, settle_ms } = changing;
  const { before } = progress;
  if (!before) return;
  const parts = Object.keys(before) as SnapshotPart[];
  const wanted = projectWanted(changing);
  try {
    // Lists lag: media that they do not show yet are looked for twice more.
    for (const pause_ms of [0, settle_ms, settle_ms / 10]) {
      if (pause_ms > 0) {
        await changing.pause(pause_ms);
        markStale(changing, parts);
      }
      const open = parts.filter((part) => changing.stale.has(part));
      if (open.length > 0) await readParts(changing, open);
      if (!progress.failure) await takeDoublesAway(changing);
      // What was sent before a change failed stays there.
      if (progress.failure ? listUnseenIds(changing).length === 0 : listChanged().length === 0) break;
    }
  } catch (cause) {
    // What was written before is not known to be read: the next look is the first one again.
    progress.after = null;
    throw cause;
  }
  takeOverBeside(changing);
  const seen = pick(changing.fresh, parts);
  progress.after = withSold(changing, seen);
  progress.seen = seen;
  progress.diff = compareSnapshots(progress.before ?? {}, progress.after, update.names);
  keepUrl(changing);
  changing.report('read back');
  for (const { field, before: set, after: is } of listSold()) {
    progress.warnings.push({
      code: 'sold_meanwhile',
      level: 'note',
      fields: [field],
      reason: `It was set to ${String(set)} and is ${String(is)} there now, as sales make it; that stays.`,
    });
  }
  const changed = progress.failure ? [] : listChanged();
  if (changed.length > 0) {
    const names = formatFields(changed.map(({ field }) => field));
    progress.warnings.push({
      code: 'marketplace_changed',
      fields: changed.map(({ field }) => field),
      reason: `The marketplace shows this otherwise than it was written: ${names}.`,
    });
  }
  await changing.save();

  /** Quantities that the change wrote and that sales have lowered since. */
  function listSold() {
    const set = compareSnapshots(before ?? {}, wanted, update.names);
    return progress.failure
      ? []
      : compareSnapshots(wanted, pick(changing.fresh, parts), update.names)
          .filter(({ kind }) => kind === 'sold')
          .filter(({ field }) => set.some((change) => change.field === field));
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

function toFailure(step: ChangeStepName, cause: unknown, { again, progress }: Changing) {
  if (cause instanceof DriftError) {
    const { message: error, drift, after_restore } = cause;
    return { step, error, marketplace_status: null, drift, ...(after_restore && { after_restore }) };
  }
  if (cause instanceof StepError) {
    return { step, error: cause.message, marketplace_status: cause.marketplace_status };
  }
  if (!(cause instanceof MarketplaceError)) return undefined;
  const is_begun = Object.keys(progress.done_at).length > 0;
  const is_open = step === 'decide' && progress.intent?.step === 'activate';
  const what =
    (is_open ? describeUnknown(progress.activation_intended_at !== null) : undefined) ??
    (is_begun ? WHAT_ELSE[step] : undefined) ??
    WHAT[step] ??
    'This could not be changed';
  const error = `${what}: ${describeFailure(cause, again)}`;
  return { step, error, marketplace_status: cause.status };
}

const WHAT: Partial<Record<ChangeStepName, string>> = {
  decide: 'The listing could not be read',
  images: 'The photos could not be changed',
  fields: 'The listing was not changed',
  videos: 'The videos could not be changed',
  files: 'The digital files could not be changed',
  inventory: 'Price, stock and SKUs were not accepted',
  variation_images: 'The photos of variations could not be set',
  attributes: 'An attribute was not accepted',
  questions: 'Personalization was not accepted',
  state: 'The listing was not taken off sale',
  translations: 'A translation could not be set again',
  read_back: 'What was written could not be read back',
};

/** Where something has been changed before. */
const WHAT_ELSE: typeof WHAT = {
  fields: 'Photos were changed, and nothing else was',
};
