import { createBackgroundLoop } from './background_loop.js';
import type { Ports } from './ports/index.js';
import type { UploadPlace } from './ports/index.js';
import { IDLE_MS } from './identity/sessions.js';
import type { Settings } from './settings.js';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/**
 * Bytes stay this long after they were last stored, needed or not, since plans and drafts that need them may still be in the
 * making.
 */
const BLOB_KEPT_MS = 30 * DAY_MS;
/** No upload or download takes longer; an older file was left by a crash. */
const STAGED_KEPT_MS = 6 * HOUR_MS;
/** The image at a URL may change, so its thumbnail is not kept for good. */
const THUMBNAIL_KEPT_MS = 7 * DAY_MS;
/**
 * Payloads of events stay readable, and can be sent again, for this time. They contain buyers' messages and addresses, so
 * they are kept no longer.
 */
const PAYLOAD_KEPT_MS = 30 * DAY_MS;
/** Rows to delete at a time; few enough that no call waits long for the database. */
const BATCH = 300;
/** How long an idempotency key counts: see ListingStore.findBinding. */
const KEY_KEPT_MS = 30 * DAY_MS;
/** How long a change can be undone. */
const UNDO_MS = 90 * DAY_MS;
/** A body without a key is recognized for ten minutes after its job. */
const DIGEST_KEPT_MS = DAY_MS;
/** How long a marketplace message is recognized; the marketplace repeats one for little more than a day. */
const HINT_KEPT_MS = 7 * DAY_MS;
/** The first sweep waits until the person or program that started the service has been answered. */
const FIRST_MS = 10_000;

/** The number of each that was removed. */
type Swept = Record<
  | 'uploads'
  | 'blobs'
  | 'staged'
  | 'thumbnails'
  | 'payloads'
  | 'hints'
  | 'deliveries'
  | 'events'
  | 'orders'
  | 'plans'
  | 'job_parts'
  | 'batches'
  | 'sheets'
  | 'kept_files'
  | 'bindings'
  | 'sessions',
  number
>;

export type Sweeper = {
  /**
   * Removes everything that is no longer needed. Safe to run in parallel with other processes and with itself. The signal
   * ends it between two steps.
   */
  sweep(signal?: AbortSignal): Promise<Swept>;
  /** Sweeps soon, and then daily, without keeping the process alive. */
  start(): void;
  /** Waits for the step in progress. */
  stop(): Promise<void>;
};

/** Uploads are removed 30 days after they arrived unless a saved listing names them; bytes when nothing refers to them. */
export function createSweeper(
  { store, media, blobs, clock, log }: Pick<Ports, 'store' | 'media' | 'blobs' | 'clock' | 'log'>,
  { retention }: Pick<Settings, 'retention'>,
): Sweeper {
  async function sweep(signal?: AbortSignal): Promise<Swept> {
    // Files have timestamps of this computer's clock; the database judges the age of rows.
    const now_ms = clock.now().getTime();
    const staged = await media.sweepStaging(new Date(now_ms - STAGED_KEPT_MS));
    const uploads = await sweepUploads(signal);
    const kept_since = new Date(now_ms - BLOB_KEPT_MS);
    let deleted = 0;
    for (const sha256 of await blobs.list(kept_since)) {
      signal?.throwIfAborted();
      // One by one: between a check of all and the last removal, a request may have begun to need some of them.
      const [unused] = await store.uploads.listUnusedBlobs([sha256]);
      if (unused === undefined || !(await blobs.delete(sha256, kept_since))) continue;
      await media.removeThumbnails(sha256);
      deleted += 1;
    }
    const thumbnails = await media.sweepThumbnails(new Date(now_ms - THUMBNAIL_KEPT_MS));
    const payloads = await sweepAll((limit) => store.webhooks.sweepPayloads(PAYLOAD_KEPT_MS, limit), signal);
    const hints =
      (await store.orders.sweepHints(HINT_KEPT_MS)) + (await store.listing_hints.sweepHints(HINT_KEPT_MS));
    const old = await sweepOld(signal);
    return { uploads, blobs: deleted, staged, thumbnails, payloads, hints, ...old };
  }

  async function sweepUploads(signal?: AbortSignal): Promise<number> {
    let all = 0;
    let after: UploadPlace | undefined;
    do {
      signal?.throwIfAborted();
      const { deleted, next } = await store.uploads.deleteExpiredUploads(BATCH, after);
      all += deleted;
      after = next;
    } while (after);
    return all;
  }

  async function sweepOld(signal?: AbortSignal) {
    const all = (sweepSome: (limit: number) => Promise<number>) => sweepAll(sweepSome, signal);
    const { sweepDeliveries, sweepEvents, sweepRecordedOrders, sweepPlans, ...more } = store.retention;
    const deliveries_ms = retention.deliveries_days * DAY_MS;
    return {
      deliveries: await all((limit) => sweepDeliveries(deliveries_ms, limit)),
      events: await all((limit) => sweepEvents(deliveries_ms, limit)),
      orders: await all((limit) => sweepRecordedOrders(retention.orders_days * DAY_MS, limit)),
      plans: await all((limit) => sweepPlans(retention.plans_days * DAY_MS, limit)),
      job_parts: await all((limit) => more.sweepJobParts(UNDO_MS, limit)),
      batches: await all((limit) => more.sweepBatches(UNDO_MS, limit)),
      sheets: await all((limit) => more.sweepSheets(limit)),
      edit_licenses: await all((limit) => more.sweepEditLicenses(limit)),
      kept_files: await all((limit) => more.sweepKeptFiles(limit)),
      bindings:
        (await all((limit) => more.sweepKeyBindings(KEY_KEPT_MS, limit))) +
        (await all((limit) => more.sweepDigestBindings(DIGEST_KEPT_MS, limit))),
      sessions: await all((limit) => more.sweepSessions(IDLE_MS, limit)),
    };
  }

  let isFirst = true;
  const loop = createBackgroundLoop(
    { clock, log, longest_sleep_ms: DAY_MS, is_idle: true },
    async (signal) => {
      const wait_ms = isFirst ? FIRST_MS : DAY_MS;
      if (!isFirst) await sweepAndLog(signal);
      isFirst = false;
      return new Date(clock.now().getTime() + wait_ms);
    },
  );

  /** A failed sweep is not repeated before the next day. */
  async function sweepAndLog(signal: AbortSignal): Promise<void> {
    try {
      log.debug('swept', await sweep(signal));
    } catch (error) {
      if (!signal.aborted) log.warn('sweeping failed', { error });
    }
  }

  return { sweep, start: loop.start, stop: loop.stop };
}

/** One transaction after another, until there is nothing left. */
async function sweepAll(
  sweepSome: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let all = 0;
  for (;;) {
    signal?.throwIfAborted();
    const some = await sweepSome(BATCH);
    all += some;
    if (some < BATCH) return all;
  }
}
