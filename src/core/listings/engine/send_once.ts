import { MarketplaceError, type CallOptions } from '../../ports/index.js';
import type { MediaKind } from '../../ports/listing/progress.js';
import type { PlannedFile } from '../../ports/listing/target.js';
import { SEND_WINDOW_MS } from './intents.js';
import { callPatiently } from './attempt.js';
import { StepError, toStepError, isCutOff } from './failures.js';
import type { Context } from './context.js';
import { findMediaId, listMissing } from './media_ids.js';

const ATTEMPTS = 3;
const PAUSE_MS = 500;
/** The size of a picture is known some seconds after the picture. */
const PROCESSING_ATTEMPTS = 10;
const PROCESSING_PAUSE_MS = 1_000;

/** One kind of media of a listing; `index` is the position in the target. */
export type Media = {
  kind: MediaKind;
  /** Its stored bytes; undefined if there are none. */
  findFile(index: number): PlannedFile | undefined;
  /** Sends it with these call options, and keeps the response in `progress`. */
  send(index: number, file: PlannedFile, options: CallOptions): Promise<void>;
  /**
   * Reads the listing's media once, and keeps those that are certainly at one of these positions. `unprocessed`: an
   * item may be one of them, but the marketplace has not yet processed it enough to decide.
   */
  find(indexes: readonly number[]): Promise<'complete' | 'unprocessed'>;
};

/**
 * Attaches an item that the marketplace still has; if it no longer has the item, sends the bytes.
 * @returns undefined if the item exists, otherwise why it does not
 */
export async function attachOrSend(
  cx: Context,
  media: Media,
  index: number,
  attach: (id: number) => Promise<void>,
): Promise<MarketplaceError | undefined> {
  const id = findMediaId(cx, media.kind, index);
  if (id === null) return sendOnce(cx, media, index);
  try {
    await attach(id);
    return undefined;
  } catch (cause) {
    const isGone = cause instanceof MarketplaceError && ['refused', 'not_found'].includes(cause.failure);
    if (!isGone || media.findFile(index) === undefined) throw cause;
    return sendOnce(cx, media, index);
  }
}

/**
 * Sends an item that must not exist twice. Commits the item being sent before the call, so that after a lost
 * response or a restart it is known and can be searched for. Sends it again only once the first request can no
 * longer arrive.
 * @returns undefined if the item exists, otherwise why it does not
 */
async function sendOnce(cx: Context, media: Media, index: number): Promise<MarketplaceError | undefined> {
  const { journal, ports } = cx;
  const since_ms = ports.marketplace.findTime()?.earliest.getTime() ?? 0;
  for (let attempt = 1; ; attempt += 1) {
    cx.checkStop();
    journal.sending[media.kind] = index;
    journal.sending_since = { ...journal.sending_since, [media.kind]: Math.floor(since_ms / 1000) };
    try {
      // The window begins when the call has its slot: with many photos of many listings, waiting for one takes
      // longer than the window.
      const beforeSend = async () => {
        const send_before_ms = ports.clock.monotonic() + SEND_WINDOW_MS;
        // Rejected if another process has claimed the job and sent it.
        await cx.save();
        return send_before_ms;
      };
      await callPatiently(cx, () => media.send(index, getPlanned(media, index), { beforeSend }));
      // Committed with the next item, or with the end of the step. After a crash before that, a search finds it.
      delete journal.sending[media.kind];
      return undefined;
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      if (cause.failure === 'unknown') {
        const isFound = await findSent(cx, media, index, cx.settle_ms).catch((other: unknown) => {
          cx.noteUnanswered();
          throw other;
        });
        if (isFound) return undefined;
        cx.noteUnanswered();
      } else {
        await forget(cx, media);
        if (isCutOff(cause)) throw toStepError(cause, media.kind, cx.again);
        if (cause.failure !== 'unavailable') return cause;
      }
      if (attempt === ATTEMPTS) return cause;
      await cx.pause(PAUSE_MS * attempt);
    }
  }
}

/**
 * Call before sending anything. The item an earlier run was sending when it ended may have arrived. And unless this
 * run created the listing, the listing may have more items than recorded here: a restored copy of the data misses
 * later ones.
 */
export async function finishSending(cx: Context, media: Media): Promise<void> {
  const missing = listMissing(cx, media.kind).filter((index) => media.findFile(index) !== undefined);
  const index = cx.journal.sending[media.kind];
  if (index !== undefined) await findSent(cx, media, index, cx.remains_ms);
  const open = missing.filter((other) => isMissing(cx, media, other));
  if (!cx.is_new && open.length > 0) await findProcessed(cx, media, open);
}

/** The stored bytes of an item to send. */
export function getPlanned({ kind, findFile }: Media, index: number): PlannedFile {
  const planned = findFile(index);
  if (planned) return planned;
  throw new StepError({ code: 'media_not_kept', params: { kind: NAMES[kind], index } }, null);
}

const NAMES = { images: 'photo', videos: 'video', files: 'file' } as const;

function isMissing(cx: Context, { kind }: Media, index: number): boolean {
  return listMissing(cx, kind).includes(index);
}

/**
 * Searches for an item that may have been sent: at once, when only a find counts, and twice after it has had time
 * to arrive. No status proves that nothing was done: a 500 may follow a completed write.
 * @param within_ms that time, from now
 */
async function findSent(cx: Context, media: Media, index: number, within_ms: number): Promise<boolean> {
  await media.find([index]);
  if (isMissing(cx, media, index)) {
    await cx.pause(within_ms);
    await media.find([index]);
  }
  if (isMissing(cx, media, index)) {
    await cx.pause(cx.settle_ms / 10);
    await findProcessed(cx, media, [index]);
  }
  await forget(cx, media);
  return !isMissing(cx, media, index);
}

async function findProcessed(cx: Context, media: Media, indexes: readonly number[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const finding = await media.find(indexes);
    if (finding === 'complete' || attempt === PROCESSING_ATTEMPTS) return;
    await cx.pause(PROCESSING_PAUSE_MS);
  }
}

async function forget({ journal, save }: Context, { kind }: Media): Promise<void> {
  delete journal.sending[kind];
  await save();
}
