import { callRepeatably, describeFailure, getFile } from './attempt.js';
import { finishSending, sendOnce, type Media } from './send_once.js';
import { getListingId, StepError, type Publishing, type Step } from './step.js';

/** The video. A listing has one at most. */
export const videosStep: Step = {
  name: 'videos',
  needs: ['create'],
  isNeeded: (plan) => plan.videos.length > 0,
  async run(publishing) {
    const { progress } = publishing;
    const media = buildVideo(publishing);
    await finishSending(publishing, media);
    if (progress.videos.length > 0) return {};
    const error = await sendOnce(publishing, media, 0);
    if (!error) {
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
    const { plan, progress } = publishing;
    const media = buildFiles(publishing);
    await finishSending(publishing, media);
    for (const [index, { filename }] of plan.files.entries()) {
      if (progress.files.length > index) continue;
      const error = await sendOnce(publishing, media, index);
      if (error)
        throw new StepError(`File ${filename} could not be sent: ${describeFailure(error)}`, error.status);
      publishing.report(`file ${index + 1} of ${plan.files.length}`);
    }
    return {};
  },
};

function buildVideo(publishing: Publishing): Media {
  const { plan, progress, shop, ports } = publishing;
  return {
    kind: 'videos',
    async send() {
      const [planned] = plan.videos;
      if (!planned) throw new Error('no video in the plan');
      const file = await getFile(publishing, planned);
      progress.videos = [await ports.marketplace.uploadVideo(shop, getListingId(publishing), file)];
    },
    async adopt() {
      const there = await callRepeatably(publishing, () =>
        ports.marketplace.listVideos(shop, getListingId(publishing)),
      );
      progress.videos = there.slice(0, 1);
      return there.length > 0;
    },
  };
}

function buildFiles(publishing: Publishing): Media {
  const { plan, progress, shop, ports } = publishing;
  return {
    kind: 'files',
    async send(index) {
      const planned = plan.files[index];
      if (!planned) throw new Error('no such file in the plan');
      const file = await getFile(publishing, planned);
      progress.files.push(
        await ports.marketplace.uploadFile(shop, getListingId(publishing), file, index + 1),
      );
    },
    async adopt(index) {
      const there = await callRepeatably(publishing, () =>
        ports.marketplace.listFiles(shop, getListingId(publishing)),
      );
      progress.files = there.sort((a, b) => a.rank - b.rank).slice(0, plan.files.length);
      return progress.files.length > index;
    },
  };
}
