import type { Ports, Publication, PublishJob, SavedPublication } from '../../ports/index.js';
import type { PublishAction, ShopPlan } from '../../ports/listing/plan.js';
import { buildEmptyProgress } from '../../ports/listing/progress.js';
import type { Settings } from '../../settings.js';
import type { Meter } from '../jobs/meter.js';
import { findCancellation } from '../engine/cancel.js';
import { PUBLISH, toJobFailure, isTransient } from '../engine/failures.js';
import { toPublishedMedia } from '../engine/media_ids.js';
import { PUBLISHING_POLICY } from '../engine/policy.js';
import { buildContext, runShops, type Work, type WorkPorts } from './context.js';
import { publishShop } from './publish_shop.js';
import { listBaseline, readUnknownParts } from './baseline.js';
import { toListingStatus, toShopResult } from './results.js';
import type { Hold, KindRunner } from '../jobs/hold.js';
import type { Publishing } from '../engine/context.js';
import { countUnits } from '../steps/table.js';
import { createWriteSchedule } from '../engine/write_schedule.js';
import { toAgedSighting } from '../observed/sighting.js';

type RunningPublish = Extract<PublishJob, { status: 'processing' }>;

/** Publishes a job's listing, shop by shop. */
export function createPublishRunner(
  ports: WorkPorts,
  settings: Pick<Settings, 'reconcile_settle_ms'>,
): KindRunner<'publish'> {
  const { store, clock, log } = ports;
  const started_ms = clock.monotonic();

  async function run(job: RunningPublish, hold: Hold, meter: Meter) {
    const { account_id, job_id } = hold.claim;
    const publications = await store.listings.listPublications(account_id, job.listing_pk);
    const backed_up_at = await store.listings.findBackupTime(job.listing_pk);
    if (backed_up_at !== undefined) log.info('a job goes on that is from a backup', { job_id, backed_up_at });
    meter.setTotal(countUnits(job.plan));
    const shops = job.plan.shops.map((shop_plan) => {
      const publication = publications.find(({ shop_id }) => shop_id === shop_plan.shop_id);
      return buildPublishing({ job, hold, meter, ports, settings }, shop_plan, publication, backed_up_at);
    });
    const { unsaved, thrown } = await publishShops(job_id, shops, ports, (publishing) =>
      store.listings.savePublication(hold.claim, toSaved(publishing), listBaseline(publishing)),
    );
    const passing = thrown.find(isTransient);
    if (passing) {
      await Promise.allSettled(unsaved.map(({ save }) => save()));
      throw passing;
    }
    const [cause] = thrown;
    if (cause !== undefined) log.error('job failed', { job_id, error: cause });
    const hasRead = cause === undefined ? await Promise.all(shops.map(readUnknownParts)) : [];
    const unkept = shops.filter((publishing, index) => unsaved.includes(publishing) || hasRead[index]);
    const others = publications
      .filter(({ shop_id }) => !job.plan.shops.some((shop_plan) => shop_plan.shop_id === shop_id))
      .map(({ progress }) => progress);
    const progresses = shops.map(({ progress }) => progress);
    const results = job.plan.shops.map((shop_plan, index) => {
      const { progress, listing_id } = shops[index] ?? { progress: buildEmptyProgress(), listing_id: null };
      return toShopResult(job, shop_plan, progress, listing_id);
    });
    return {
      status: cause === undefined ? ('completed' as const) : ('failed' as const),
      publications: unsaved.map(toSaved),
      snapshots: unkept.flatMap(listBaseline),
      results,
      error_message: cause === undefined ? findCancellation(results) : toJobFailure(cause),
      listing_status:
        cause === undefined ? toListingStatus(job.plan, progresses, others) : ('incomplete' as const),
    };
  }

  function buildPublishing(
    work: Work & { job: RunningPublish },
    shop_plan: ShopPlan<PublishAction>,
    known: Publication | undefined,
    backed_up_at: string | undefined,
  ): Publishing {
    const { hold } = work;
    const { draft, target, position } = shop_plan.action;
    const progress = known?.progress ?? buildEmptyProgress();
    const save = () => store.listings.savePublication(hold.claim, toSaved(publishing));
    const base = buildContext(work, shop_plan, progress, save);
    const publishing: Publishing = {
      ...base,
      backed_up_at,
      started_ms,
      draft,
      position,
      target,
      policy: PUBLISHING_POLICY,
      again: PUBLISH,
      sent: toPublishedMedia(progress),
      listing_id: known?.listing_id ?? null,
      settled_at_ms: progress.is_under_way ? clock.monotonic() + base.remains_ms : 0,
      before: {},
      seen: undefined,
      sighting: undefined,
      noteUnanswered() {
        publishing.settled_at_ms = Math.max(publishing.settled_at_ms, clock.monotonic() + base.settle_ms);
      },
      schedule: createWriteSchedule(target),
      undecided: new Map(),
      // Publishing leaves manual edits unchanged and deletes no photos, so there is nothing to check or keep.
      guard: () => undefined,
      keepRemoved: () => Promise.resolve(),
    };
    return publishing;
  }

  return run;
}

function toSaved({ shop: { shop_id }, listing_id, progress, sighting }: Publishing): SavedPublication {
  return { shop_id, listing_id, progress, sighting };
}

/** `unsaved`: shops whose outcome is not saved yet. `thrown`: errors of the service, as thrown by publishShop. */
type ShopsEnd = { unsaved: readonly Publishing[]; thrown: readonly unknown[] };

/**
 * Publishes in all shops of a job at the same time. Saves each shop when it finishes. The last shop is saved in one
 * commit with the end of the job, as is a shop that could not be saved.
 * @param saveEnd saves a shop, with the marketplace's responses about it
 */
async function publishShops(
  job_id: string,
  shops: readonly Publishing[],
  { log }: Pick<Ports, 'log'>,
  saveEnd: (publishing: Publishing) => Promise<void>,
): Promise<ShopsEnd> {
  const unsaved = new Set<Publishing>();
  let open = shops.length;
  const thrown = await runShops(shops, publish);
  return { unsaved: [...unsaved], thrown };

  async function publish(publishing: Publishing): Promise<void> {
    let failed: { cause: unknown } | undefined;
    await publishShop(publishing).catch((cause: unknown) => (failed = { cause }));
    open -= 1;
    const { seen, listing_asked_ms, fresh, ports } = publishing;
    if (seen) {
      const { inventory } = fresh;
      publishing.sighting = toAgedSighting({ listing: seen, inventory }, listing_asked_ms, ports.clock);
    }
    // Applies after an error, too: a result that reports a fee is never saved without the progress that ties the
    // fee to this job.
    unsaved.add(publishing);
    if (open > 0 && !(failed && isTransient(failed.cause))) await saveNow(publishing);
    if (failed) throw failed.cause;
  }

  async function saveNow(publishing: Publishing): Promise<void> {
    try {
      await saveEnd(publishing);
      unsaved.delete(publishing);
    } catch (cause) {
      if (isTransient(cause)) throw cause;
      log.warn('a shop could not be saved when it ended', { job_id, error: cause });
    }
  }
}
