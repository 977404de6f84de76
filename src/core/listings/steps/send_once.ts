import { MarketplaceError } from '../../ports/index.js';
import type { MediaKind } from '../progress.js';
import { callPatiently, toStepError } from './attempt.js';
import type { Publishing } from './step.js';

const ATTEMPTS = 3;
const PAUSE_MS = 500;
/** A picture's size comes some seconds after the picture. */
const PROCESSING_LOOKS = 10;
const PROCESSING_PAUSE_MS = 1_000;
const NAMES = { images: 'The images', videos: 'The video', files: 'The files' } as const;

/** One kind of media of a listing; `index` is the position in the plan. */
export type Media = {
  kind: MediaKind;
  /** Whether `progress` has it. */
  has(index: number): boolean;
  /** Sends it, and keeps the answer in `progress`. */
  send(index: number): Promise<void>;
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
  publishing: Publishing,
  media: Media,
  index: number,
): Promise<MarketplaceError | undefined> {
  const { progress, ports } = publishing;
  const time = await ports.marketplace.findTime(publishing.shop);
  const since_ms = time?.earliest.getTime() ?? 0;
  for (let attempt = 1; ; attempt += 1) {
    publishing.checkStop();
    progress.sending[media.kind] = index;
    progress.sending_since = { ...progress.sending_since, [media.kind]: Math.floor(since_ms / 1000) };
    await publishing.save();
    try {
      await callPatiently(publishing, () => media.send(index));
      // Committed with what is sent next, or with the end of the step; after a crash before that it is looked for and found.
      delete progress.sending[media.kind];
      return undefined;
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      if (cause.failure === 'unknown') {
        if (await findSent(publishing, media, index)) return undefined;
        publishing.has_lost_media = true;
      } else {
        await forget(publishing, media);
        if (cause.failure === 'reconnect') throw toStepError(cause, `${NAMES[media.kind]} could not be sent`);
        if (cause.failure !== 'unavailable') return cause;
      }
      if (attempt === ATTEMPTS) return cause;
      await publishing.pause(PAUSE_MS * attempt);
    }
  }
}

/**
 * To be called before anything is sent. What an earlier run was sending when it ended may have arrived; and unless this run
 * made the listing itself, it may have more than is known here: a restored copy of the data knows less than was done.
 * @param indexes all that the plan has
 */
export async function finishSending(
  publishing: Publishing,
  media: Media,
  indexes: readonly number[],
): Promise<void> {
  const index = publishing.progress.sending[media.kind];
  if (index !== undefined) await findSent(publishing, media, index);
  const open = indexes.filter((other) => !media.has(other));
  if (!publishing.is_new && open.length > 0) await findProcessed(publishing, media, open);
}

/**
 * Looks for what may have been sent: at once, when only a find counts, and twice once it has had the time to come. No status
 * says that nothing was done: a 500 may come from behind the work.
 */
async function findSent(publishing: Publishing, media: Media, index: number): Promise<boolean> {
  const { settle_ms } = publishing;
  await media.find([index]);
  if (!media.has(index)) {
    await publishing.pause(settle_ms);
    await media.find([index]);
  }
  if (!media.has(index)) {
    await publishing.pause(settle_ms / 10);
    await findProcessed(publishing, media, [index]);
  }
  await forget(publishing, media);
  return media.has(index);
}

async function findProcessed(
  publishing: Publishing,
  media: Media,
  indexes: readonly number[],
): Promise<void> {
  for (let look = 1; ; look += 1) {
    const finding = await media.find(indexes);
    if (finding === 'complete' || look === PROCESSING_LOOKS) return;
    await publishing.pause(PROCESSING_PAUSE_MS);
  }
}

async function forget({ progress, save }: Publishing, { kind }: Media): Promise<void> {
  delete progress.sending[kind];
  await save();
}
