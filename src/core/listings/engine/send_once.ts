import { MarketplaceError, type CallOptions } from '../../ports/index.js';
import type { MediaKind } from '../../ports/listing/progress.js';
import { SEND_WINDOW_MS } from './intents.js';
import { callPatiently } from './attempt.js';
import { toStepError, isCutOff } from './failures.js';
import type { Context } from './context.js';

const ATTEMPTS = 3;
const PAUSE_MS = 500;
/** A picture's size comes some seconds after the picture. */
const PROCESSING_LOOKS = 10;
const PROCESSING_PAUSE_MS = 1_000;

/** One kind of media of a listing; `index` is the position in the plan. */
export type Media = {
  kind: MediaKind;
  /** Whether `progress` has it. */
  has(index: number): boolean;
  /** Sends it, with these options of the call, and keeps the answer in `progress`. */
  send(index: number, options: CallOptions): Promise<void>;
  /**
   * Reads once what the listing has, and keeps what is surely one of these. `unprocessed`: something may be one of them, and
   * the marketplace has not yet said what is needed to decide.
   */
  find(indexes: readonly number[]): Promise<'complete' | 'unprocessed'>;
};

/**
 * Sends something that must not be there twice. What is being sent is committed before the call, so that after a lost answer
 * or a restart it is known what to look for, and it is sent again only when it cannot come any more.
 * @returns undefined when it is there, else why it is not
 */
export async function sendOnce(
  cx: Context,
  media: Media,
  index: number,
): Promise<MarketplaceError | undefined> {
  const { progress, ports } = cx;
  const since_ms = ports.marketplace.findTime()?.earliest.getTime() ?? 0;
  for (let attempt = 1; ; attempt += 1) {
    cx.checkStop();
    progress.sending[media.kind] = index;
    progress.sending_since = { ...progress.sending_since, [media.kind]: Math.floor(since_ms / 1000) };
    try {
      // The window begins when the call has its place: many photos of many listings wait longer for that than it lasts.
      const beforeSend = async () => {
        const send_before_ms = ports.clock.monotonic() + SEND_WINDOW_MS;
        // Refused where another process has the job by now, and has sent it.
        await cx.save();
        return send_before_ms;
      };
      await callPatiently(cx, () => media.send(index, { beforeSend }));
      // Committed with what is sent next, or with the end of the step; after a crash before that it is looked for and found.
      delete progress.sending[media.kind];
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
 * To be called before anything is sent. What an earlier run was sending when it ended may have arrived; and unless this run
 * made the listing itself, it may have more than is known here: a restored copy of the data knows less than was done.
 * @param indexes all that the plan has
 */
export async function finishSending(cx: Context, media: Media, indexes: readonly number[]): Promise<void> {
  const index = cx.progress.sending[media.kind];
  if (index !== undefined) await findSent(cx, media, index, cx.remains_ms);
  const open = indexes.filter((other) => !media.has(other));
  if (!cx.is_new && open.length > 0) await findProcessed(cx, media, open);
}

/**
 * Looks for what may have been sent: at once, when only a find counts, and twice once it has had the time to come. No status
 * says that nothing was done: a 500 may come from behind the work.
 * @param within_ms that time, from now
 */
async function findSent(cx: Context, media: Media, index: number, within_ms: number): Promise<boolean> {
  await media.find([index]);
  if (!media.has(index)) {
    await cx.pause(within_ms);
    await media.find([index]);
  }
  if (!media.has(index)) {
    await cx.pause(cx.settle_ms / 10);
    await findProcessed(cx, media, [index]);
  }
  await forget(cx, media);
  return media.has(index);
}

async function findProcessed(cx: Context, media: Media, indexes: readonly number[]): Promise<void> {
  for (let look = 1; ; look += 1) {
    const finding = await media.find(indexes);
    if (finding === 'complete' || look === PROCESSING_LOOKS) return;
    await cx.pause(PROCESSING_PAUSE_MS);
  }
}

async function forget({ progress, save }: Context, { kind }: Media): Promise<void> {
  delete progress.sending[kind];
  await save();
}
