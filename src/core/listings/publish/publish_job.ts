import pLimit from 'p-limit';
import type { Ports } from '../../ports/index.js';
import { quoteName } from '../../errors.js';
import type { Publication, PublishJob, SavedPublication } from '../../ports/index.js';
import type { Settings } from '../../settings.js';
import type { Meter } from '../jobs/meter.js';
import { toPlanOf, type ShopPlan } from './plan.js';
import { buildEmptyProgress, getRemains_ms, renewDeadline } from './progress.js';
import { describeJobFailure, isPassing } from './publish_shop.js';
import { listBaseline, readUntold } from './publish_baseline.js';
import { publishShops } from './publish_shops.js';
import { toListingStatus, toShopResult } from './results.js';
import type { Hold } from '../jobs/hold.js';
import type { KindRunner } from '../jobs/run_job.js';
import { placeFiles } from './steps/place_files.js';
import type { Publishing } from './steps/step.js';
import { createWriteSchedule } from './steps/write_schedule.js';

type RunningPublish = Extract<PublishJob, { status: 'processing' }>;

/** Ports of the runners of jobs. */
export type WorkPorts = Pick<
  Ports,
  'store' | 'marketplace' | 'media' | 'blobs' | 'clock' | 'log' | 'reachPoint'
>;

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
    meter.setTotal(job.plan);
    const shops = job.plan.shops.map((shop_plan) => {
      const publication = publications.find(({ shop_id }) => shop_id === shop_plan.shop_id);
      return buildPublishing(hold, job, shop_plan, publication, backed_up_at, meter);
    });
    const { unsaved, thrown } = await publishShops(job_id, shops, ports, (publishing) =>
      store.listings.savePublication(hold.claim, toSaved(publishing), listBaseline(publishing)),
    );
    const passing = thrown.find(isPassing);
    if (passing) {
      await Promise.allSettled(unsaved.map(({ save }) => save()));
      throw passing;
    }
    const [cause] = thrown;
    if (cause !== undefined) log.error('job failed', { job_id, error: cause });
    const told = cause === undefined ? await Promise.all(shops.map(readUntold)) : [];
    const unkept = shops.filter((publishing, index) => unsaved.includes(publishing) || told[index]);
    const others = publications
      .filter(({ shop_id }) => !job.plan.shops.some((shop_plan) => shop_plan.shop_id === shop_id))
      .map(({ progress }) => progress);
    const progresses = shops.map(({ progress }) => progress);
    return {
      status: cause === undefined ? ('completed' as const) : ('failed' as const),
      publications: unsaved.map(toSaved),
      snapshots: unkept.flatMap(listBaseline),
      results: shops.map(({ shop_plan, progress, listing_id }) =>
        toShopResult(job, shop_plan, progress, listing_id),
      ),
      error_message: cause === undefined ? null : describeJobFailure(cause),
      listing_status:
        cause === undefined ? toListingStatus(job.plan, progresses, others) : ('incomplete' as const),
    };
  }

  function buildPublishing(
    { claim, marketplace, checkStop, pause }: Hold,
    job: RunningPublish,
    shop_plan: ShopPlan,
    known: Publication | undefined,
    backed_up_at: string | undefined,
    meter: Meter,
  ): Publishing {
    const { shop_id } = shop_plan;
    const plan = toPlanOf(job.plan, shop_plan);
    const settle_ms = settings.reconcile_settle_ms;
    const progress = known?.progress ?? buildEmptyProgress();
    progress.files = placeFiles(progress.files, plan.files);
    const earlier = { is_alone: claim.is_alone, settle_ms };
    const remains_ms = getRemains_ms(earlier);
    if (progress.intent) renewDeadline(progress.intent, clock.now(), earlier);
    const name = quoteName(shop_plan.shop_name);
    // Saves run one after the other: two at the same time could be committed in the other order.
    const oneAtATime = pLimit(1);
    const publishing: Publishing = {
      job_id: job.job_id,
      listing_pk: job.listing_pk,
      backed_up_at,
      started_ms,
      shop: { account_id: claim.account_id, shop_id },
      plan,
      shop_plan,
      progress,
      listing_id: known?.listing_id ?? null,
      is_new: false,
      quiet_at_ms: progress.is_under_way ? clock.monotonic() + remains_ms : 0,
      fresh: undefined,
      fresh_asked_ms: 0,
      sighting: undefined,
      told: {},
      inventory: undefined,
      ports: { ...ports, marketplace },
      settle_ms,
      remains_ms,
      noteUnanswered() {
        publishing.quiet_at_ms = Math.max(publishing.quiet_at_ms, clock.monotonic() + settle_ms);
      },
      schedule: createWriteSchedule(plan, shop_plan),
      save: () => oneAtATime(() => store.listings.savePublication(claim, toSaved(publishing))),
      report: (message) => meter.advance(`${name}: ${message}`),
      checkStop,
      pause,
      reach: ports.reachPoint,
    };
    return publishing;
  }

  return run;
}

function toSaved({ shop: { shop_id }, listing_id, progress, sighting }: Publishing): SavedPublication {
  return { shop_id, listing_id, progress, sighting };
}
