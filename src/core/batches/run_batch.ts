import { quoteName } from '../text/foreign.js';
import type { Hold, KindRunner } from '../listings/jobs/hold.js';
import type { Meter } from '../listings/jobs/meter.js';
import type { Listings } from '../listings/listings.js';
import { isTransient } from '../listings/engine/failures.js';
import type { BatchItemRecord, BatchJob, BatchRecord, JobEnd, Ports, ShopRef } from '../ports/index.js';
import type { Shops } from '../shops/shops.js';
import type { Uploads } from '../uploads/uploads.js';
import type { Events } from '../webhooks/events.js';
import { getCounts } from './answers.js';
import { isBusy, waitWhileBusy } from './busy.js';
import type { ListingPlan } from './draft.js';
import { takePhotos } from './edits/take_photos.js';
import { recordFinished } from './finished.js';
import { createInventoriesAhead } from './inventories_ahead.js';
import type { PlanListing, PlanOptions } from './plan_listing.js';
import { eachItem } from './list_items.js';
import { createStepRunner, listShopIds } from './run_step.js';

/** How often a batch checks whether it may continue. */
const PAUSE_MS = 5_000;
/** How often a batch that waits for the day's calls makes a call, whose answer reports how many are left. */
const PROBE_MS = 5 * 60_000;
/** The share of a day's marketplace calls that a batch leaves for everything else. */
const DAY_RESERVE = 0.1;

/** How long a plan can be started. */
export const PLAN_LIFE_MS = 24 * 60 * 60 * 1000;

type Running = Extract<BatchJob, { status: 'processing' }>;

type Parts = Pick<Ports, 'store' | 'marketplace' | 'clock' | 'log'> & {
  events: Events;
  shops: Shops;
  listings: Pick<Listings, 'update' | 'publish' | 'copy' | 'undo'>;
  planListing: PlanListing;
  uploads: Uploads;
};

/** A listing with unfinished steps. `isLast`: it has already waited for another job once. */
type Work = { listing_pk: number; isLast: boolean };

/** Plans a batch, or makes its changes one after the other, each as a job of its own. */
export function createBatchRunner(parts: Parts): KindRunner<'batch'> {
  const { store, clock, log } = parts;
  const runStep = createStepRunner(parts);

  return async (job, hold, meter) => {
    const batch = await store.batches.findBatch(job.account_id, job.plan.batch_id);
    if (!batch) throw new Error(`job ${job.job_id} has batch ${job.plan.batch_id}, which is not there`);
    try {
      const isStarted = job.plan.phase === 'run' || batch.started_at !== null;
      return isStarted ? await run(job, batch, hold, meter) : await plan(job, batch, hold, meter);
    } catch (cause) {
      if (isTransient(cause) || hold.signal.aborted) throw cause;
      log.error('a batch failed', { batch_id: batch.batch_id, error: cause });
      return finish(batch, 'failed');
    }
  };

  async function plan(job: Running, batch: BatchRecord, hold: Hold, meter: Meter): Promise<JobEnd> {
    const { account_id, batch_id, spec } = batch;
    const { claim } = hold;
    const done = new Set(await store.batches.listPlannedListings(account_id, batch_id));
    const connected = await parts.shops.listConnected(account_id);
    meter.setTotal(spec.places.length);
    for (let count = 0; count < done.size; count += 1) meter.advance('planned');
    const taken = await takePhotos(parts.uploads, batch, hold);
    const options = { taken, readInventory: createInventoriesAhead(parts, batch), signal: hold.signal };
    const queue = [...spec.places.entries()]
      .filter(([, { listing_pk }]) => !done.has(listing_pk))
      .map(([index, place]) => ({ index, place, isLast: false }));
    const isCanceled = async () =>
      (await store.batches.findBatch(account_id, batch_id))?.status !== 'planning';
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { index, place } = next;
      hold.checkStop();
      if (await isCanceled()) return buildEnd(batch, 'canceled');
      const shop_ids = place.shop_ids ?? connected.map(({ shop_id }) => shop_id);
      await waitForCalls(batch, shop_ids, hold, 0);
      const planned = await planNext(batch, next, options, hold, isCanceled);
      if (planned) {
        await store.batches.savePlannedListing(claim, batch_id, planned);
        meter.advance(`planned ${describeTitle(planned.items)}`);
      } else queue.push({ index, place, isLast: true });
    }
    const planned = await store.batches.findBatch(account_id, batch_id);
    const isFree = planned?.cost_usd === 0;
    if (spec.kind !== 'undo' || !spec.starts || !isFree) return buildEnd(batch, 'planned');
    const isStarted = await store.batches.startPlanned(claim, batch_id);
    return isStarted ? run(job, batch, hold, meter) : buildEnd(batch, 'canceled');
  }

  /** Undefined if the listing is busy and must be planned last, or the batch was canceled. */
  async function planNext(
    batch: BatchRecord,
    { index, isLast }: { index: number; isLast: boolean },
    options: PlanOptions,
    hold: Hold,
    isCanceled: () => Promise<boolean>,
  ): Promise<ListingPlan | undefined> {
    try {
      return await waitWhileBusy(parts, hold, () => parts.planListing(batch, index, options), isCanceled);
    } catch (cause) {
      if (!isBusy(cause)) throw cause;
      return isLast && !(await isCanceled())
        ? parts.planListing(batch, index, { ...options, busy: cause })
        : undefined;
    }
  }

  async function run(job: Running, batch: BatchRecord, hold: Hold, meter: Meter): Promise<JobEnd> {
    const { account_id, batch_id } = batch;
    const open = await store.batches.listOpenListings(account_id, batch_id);
    meter.setTotal(open.reduce((sum, { steps }) => sum + steps, 0));
    const interrupted = await findInterrupted(batch);
    const queue: Work[] = open.map(({ listing_pk }) => ({ listing_pk, isLast: false }));
    const isBegun = ({ listing_pk }: Work) => interrupted.has(listing_pk);
    queue.sort((a, b) => Number(isBegun(b)) - Number(isBegun(a)));
    /** Listings of shops that must be connected again, with those shops. */
    let cut_off: (Work & { shop_ids: number[] })[] = [];
    /** The number of failed attempts in a row. */
    let vain = 0;
    /** Monotonic time before which the limits that refused a change are not tried again. */
    let limited_until_ms = 0;
    for (;;) {
      const next = queue.shift();
      if (!next) {
        if (cut_off.length === 0) return finish(batch, 'completed');
        await waitForShops(batch, new Set(cut_off.flatMap(({ shop_ids }) => shop_ids)), hold, vain);
        vain += 1;
        queue.push(...cut_off);
        cut_off = [];
        continue;
      }
      const { listing_pk } = next;
      const steps = await store.batches.listBatchSteps(account_id, batch_id, listing_pk);
      const [step, ...later] = steps.filter(({ is_done }) => !is_done);
      if (!step) continue;
      // A change that an earlier process began is completed, even if the batch was canceled since.
      const wasBegun = interrupted.delete(listing_pk);
      const isCanceled = async () => !wasBegun && !(await waitForTurn(batch, hold));
      const hasEnded =
        (await isCanceled()) ||
        ((await waitForCalls(batch, listShopIds(step.call), hold, limited_until_ms)) && (await isCanceled()));
      if (hasEnded) {
        await endMidway(batch, hold);
        return finish(batch, 'canceled');
      }
      const outcome = await runStep(job, batch, step, later, hold, next.isLast);
      await store.batches.saveBatchItems(hold.claim, batch_id, outcome.items, {
        position: step.position,
        job_ids: [...step.job_ids, ...outcome.job_ids],
        is_done: outcome.left === undefined,
      });
      // The steps of a listing keep their order.
      if (outcome.left === 'cut_off') {
        const shop_ids = [step, ...later].flatMap(({ call }) => listShopIds(call));
        cut_off.push({ ...next, shop_ids });
      } else if (outcome.left === 'busy') queue.push({ ...next, isLast: true });
      else if (outcome.left === 'limits') {
        limited_until_ms = clock.monotonic() + PROBE_MS;
        queue.unshift(next);
      } else {
        meter.advance(`changed ${describeTitle(outcome.items)}`);
        vain = 0;
        if (later.length > 0) queue.unshift(next);
      }
    }
  }

  async function finish(batch: BatchRecord, status: 'completed' | 'canceled' | 'failed'): Promise<JobEnd> {
    const { account_id, batch_id } = batch;
    // The job that planned an undo also starts it.
    const now = await store.batches.findBatch(account_id, batch_id);
    if (now?.started_at) await recordFinished(parts.events, now, status, await getCounts(store, now));
    return buildEnd(batch, status);
  }

  /** Ends items of which some changes were made, but not all: a canceled item has changed nothing. */
  async function endMidway({ account_id, batch_id }: BatchRecord, hold: Hold): Promise<void> {
    for await (const { job_id, ...item } of eachItem(store, { account_id, batch_id }, 'waiting')) {
      if (job_id === undefined) continue;
      const message = { code: 'item_canceled_midway', params: { job_id } } as const;
      const issues = [{ code: message.code, field: '', message }];
      const midway = { ...item, job_id, status: 'error', issues } as const;
      await store.batches.saveBatchItems(hold.claim, batch_id, [midway]);
    }
  }

  /** Listings whose change was in progress when an earlier process ended. */
  async function findInterrupted({ account_id, batch_id }: BatchRecord): Promise<Set<number>> {
    const interrupted = new Set<number>();
    for await (const { listing_pk } of eachItem(store, { account_id, batch_id }, 'running')) {
      interrupted.add(listing_pk);
    }
    return interrupted;
  }

  /** False once the batch was canceled. */
  async function waitForTurn({ batch_id }: BatchRecord, hold: Hold): Promise<boolean> {
    for (;;) {
      hold.checkStop();
      const turn = await store.batches.takeTurn(hold.claim, batch_id);
      if (turn === 'canceled') return false;
      if (turn === 'go') return true;
      await hold.pause(PAUSE_MS);
    }
  }

  /**
   * Pauses until one of the shops is connected again, or disconnected for good, or the batch is canceled. If none of them is
   * known to be cut off, each pause is longer than the one before.
   * @param vain the number of failed attempts in a row
   */
  async function waitForShops(
    { account_id, batch_id }: BatchRecord,
    shop_ids: ReadonlySet<number>,
    hold: Hold,
    vain: number,
  ): Promise<void> {
    await store.batches.savePause(hold.claim, batch_id, 'reconnect');
    const first = await countRevoked();
    const until_ms = clock.monotonic() + Math.min(PAUSE_MS * 2 ** vain, PROBE_MS);
    const isOpen = async () => (first > 0 ? (await countRevoked()) < first : clock.monotonic() >= until_ms);
    do {
      await hold.pause(PAUSE_MS);
      const batch = await store.batches.findBatch(account_id, batch_id);
      if (batch?.is_canceling) return;
    } while (!(await isOpen()));

    async function countRevoked(): Promise<number> {
      const connected = await parts.shops.listConnected(account_id);
      return connected.filter((shop) => shop.is_reconnect_required && shop_ids.has(shop.shop_id)).length;
    }
  }

  /** Pauses until `until_ms`, and while the marketplace's daily calls are nearly used up. Returns whether it paused. */
  async function waitForCalls(
    { account_id, batch_id }: BatchRecord,
    shop_ids: readonly number[],
    hold: Hold,
    until_ms: number,
  ): Promise<boolean> {
    let isPaused = false;
    let probed_ms = clock.monotonic();
    for (;;) {
      const shop = await findUsedUp(account_id, shop_ids);
      if (!shop && clock.monotonic() >= until_ms) break;
      if (!isPaused) await store.batches.savePause(hold.claim, batch_id, 'limits');
      isPaused = true;
      await hold.pause(PAUSE_MS);
      const batch = await store.batches.findBatch(account_id, batch_id);
      if (batch?.is_canceling || batch?.status === 'canceled') return true;
      if (!shop || clock.monotonic() - probed_ms < PROBE_MS) continue;
      probed_ms = clock.monotonic();
      await parts.marketplace.getShop(shop).catch((error: unknown) => {
        log.debug('the calls that are left today could not be asked for', { error });
      });
    }
    if (isPaused) await store.batches.savePause(hold.claim, batch_id, null);
    return isPaused;
  }

  /** A shop whose application has few calls left today. */
  async function findUsedUp(account_id: string, shop_ids: readonly number[]): Promise<ShopRef | undefined> {
    for (const shop_id of shop_ids) {
      const left = await parts.marketplace.getDayCalls({ account_id, shop_id });
      if (left && left.remaining <= left.limit * DAY_RESERVE) return { account_id, shop_id };
    }
    return undefined;
  }
}

function describeTitle([item]: readonly BatchItemRecord[]): string {
  return item ? quoteName(item.title) : 'a listing';
}

function buildEnd(
  { batch_id }: BatchRecord,
  status: 'planned' | 'completed' | 'canceled' | 'failed',
): JobEnd {
  const isFailed = status === 'failed';
  return {
    status: isFailed ? 'failed' : 'completed',
    results: null,
    error_message: isFailed ? { code: 'batch_failed', params: {} } : null,
    batch: status === 'planned' ? { batch_id, status, life_ms: PLAN_LIFE_MS } : { batch_id, status },
  };
}
