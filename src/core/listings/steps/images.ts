import { MarketplaceError, type ListingImage } from '../../ports/index.js';
import type { Warning } from '../../../../schemas/job.js';
import { callPatiently, callRepeatably, describeFailure, getFile, toStepError } from './attempt.js';
import { getListingId, type Publishing, type Step, type StepOutcome } from './step.js';

const ATTEMPTS = 3;
const PAUSE_MS = 500;

/**
 * One image after the other, in rank order: the marketplace scrambles parallel uploads. An upload is not repeatable, so
 * after a lost answer the listing's images are read, and what is there already is taken as sent.
 */
export const imagesStep: Step = {
  name: 'images',
  needs: ['create'],
  isNeeded: (plan) => plan.images.length > 0,
  async run(publishing) {
    const { plan, progress } = publishing;
    const failed: { index: number; error: MarketplaceError }[] = [];
    if (publishing.is_resumed) await adoptUnknown(publishing);
    for (const [index] of plan.images.entries()) {
      if (progress.images[index]) continue;
      const error = await upload(publishing, index);
      if (error) failed.push({ index, error });
      else publishing.report(`image ${index + 1} of ${plan.images.length}`);
    }
    return toOutcome(failed);
  },
};

/** Undefined when the image is there; the error when the marketplace would not have it. */
async function upload(publishing: Publishing, index: number): Promise<MarketplaceError | undefined> {
  const { plan, progress, ports, shop } = publishing;
  const planned = plan.images[index];
  if (!planned) throw new Error('no such image in the plan');
  const file = await getFile(publishing, planned);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const rank = 1 + Object.keys(progress.images).filter((position) => Number(position) < index).length;
      const image = await callPatiently(publishing, () =>
        ports.marketplace.uploadImage(shop, getListingId(publishing), file, rank),
      );
      await keep(publishing, index, image);
      return undefined;
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      if (cause.failure === 'reconnect') throw toStepError(cause, `Image ${index + 1} could not be sent`);
      if (cause.failure !== 'unknown' && cause.failure !== 'unavailable') return cause;
      if (cause.failure === 'unknown') await adoptUnknown(publishing);
      if (progress.images[index]) return undefined;
      if (attempt === ATTEMPTS) return cause;
      await ports.clock.sleep(PAUSE_MS * attempt);
    }
  }
}

/** Images on the listing that no answer told us of are the next ones we sent, in their order. */
async function adoptUnknown(publishing: Publishing): Promise<void> {
  const { plan, progress, ports, shop } = publishing;
  const there = await callRepeatably(publishing, () =>
    ports.marketplace.listImages(shop, getListingId(publishing)),
  );
  const known = new Set(Object.values(progress.images).map(({ listing_image_id }) => listing_image_id));
  const unknown = there
    .filter(({ listing_image_id }) => !known.has(listing_image_id))
    .sort((a, b) => a.rank - b.rank);
  const open = plan.images.map((_, index) => index).filter((index) => !progress.images[index]);
  for (const [position, image] of unknown.entries()) {
    const index = open[position];
    if (index === undefined) return;
    await keep(publishing, index, image);
    publishing.report(`image ${index + 1} of ${plan.images.length}`);
  }
}

async function keep(publishing: Publishing, index: number, image: ListingImage): Promise<void> {
  publishing.progress.images[index] = image;
  await publishing.save();
}

function toOutcome(failed: readonly { index: number; error: MarketplaceError }[]): StepOutcome {
  const [first] = failed;
  if (!first) return {};
  const warnings: Warning[] = failed.map(({ index, error }) => ({
    code: 'image_failed',
    fields: [`images[${index}]`],
    reason: `Image ${index + 1}: ${describeFailure(error)}.`,
  }));
  const error = `Image ${first.index + 1} could not be sent: ${describeFailure(first.error)}`;
  return { warnings, missing: { error, marketplace_status: first.error.status } };
}
