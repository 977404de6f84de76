import type { Again } from '../../../../schemas/issues/failures.js';
import type { ChangeAction, Plan, ShopPlan } from '../../ports/listing/plan.js';
import {
  MEDIA_KINDS,
  type ShopProgress,
  type StepName,
  type ShopUpdateProgress,
  buildEmptyUpdate,
} from '../../ports/listing/progress.js';
import type { Target } from '../../ports/listing/target.js';
import type { AgedSighting, JobEnd, SavedPublication, Snapshot, UpdateJob } from '../../ports/index.js';
import type { Settings } from '../../settings.js';
import type { Meter } from '../jobs/meter.js';
import { isPublished } from '../engine/intents.js';
import { buildContext, runShops, type Work, type WorkPorts } from './context.js';
import { findCancellation } from '../engine/cancel.js';
import { toJobFailure, isTransient } from '../engine/failures.js';
import type { Hold, KindRunner } from '../jobs/hold.js';
import { GONE, toAgedSighting } from '../observed/sighting.js';
import { isSameValue } from '../snapshot/difference.js';
import { changeShop } from './change_shop.js';
import { rebaseOnOtherEdits } from '../engine/rebase.js';
import { getTarget, type Changing } from '../engine/context.js';
import { expectNoDrift } from '../engine/drift_check.js';
import { toChangedMedia, takeMedia } from '../engine/media_ids.js';
import { CHANGING_POLICY } from '../engine/policy.js';
import { markStale } from '../engine/write.js';
import { createWriteSchedule } from '../engine/write_schedule.js';
import { keepRemoved } from '../steps/photos/fetched.js';
import type { AgedBaseline } from '../snapshot/lag.js';
import { buildCopy } from '../decide/decide.js';
import { withoutDone } from '../decide/pending.js';
import { toUpdateResult } from './results.js';
import { findBaseline } from './baseline.js';

type RunningUpdate = Extract<UpdateJob, { status: 'processing' }>;

/** The operation that a caller repeats to finish an interrupted job. */
const AGAIN: Record<Plan<ChangeAction>['purpose'], Again['operation']> = {
  update: 'listing_update',
  undo: 'listing_undo',
  off_sale: 'listing_publish',
  on_sale: 'listing_publish',
};

/**
 * Names the call that finishes an interrupted undo. It names the job, since an undo without a job would undo the
 * last job, which is the interrupted undo itself.
 * @param shop_id the only unfinished shop, if there is one
 */
function toAgain({ purpose, undone }: Plan<ChangeAction>, shop_id?: number): Again {
  return { operation: AGAIN[purpose], ...(undone !== undefined && { job_id: undone, shop_id }) };
}

/** Updates existing listings, in all shops of a job at the same time. */
export function createUpdateRunner(
  ports: WorkPorts,
  settings: Pick<Settings, 'reconcile_settle_ms'>,
): KindRunner<'update'> {
  const { store, clock, log } = ports;

  async function run(job: RunningUpdate, hold: Hold, meter: Meter): Promise<JobEnd> {
    const { account_id, job_id } = hold.claim;
    const { listing_pk, plan } = job;
    const [parts, snapshots] = await Promise.all([
      store.listings.listJobParts<ShopUpdateProgress>(account_id, job_id),
      store.listings.listSnapshots(account_id, listing_pk),
    ]);
    if (job.is_restored) log.info('resuming a job from a backup', { job_id });
    // Each listing is read before and after.
    meter.setTotal(2 * plan.shops.length);
    const shops = plan.shops.map((update) => {
      const known = parts.find(({ part_id }) => part_id === update.shop_id)?.progress;
      const baseline = snapshots.find(({ shop_id }) => shop_id === update.shop_id);
      return buildChanging({ job, hold, meter, ports, settings }, update, known, baseline);
    });
    const thrown = await runShops(shops, change);
    const passing = thrown.find(isTransient);
    if (passing) throw passing;
    const [cause] = thrown;
    if (cause !== undefined) log.error('job failed', { job_id, error: cause });
    return buildEnd(job, shops, cause);
  }

  async function buildEnd(job: RunningUpdate, shops: readonly Changing[], cause: unknown): Promise<JobEnd> {
    const { account_id, listing_pk, plan } = job;
    const [listing, publications] = await Promise.all([
      store.listings.findListing(account_id, listing_pk),
      store.listings.listPublications(account_id, listing_pk),
    ]);
    if (!listing) throw new Error('a listing with a running job is there');
    // If it failed, only the fields of this shop were not written.
    const progresses = new Map(
      shops.map(({ update, progress }) => {
        const isDone = progress.ended === 'ok' || progress.ended === 'unchanged';
        return [update.shop_id, isDone ? progress : { ...progress, after: null }] as const;
      }),
    );
    const { request, own } = buildCopy(plan, listing.request, publications, progresses);
    const isChanged = own.length > 0 || !isSameValue(request, listing.request);
    const results = shops.map(({ update, progress }) => toUpdateResult(plan, update, progress));
    return {
      status: cause === undefined ? 'completed' : 'failed',
      results,
      error_message: cause === undefined ? findCancellation(results) : toJobFailure(cause, toAgain(plan)),
      ...(isChanged && { request, own }),
      snapshots: shops.flatMap(toBaseline),
      publications: publications.flatMap((publication): SavedPublication[] => {
        const changing = shops.find(({ shop }) => shop.shop_id === publication.shop_id);
        if (!changing) return [];
        const { listing: seen, inventory } = changing.fresh;
        const written = takeDone(takeMedia(publication.progress, pickWritten(changing)), changing);
        const progress = takePending(written, changing);
        const sighting =
          findGone(changing) ??
          (seen && toAgedSighting({ listing: seen, inventory }, changing.listing_asked_ms, clock));
        return [{ ...publication, progress, sighting }];
      }),
    };
  }

  function findGone({ gone_asked_ms: asked_ms }: Changing): AgedSighting | undefined {
    return asked_ms === undefined ? undefined : { ...GONE, getAge_ms: () => clock.monotonic() - asked_ms };
  }

  function buildChanging(
    work: Work & { job: RunningUpdate },
    update: ShopPlan<ChangeAction>,
    known: ShopUpdateProgress | undefined,
    baseline: AgedBaseline | undefined,
  ): Changing {
    const { job, hold, meter } = work;
    const { shop_id, listing_id } = update;
    const progress = known ?? buildEmptyUpdate();
    const save = () => store.listings.saveJobPart(hold.claim, { part_id: shop_id, progress });
    const changing: Changing = {
      ...buildContext(work, update, progress, save),
      listing_id,
      update,
      policy: CHANGING_POLICY,
      again: toAgain(job.plan, shop_id),
      baseline: baseline?.snapshot,
      baseline_age_ms: baseline?.age_ms ?? 0,
      licensed: (job.plan.licensed ?? []).filter((one) => one.shop_id === shop_id),
      sent: toChangedMedia(progress),
      get target() {
        return getTarget(progress);
      },
      get before() {
        return progress.before ?? {};
      },
      set before(before) {
        progress.before = before;
      },
      is_restored: job.is_restored,
      settled_at_ms: 0,
      schedule: createWriteSchedule({}),
      // Sent media may exist although no read has shown them.
      noteUnanswered: () => markStale(changing, MEDIA_KINDS),
      guard(parts) {
        rebaseOnOtherEdits(changing);
        expectNoDrift(changing, parts);
      },
      undecided: new Map(),
      keepRemoved: (images) => keepRemoved(changing, images),
      keepFile: (sha256) => store.uploads.keepFile(hold.claim.account_id, sha256),
      plan: (units) => meter.raise(units),
    };
    return changing;
  }

  return run;
}

/** Updates one shop's listing, and saves its outcome at once: the job itself ends only with the last shop. */
async function change(changing: Changing): Promise<void> {
  const isOver = changing.progress.ended !== null;
  await changeShop(changing).catch((cause: unknown) => {
    if (!isTransient(cause)) {
      const error = toJobFailure(cause, changing.again);
      changing.progress.failure ??= { step: 'decide', error, marketplace_status: null };
    }
    throw cause;
  });
  if (isOver) return;
  await changing.save();
}

/**
 * Photos, videos and files of the listing, if this or an earlier run finished the update: publishing a draft
 * resumes from there. After a failed update they match neither the saved nor the wanted ones, and publishing must
 * find that out.
 */
function pickWritten({ progress: { target, ended, after } }: Changing) {
  if (ended !== 'ok') return {};
  return {
    ...(target?.images && after?.images && { images: after.images }),
    ...(target?.videos && after?.videos && { videos: after.videos }),
    ...(target?.files && after?.files && { files: after.files }),
  };
}

const STEP_OF: Partial<Record<keyof Target, StepName>> = {
  videos: 'videos',
  files: 'files',
  inventory: 'inventory',
  attributes: 'attributes',
  variation_images: 'variation_images',
  questions: 'personalization',
};

/**
 * Marks the steps whose parts the update wrote to a complete listing as done. Publishing, which may have had no use
 * for these parts then, does not overwrite manual edits made since.
 */
function takeDone(progress: ShopProgress, { progress: { target, ended } }: Changing): ShopProgress {
  if (ended !== 'ok' || !isPublished(progress)) return progress;
  const written = (Object.keys(target ?? {}) as (keyof Target)[]).flatMap((part) => STEP_OF[part] ?? []);
  return { ...progress, done: [...new Set([...progress.done, ...written])] };
}

/** Fields that are pending from now on; after a failed update, those it did not write. */
function takePending(
  progress: ShopProgress,
  { progress: { ended, pending, after } }: Changing,
): ShopProgress {
  if (ended === 'error') return { ...progress, pending: withoutDone(progress.pending, after?.inventory) };
  if (pending === undefined) return progress;
  return { ...progress, pending: pending ?? undefined };
}

/** The state after the update becomes the baseline for recognizing later manual edits. */
function toBaseline({ update, progress, baseline }: Changing): Snapshot[] {
  const snapshot = findBaseline(progress, baseline);
  return snapshot ? [{ shop_id: update.shop_id, snapshot }] : [];
}
