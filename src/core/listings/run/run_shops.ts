import type { JobEnd } from '../../ports/index.js';
import type { ChangeProgress, PublicationProgress } from '../../ports/listing/progress.js';
import type { Settings } from '../../settings.js';
import { findCancellation } from '../engine/cancel.js';
import { isPublish, type Context } from '../engine/context.js';
import { isTransient, toJobFailure } from '../engine/failures.js';
import type { Hold } from '../jobs/hold.js';
import type { Meter } from '../jobs/meter.js';
import { countUnits } from '../steps/table.js';
import { listBaseline } from './baseline.js';
import {
  buildContext,
  toAgain,
  toSaved,
  type Known,
  type RunningShopJob,
  type Work,
  type WorkPorts,
} from './context.js';
import { recordChange, recordPublication, toSighting } from './record.js';
import { runShop } from './run_shop.js';

/** Brings a job's listing to its target in all of the job's shops, in parallel. */
export function createShopRunner(
  ports: WorkPorts,
  settings: Pick<Settings, 'reconcile_settle_ms'>,
): (job: RunningShopJob, hold: Hold, meter: Meter) => Promise<JobEnd> {
  const { store, log } = ports;
  const started_ms = ports.clock.monotonic();

  async function run(job: RunningShopJob, hold: Hold, meter: Meter): Promise<JobEnd> {
    const { job_id } = hold.claim;
    const { shops, others } = await listContexts({ job, hold, meter, ports, settings, started_ms });
    const { unsaved, thrown } = await runShops(shops, hold);
    const passing = thrown.find(isTransient);
    if (passing) {
      await Promise.allSettled(unsaved.map(({ save }) => save()));
      throw passing;
    }
    const [cause] = thrown;
    if (cause !== undefined) log.error('job failed', { job_id, error: cause });
    const isFailed = cause !== undefined;
    const end =
      job.kind === 'publish'
        ? await recordPublication(job, shops, { unsaved, others, isFailed })
        : await recordChange(store, job, shops);
    return {
      ...end,
      status: isFailed ? 'failed' : 'completed',
      error_message: isFailed ? toJobFailure(cause, toAgain(job.plan)) : findCancellation(end.results),
    };
  }

  /** `others`: the progress in shops of the listing that are not the job's. */
  async function listContexts(work: Work): Promise<{ shops: Context[]; others: PublicationProgress[] }> {
    const { job, meter } = work;
    const { account_id, job_id, listing_pk, plan } = job;
    const isPublication = job.kind === 'publish';
    const { listings } = store;
    const [publications, backed_up_at, parts, snapshots] = await Promise.all([
      listings.listPublications(account_id, listing_pk),
      isPublication ? listings.findBackupTime(listing_pk) : undefined,
      isPublication ? [] : listings.listJobParts<ChangeProgress>(account_id, job_id),
      isPublication ? [] : listings.listSnapshots(account_id, listing_pk),
    ]);
    if (job.is_restored || backed_up_at !== undefined)
      log.info('resuming a job from a backup', { job_id, backed_up_at });
    // A change reads each listing before and after.
    meter.setTotal(isPublication ? countUnits(job.plan) : 2 * plan.shops.length);
    const shops = plan.shops.map((shop) => {
      const known: Known = {
        publication: publications.find(({ shop_id }) => shop_id === shop.shop_id),
        change: parts.find(({ part_id }) => part_id === shop.shop_id)?.progress,
        baseline: snapshots.find(({ shop_id }) => shop_id === shop.shop_id),
        backed_up_at,
      };
      return buildContext(work, shop, known);
    });
    const others = publications.filter(({ shop_id }) => !shops.some(({ shop }) => shop.shop_id === shop_id));
    return { shops, others: others.map(({ progress }) => progress) };
  }

  /**
   * Saves each shop when it finishes. The last shop of a publication is saved in one commit with the end of the job,
   * as is a shop that could not be saved.
   */
  async function runShops(shops: readonly Context[], hold: Hold): Promise<ShopsEnd> {
    const unsaved = new Set<Context>();
    let open = shops.length;
    const outcomes = await Promise.allSettled(shops.map(runOne));
    const thrown = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    );
    return { unsaved: [...unsaved], thrown };

    async function runOne(cx: Context): Promise<void> {
      if (cx.change.ended) return;
      let failed: { cause: unknown } | undefined;
      await runShop(cx).catch((cause: unknown) => (failed = { cause }));
      open -= 1;
      cx.sighting = toSighting(cx);
      const isOver = failed === undefined || !isTransient(failed.cause);
      if (isPublish(cx.plan)) {
        // Applies after an error, too: a result that reports a fee is never saved without the progress that ties the
        // fee to this job.
        unsaved.add(cx);
        if (isOver && open > 0) await saveNow(cx);
      } else if (!failed) await cx.save();
      if (failed) throw failed.cause;
    }

    async function saveNow(cx: Context): Promise<void> {
      try {
        await store.listings.savePublication(hold.claim, toSaved(cx), listBaseline(cx));
        unsaved.delete(cx);
      } catch (cause) {
        if (isTransient(cause)) throw cause;
        log.warn('a shop could not be saved when it ended', { job_id: hold.claim.job_id, error: cause });
      }
    }
  }

  return run;
}

/** `unsaved`: shops whose outcome is not saved yet. `thrown`: errors of the service, as thrown by runShop. */
type ShopsEnd = { unsaved: readonly Context[]; thrown: readonly unknown[] };
