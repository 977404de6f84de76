import { MarketplaceError } from '../../ports/index.js';
import { callPatiently, toStepError } from './attempt.js';
import type { Publishing } from './step.js';

const ATTEMPTS = 3;
const PAUSE_MS = 500;
const NAMES = { images: 'The images', videos: 'The video', files: 'The files' } as const;

/** One kind of media of a listing; `index` is the position in the plan. */
export type Media = {
  kind: 'images' | 'videos' | 'files';
  /** Sends it, and keeps the answer in `progress`. */
  send(index: number): Promise<void>;
  /** Reads what the listing has; keeps what no answer told of as this one. False when there is nothing such. */
  adopt(index: number): Promise<boolean>;
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
  const { sending } = publishing.progress;
  for (let attempt = 1; ; attempt += 1) {
    publishing.checkStop();
    sending[media.kind] = index;
    await publishing.save();
    try {
      await callPatiently(publishing, () => media.send(index));
      // Committed with what is sent next, or with the end of the step; after a crash before that it is looked for and found.
      delete sending[media.kind];
      return undefined;
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      if (cause.failure === 'unknown') {
        if (await findSent(publishing, media, index, isOver(cause))) return undefined;
      } else {
        await forget(publishing, media);
        if (cause.failure === 'reconnect') throw toStepError(cause, `${NAMES[media.kind]} could not be sent`);
        if (cause.failure !== 'unavailable') return cause;
      }
      if (attempt === ATTEMPTS) return cause;
      await publishing.ports.clock.sleep(PAUSE_MS * attempt);
    }
  }
}

/** To be called before anything is sent: what an earlier run was sending when it ended may have arrived. */
export async function finishSending(publishing: Publishing, media: Media): Promise<void> {
  const index = publishing.progress.sending[media.kind];
  if (index !== undefined) await findSent(publishing, media, index, false);
}

/** Looks for it at once, and, unless the call is known to be over, once more when it has had the time to come. */
async function findSent(
  publishing: Publishing,
  media: Media,
  index: number,
  is_over: boolean,
): Promise<boolean> {
  let is_there = await media.adopt(index);
  if (!is_there && !is_over) {
    publishing.checkStop();
    await publishing.ports.clock.sleep(publishing.settle_ms);
    is_there = await media.adopt(index);
  }
  await forget(publishing, media);
  return is_there;
}

async function forget({ progress, save }: Publishing, { kind }: Media): Promise<void> {
  delete progress.sending[kind];
  await save();
}

/** The marketplace itself has failed and said so; what only an edge before it says tells nothing about the call. */
function isOver({ status }: MarketplaceError): boolean {
  return status === 500;
}
