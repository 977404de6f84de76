import { MarketplaceError, type ListingVideo } from '../../../../ports/index.js';
import { MARKETPLACE_FACTS } from '../../../../../../schemas/marketplace_facts.js';
import { callRepeatably, describeFailure, getFile } from '../../../publish/steps/attempt.js';
import { finishSending, sendOnce, type Media } from '../../../publish/steps/send_once.js';
import { StepError } from '../../../publish/steps/step.js';
import { getTarget, writeOnce, type Changing, type ChangeStep } from '../changing.js';
import { findMediaId, listKnownIds, listMediaIds } from './media_ids.js';

const MOST = MARKETPLACE_FACTS.videos_per_listing;

/** Videos have no order. A deleted one can be attached again. */
export const videosStep: ChangeStep = {
  name: 'videos',
  isNeeded: (changing) => listMissing(changing).length > 0 || listSurplus(changing).length > 0,
  async takeUp(changing) {
    const missing = listMissing(changing).filter((index) => getTarget(changing).videos?.[index]?.file);
    await finishSending(changing, buildMedia(changing), missing);
  },
  async run(changing) {
    for (const index of listMissing(changing)) {
      const [surplus] = listSurplus(changing);
      if (surplus && listShown(changing).length >= MOST) await takeAway(changing, surplus);
      await add(changing, index);
    }
    for (const video of listSurplus(changing)) await takeAway(changing, video);
  },
};

function listShown({ fresh }: Changing): ListingVideo[] {
  return fresh.videos ?? [];
}

function listMissing(changing: Changing): number[] {
  const ids = new Set(listShown(changing).map(({ video_id }) => video_id));
  return [...(getTarget(changing).videos ?? []).keys()].filter(
    (index) => !ids.has(findMediaId(changing, 'videos', index) ?? 0),
  );
}

function listSurplus(changing: Changing): ListingVideo[] {
  if (!getTarget(changing).videos) return [];
  const wanted = new Set(listMediaIds(changing, 'videos'));
  return listShown(changing).filter(({ video_id }) => !wanted.has(video_id));
}

async function takeAway(changing: Changing, { video_id }: ListingVideo): Promise<void> {
  const { ports, shop, update } = changing;
  await writeOnce(
    changing,
    ['videos', 'listing'],
    (options) => ports.marketplace.deleteVideo(shop, update.listing_id, video_id, options),
    async () => !(await readVideos(changing)).some((other) => other.video_id === video_id),
  );
  keepVideos(
    changing,
    listShown(changing).filter((other) => other.video_id !== video_id),
  );
  changing.report('video removed');
}

async function add(changing: Changing, index: number): Promise<void> {
  const video_id = findMediaId(changing, 'videos', index);
  if (video_id !== null && (await tryAttach(changing, index, video_id))) {
    changing.report('video');
    return;
  }
  const error = await sendOnce(changing, buildMedia(changing), index);
  if (error) {
    const why = describeFailure(error, changing.again);
    throw new StepError(`The video could not be sent: ${why}`, error.status);
  }
  changing.report('video');
}

async function tryAttach(changing: Changing, index: number, video_id: number): Promise<boolean> {
  const { ports, shop, update } = changing;
  try {
    const video = await writeOnce(
      changing,
      ['videos', 'listing'],
      (options) => ports.marketplace.attachVideo(shop, update.listing_id, video_id, options),
      async () => (await readVideos(changing)).some((other) => other.video_id === video_id),
    );
    if (video) keepVideos(changing, [...listShown(changing), video]);
    return true;
  } catch (cause) {
    const isGone = cause instanceof MarketplaceError && ['refused', 'not_found'].includes(cause.failure);
    if (!isGone || !getTarget(changing).videos?.[index]?.file) throw cause;
    return false;
  }
}

function buildMedia(changing: Changing): Media {
  const { progress, ports, shop, update } = changing;
  return {
    kind: 'videos',
    has: (index) => !listMissing(changing).includes(index),
    async send(index, options) {
      const planned = getTarget(changing).videos?.[index]?.file;
      if (!planned)
        throw new StepError('The video is no longer in the shop, and its bytes are not kept here', null);
      const file = await getFile(changing, planned);
      const video = await ports.marketplace.uploadVideo(shop, update.listing_id, file, options);
      progress.sent.videos[index] = video.video_id;
      keepVideos(changing, [...listShown(changing), video]);
    },
    // Nothing in the answer tells videos apart: the one with an unknown id is the one that was sent.
    async find(indexes) {
      await readVideos(changing);
      for (const index of indexes) {
        const known = listKnownIds(changing, 'videos');
        const found = listShown(changing).find(({ video_id }) => !known.has(video_id));
        if (found) progress.sent.videos[index] = found.video_id;
      }
      return 'complete';
    },
  };
}

async function readVideos(changing: Changing): Promise<ListingVideo[]> {
  const { ports, shop, update } = changing;
  const videos = await callRepeatably(changing, () => ports.marketplace.listVideos(shop, update.listing_id));
  keepVideos(changing, videos);
  return videos;
}

function keepVideos(changing: Changing, videos: ListingVideo[]): void {
  changing.fresh = { ...changing.fresh, videos };
  changing.stale.add('videos').add('listing');
}
