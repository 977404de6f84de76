import type { Ports } from './core.js';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Bytes stay this long after they were last stored, whoever needs them: plans and drafts are made meanwhile. */
const BLOB_KEPT_MS = 30 * DAY_MS;
/** No upload or download takes longer; what is older was left by a crash. */
const STAGED_KEPT_MS = 6 * HOUR_MS;
/** What is at an address may change, so the picture of it is not kept for good. */
const THUMBNAIL_KEPT_MS = 7 * DAY_MS;
/** What was sent stays readable, and can be sent again, for so long. It holds what buyers wrote and where they live. */
const PAYLOAD_KEPT_MS = 30 * DAY_MS;
/** So many at a time that nobody waits long for the database. */
const PAYLOAD_BATCH = 500;
/** A message of the marketplace is known again for so long; it repeats one for little more than a day. */
const HINT_KEPT_MS = 7 * DAY_MS;
/** The first sweep waits until whoever started the service has been answered. */
const FIRST_MS = 10_000;

export type Sweeper = {
  /** Removes what nobody needs any more. Safe beside other processes and beside itself. */
  sweep(): Promise<{
    uploads: number;
    blobs: number;
    staged: number;
    thumbnails: number;
    payloads: number;
    hints: number;
  }>;
  /** Sweeps soon, and then daily, without keeping the process alive. */
  start(): void;
  stop(): void;
};

/** Uploads go 30 days after they came unless a saved listing names them; bytes when nothing refers to them. */
export function createSweeper({
  store,
  media,
  clock,
  log,
}: Pick<Ports, 'store' | 'media' | 'clock' | 'log'>): Sweeper {
  let timer: NodeJS.Timeout | undefined;

  async function sweep() {
    const now_ms = clock.now().getTime();
    const staged = await media.sweepStaging(new Date(now_ms - STAGED_KEPT_MS));
    const uploads = await store.uploads.deleteExpiredUploads(new Date(now_ms).toISOString());
    const kept_since = new Date(now_ms - BLOB_KEPT_MS);
    const old = await media.listBlobs(kept_since);
    let blobs = 0;
    for (const sha256 of old) {
      // One by one: between a look at all and the last removal, somebody may have begun to need some of them.
      const [unused] = await store.uploads.listUnusedBlobs([sha256]);
      if (unused !== undefined && (await media.deleteBlob(sha256, kept_since))) blobs += 1;
    }
    const thumbnails = await media.sweepThumbnails(new Date(now_ms - THUMBNAIL_KEPT_MS));
    const payloads = await sweepPayloads(new Date(now_ms - PAYLOAD_KEPT_MS).toISOString());
    const hints = await store.orders.sweepHints(new Date(now_ms - HINT_KEPT_MS).toISOString());
    return { uploads, blobs, staged, thumbnails, payloads, hints };
  }

  /** Events and deliveries stay, and are counted on, without what was sent. */
  async function sweepPayloads(created_before: string): Promise<number> {
    let all = 0;
    for (;;) {
      const some = await store.webhooks.sweepPayloads(created_before, PAYLOAD_BATCH);
      all += some;
      if (some < PAYLOAD_BATCH) return all;
    }
  }

  async function sweepAndLog(): Promise<void> {
    try {
      log.debug('swept', await sweep());
    } catch (error) {
      log.warn('sweeping failed', { error });
    }
  }

  function schedule(delay_ms: number): void {
    timer = setTimeout(() => {
      void sweepAndLog().finally(() => timer && schedule(DAY_MS));
    }, delay_ms).unref();
  }

  return {
    sweep,
    start: () => schedule(FIRST_MS),
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
