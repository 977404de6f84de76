import { MarketplaceError } from '../../ports/index.js';
import { callPatiently, callRepeatably, describeFailure, getFile, toStepError } from './attempt.js';
import { getListingId, StepError, type Publishing, type Step } from './step.js';

const ATTEMPTS = 3;
const PAUSE_MS = 500;

/** The video. What the listing has already (after a lost answer) is not sent again. */
export const videosStep: Step = {
  name: 'videos',
  needs: ['create'],
  isNeeded: (plan) => plan.videos.length > 0,
  async run(publishing) {
    const { plan, progress, shop, ports } = publishing;
    const [planned] = plan.videos;
    if (!planned || progress.videos.length > 0) return {};
    const listing_id = getListingId(publishing);
    const file = await getFile(publishing, planned);
    const adopt = async () => {
      const there = await callRepeatably(publishing, () => ports.marketplace.listVideos(shop, listing_id));
      progress.videos = there.slice(0, 1);
      return there.length > 0;
    };
    const send = async () => {
      progress.videos = [await ports.marketplace.uploadVideo(shop, listing_id, file)];
    };
    const error = await sendOnce(publishing, send, adopt);
    if (!error) {
      await publishing.save();
      publishing.report('video');
      return {};
    }
    const reason = `The video could not be sent: ${describeFailure(error)}`;
    return {
      warnings: [{ code: 'video_failed', fields: ['videos[0]'], reason: `${reason}.` }],
      missing: { error: reason, marketplace_status: error.status },
    };
  },
};

/** Digital files, in order. A digital listing without its file is no listing: a failure is the shop's error. */
export const filesStep: Step = {
  name: 'files',
  needs: ['create'],
  isNeeded: (plan) => plan.files.length > 0,
  async run(publishing) {
    const { plan, progress, shop, ports } = publishing;
    const listing_id = getListingId(publishing);
    for (const [index, planned] of plan.files.entries()) {
      if (progress.files.length > index) continue;
      const file = await getFile(publishing, planned);
      const adopt = async () => {
        const there = await callRepeatably(publishing, () => ports.marketplace.listFiles(shop, listing_id));
        progress.files = there.sort((a, b) => a.rank - b.rank).slice(0, plan.files.length);
        return progress.files.length > index;
      };
      const send = async () => {
        progress.files.push(await ports.marketplace.uploadFile(shop, listing_id, file, index + 1));
      };
      const error = await sendOnce(publishing, send, adopt);
      if (error)
        throw new StepError(
          `File ${file.filename} could not be sent: ${describeFailure(error)}`,
          error.status,
        );
      await publishing.save();
      publishing.report(`file ${index + 1} of ${plan.files.length}`);
    }
    return {};
  },
};

/**
 * Sends something that must not be there twice: on a lost answer, and first of all after a restart, the listing is read.
 * @returns undefined when it is there, else why it is not
 */
async function sendOnce(
  publishing: Publishing,
  send: () => Promise<void>,
  adopt: () => Promise<boolean>,
): Promise<MarketplaceError | undefined> {
  if (publishing.is_resumed && (await adopt())) return undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await callPatiently(publishing, send);
      return undefined;
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      if (cause.failure === 'reconnect') throw toStepError(cause, 'A file could not be sent');
      if (cause.failure !== 'unknown' && cause.failure !== 'unavailable') return cause;
      if (cause.failure === 'unknown' && (await adopt())) return undefined;
      if (attempt === ATTEMPTS) return cause;
      await publishing.ports.clock.sleep(PAUSE_MS * attempt);
    }
  }
}
