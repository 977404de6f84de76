import type { MarketplaceError } from '../../ports/index.js';
import type { Warning } from '../../../../schemas/job.js';
import type { PublishPlan } from '../plan.js';
import { callRepeatably, describeFailure, getFile } from './attempt.js';
import { finishSending, sendOnce, type Media } from './send_once.js';
import { getListingId, type Publishing, type Step, type StepOutcome } from './step.js';

/** One image after the other, in rank order: the marketplace scrambles parallel uploads. */
export const imagesStep: Step = {
  name: 'images',
  needs: ['create'],
  isNeeded: (plan) => plan.images.length > 0,
  async run(publishing) {
    const { plan, progress } = publishing;
    const failed: { index: number; error: MarketplaceError }[] = [];
    const media = buildMedia(publishing);
    await finishSending(publishing, media);
    for (const [index] of plan.images.entries()) {
      if (progress.images[index]) continue;
      const error = await sendOnce(publishing, media, index);
      if (error) failed.push({ index, error });
      else publishing.report(`image ${index + 1} of ${plan.images.length}`);
    }
    return toOutcome(plan, failed);
  },
};

function buildMedia(publishing: Publishing): Media {
  const { plan, progress, ports, shop, turns } = publishing;
  return {
    kind: 'images',
    async send(index) {
      const planned = plan.images[index];
      if (!planned) throw new Error('no such image in the plan');
      const file = await getFile(publishing, planned);
      const rank = 1 + Object.keys(progress.images).filter((position) => Number(position) < index).length;
      const sent = ports.marketplace.uploadImage(shop, getListingId(publishing), file, rank);
      turns.reach(index);
      progress.images[index] = await sent;
    },
    async adopt(index) {
      const there = await callRepeatably(publishing, () =>
        ports.marketplace.listImages(shop, getListingId(publishing)),
      );
      const known = new Set(Object.values(progress.images).map(({ listing_image_id }) => listing_image_id));
      const lost = there.find(({ listing_image_id }) => !known.has(listing_image_id));
      if (lost) progress.images[index] = lost;
      return lost !== undefined;
    },
  };
}

function toOutcome(
  { images }: PublishPlan,
  failed: readonly { index: number; error: MarketplaceError }[],
): StepOutcome {
  const [first] = failed;
  if (!first) return {};
  const warnings: Warning[] = failed.map(({ index, error }) => ({
    code: 'image_failed',
    fields: [images[index]?.path ?? `images[${index}]`],
    reason: `Image ${index + 1}: ${describeFailure(error)}.`,
  }));
  const error = `Image ${first.index + 1} could not be sent: ${describeFailure(first.error)}`;
  return { warnings, missing: { error, marketplace_status: first.error.status } };
}
