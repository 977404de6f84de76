import pLimit from 'p-limit';
import type { Again } from '../../../../schemas/issues/failures.js';
import type { Ports, SavedPublication, ShopJob } from '../../ports/index.js';
import type { Plan } from '../../ports/listing/plan.js';
import {
  buildEmptyChange,
  buildEmptyProgress,
  MEDIA_KINDS,
  type ChangeProgress,
} from '../../ports/listing/progress.js';
import type { Settings } from '../../settings.js';
import { quoteName } from '../../text/foreign.js';
import { getTarget, isPublish, type Context } from '../engine/context.js';
import { expectNoDrift } from '../engine/drift_check.js';
import { PUBLISH } from '../engine/failures.js';
import { getRemains_ms, renewDeadline } from '../engine/intents.js';
import { toChangedMedia, toPublishedMedia } from '../engine/media_ids.js';
import { CHANGING_POLICY, PUBLISHING_POLICY } from '../engine/policy.js';
import { rebaseOnOtherEdits } from '../engine/rebase.js';
import { markStale } from '../engine/write.js';
import { createWriteSchedule } from '../engine/write_schedule.js';
import type { Hold } from '../jobs/hold.js';
import type { Meter } from '../jobs/meter.js';
import type { AgedBaseline } from '../snapshot/lag.js';
import { keepRemoved } from '../steps/photos/fetched.js';

/** Ports of the job runners. */
export type WorkPorts = Pick<Ports, 'store' | 'marketplace' | 'media' | 'blobs' | 'clock' | 'log'>;

export type RunningShopJob = Extract<ShopJob, { status: 'processing' }>;

/** A job this process runs. */
export type Work = {
  job: RunningShopJob;
  hold: Hold;
  meter: Meter;
  ports: WorkPorts;
  settings: Pick<Settings, 'reconcile_settle_ms'>;
  /** When this service started, in milliseconds of monotonic time. */
  started_ms: number;
};

/** The stored rows about one shop of a job. */
export type Known = {
  publication: Pick<SavedPublication, 'listing_id' | 'progress'> | undefined;
  change: ChangeProgress | undefined;
  baseline: AgedBaseline | undefined;
  backed_up_at: string | undefined;
};

/** Builds the context of one shop. Renews the deadline of an intent saved by an earlier run. */
export function buildContext(work: Work, plan: Context['plan'], known: Known): Context {
  const { job, hold, meter, ports, settings, started_ms } = work;
  const { claim, marketplace, checkStop, pause } = hold;
  const { clock, store } = ports;
  const isPublication = isPublish(plan);
  const { shop_id } = plan;
  const { progress: publication = buildEmptyProgress(), listing_id = null } = known.publication ?? {};
  const change = known.change ?? buildEmptyChange();
  if (isPublication) change.target = plan.action.target;
  const journal = isPublication ? publication : change;
  const settle_ms = settings.reconcile_settle_ms;
  const earlier = { is_alone: claim.is_alone, settle_ms };
  const remains_ms = getRemains_ms(earlier);
  if (journal.intent) renewDeadline(journal.intent, clock.now(), earlier);
  const name = quoteName(plan.shop_name);
  // Saves run one after the other: two at the same time could be committed in reverse order.
  const oneAtATime = pLimit(1);
  const save = () =>
    isPublication
      ? store.listings.savePublication(claim, toSaved(cx))
      : store.listings.saveJobPart(claim, { part_id: shop_id, progress: change });
  const cx: Context = {
    job_id: job.job_id,
    listing_pk: job.listing_pk,
    shop: { account_id: claim.account_id, shop_id },
    plan,
    listing_id: plan.listing_id ?? listing_id,
    get target() {
      return getTarget(change);
    },
    get before() {
      return change.before ?? {};
    },
    set before(before) {
      change.before = before;
    },
    policy: isPublication ? PUBLISHING_POLICY : CHANGING_POLICY,
    again: toAgain(job.plan, shop_id),
    journal,
    publication,
    change,
    sent: isPublication ? toPublishedMedia(publication) : toChangedMedia(change),
    fresh: {},
    stale: new Set(),
    seen: undefined,
    sighting: undefined,
    listing_asked_ms: 0,
    baseline: known.baseline?.snapshot,
    baseline_age_ms: known.baseline?.age_ms ?? 0,
    licensed: (job.plan.licensed ?? []).filter((one) => one.shop_id === shop_id),
    is_new: false,
    is_restored: job.is_restored,
    backed_up_at: known.backed_up_at,
    started_ms,
    settled_at_ms: isPublication && publication.is_under_way ? clock.monotonic() + remains_ms : 0,
    schedule: createWriteSchedule(isPublication ? plan.action.target : {}),
    undecided: new Map(),
    ports: { ...ports, marketplace },
    settle_ms,
    remains_ms,
    save: () => oneAtATime(save),
    report: (message) => meter.advance(`${name}: ${message}`),
    addUnits: (units) => meter.raise(units),
    checkStop,
    pause,
    noteUnanswered() {
      if (isPublication) cx.settled_at_ms = Math.max(cx.settled_at_ms, clock.monotonic() + settle_ms);
      // Sent media may exist although no read has shown them.
      else markStale(cx, MEDIA_KINDS);
    },
    // Publishing leaves manual edits unchanged and deletes no photos, so there is nothing to check or keep.
    guard(parts) {
      if (isPublication) return;
      rebaseOnOtherEdits(cx);
      expectNoDrift(cx, parts);
    },
    keepRemoved: async (images) => {
      if (!isPublication) await keepRemoved(cx, images);
    },
  };
  return cx;
}

export function toSaved({
  shop: { shop_id },
  listing_id,
  publication: progress,
  sighting,
}: Context): SavedPublication {
  return { shop_id, listing_id, progress, sighting };
}

/** The operation that a caller repeats to finish an interrupted job. */
const AGAIN: Record<Plan['purpose'], Again> = {
  publish: PUBLISH,
  update: { operation: 'listing_update' },
  undo: { operation: 'listing_undo' },
  off_sale: PUBLISH,
  on_sale: PUBLISH,
};

/**
 * Names the call that finishes an interrupted job. That of an undo names the undone job, since an undo without a job
 * would undo the last job, which is the interrupted undo itself.
 * @param shop_id the only unfinished shop, if there is one
 */
export function toAgain({ purpose, undone }: Pick<Plan, 'purpose' | 'undone'>, shop_id?: number): Again {
  return { ...AGAIN[purpose], ...(undone !== undefined && { job_id: undone, shop_id }) };
}
