import { quoteName } from '../../../errors.js';
import { callRepeatably, describeFailure, getFile } from './attempt.js';
import { finishSending, sendOnce, type Media } from './send_once.js';
import { getListingId, StepError, type Publishing, type Step } from './step.js';

/** The video. A listing has one at most. */
export const videosStep: Step = {
  name: 'videos',
  needs: ['create'],
  isNeeded: (plan) => plan.videos.length > 0,
  async run(publishing) {
    const media = buildVideo(publishing);
    await finishSending(publishing, media, [0]);
    if (media.has(0)) return {};
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
  countReports: (plan) => plan.files.length,
  countCalls: (plan) => plan.files.length,
  async run(publishing) {
    const { plan } = publishing;
    const media = buildFiles(publishing);
    await finishSending(publishing, media, [...plan.files.keys()]);
    for (const [index, { filename }] of plan.files.entries()) {
      if (media.has(index)) continue;
      const error = await sendOnce(publishing, media, index);
      if (error)
        throw new StepError(
          `File ${quoteName(filename)} could not be sent: ${describeFailure(error)}`,
          error.status,
        );
      publishing.report(`file ${index + 1} of ${plan.files.length}`);
    }
    return {};
  },
};

function buildVideo(publishing: Publishing): Media {
  const { plan, progress, shop, ports } = publishing;
  return {
    kind: 'videos',
    has: () => progress.videos.length > 0,
    async send(_index, options) {
      const [planned] = plan.videos;
      if (!planned) throw new Error('no video in the plan');
      const file = await getFile(publishing, planned);
      const video = await ports.marketplace.uploadVideo(shop, getListingId(publishing), file, options);
      progress.videos = [video];
    },
    // Nothing in the answer tells one video from another; on a listing of ours, that which no answer told of is the one sent.
    async find() {
      const there = await callRepeatably(publishing, () =>
        ports.marketplace.listVideos(shop, getListingId(publishing)),
      );
      progress.videos = there.slice(0, 1);
      return 'complete';
    },
  };
}

function buildFiles(publishing: Publishing): Media {
  const { plan, progress, shop, ports } = publishing;
  return {
    kind: 'files',
    has: (index) => progress.files[index] !== undefined,
    async send(index, options) {
      const planned = plan.files[index];
      if (!planned) throw new Error('no such file in the plan');
      const file = await getFile(publishing, planned);
      progress.files[index] = await ports.marketplace.uploadFile(
        shop,
        getListingId(publishing),
        file,
        index + 1,
        options,
      );
    },
    async find(indexes) {
      const there = await callRepeatably(publishing, () =>
        ports.marketplace.listFiles(shop, getListingId(publishing)),
      );
      there.sort((a, b) => a.rank - b.rank);
      for (const index of indexes) {
        const planned = plan.files[index];
        const known = new Set(Object.values(progress.files).map(({ listing_file_id }) => listing_file_id));
        const found = there.find(
          ({ listing_file_id, filename, size_bytes }) =>
            !known.has(listing_file_id) &&
            filename === planned?.filename &&
            size_bytes === planned.size_bytes,
        );
        if (found) progress.files[index] = found;
      }
      return 'complete';
    },
  };
}
