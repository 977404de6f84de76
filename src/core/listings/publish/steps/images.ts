import type { ListingImage, MarketplaceError } from '../../../ports/index.js';
import type { Warning } from '../../../../../schemas/job.js';
import type { PlannedFile, PublishPlan } from '../plan.js';
import { callRepeatably, describeFailure, getFile } from './attempt.js';
import { recognizeImage } from './recognize_image.js';
import { describeSentImage } from './sent_image.js';
import { finishSending, sendOnce, type Media } from './send_once.js';
import { getListingId, type Publishing, type Step, type StepOutcome } from './step.js';

/** The outcome of the photos, by position in the plan. */
type Outcomes = {
  failed: { index: number; error: MarketplaceError }[];
  /** Photos of the marketplace at a photo's rank that could not be recognised as this one or another one. */
  undecided: Map<number, ListingImage>;
};

/** One image after the other, in rank order: the marketplace scrambles parallel uploads. */
export const imagesStep: Step = {
  name: 'images',
  needs: ['create'],
  isNeeded: (plan) => plan.images.length > 0,
  countReports: (plan) => plan.images.length,
  countCalls: (plan) => plan.images.length,
  onPlanned: ({ schedule }) => schedule.begin(),
  async run(publishing) {
    const { plan } = publishing;
    const outcomes: Outcomes = { failed: [], undecided: new Map() };
    const media = buildMedia(publishing, outcomes);
    await finishSending(publishing, media, [...plan.images.keys()]);
    for (const index of plan.images.keys()) {
      if (media.has(index)) continue;
      const error = await sendOnce(publishing, media, index);
      if (error) outcomes.failed.push({ index, error });
      else publishing.report(`image ${index + 1} of ${plan.images.length}`);
    }
    return toOutcome(plan, outcomes);
  },
  // An error that is not the shop's (such as a lost claim) ends the writes that wait as well.
  onEnded: ({ schedule }, cause) => schedule.end(cause),
};

function buildMedia(publishing: Publishing, { undecided }: Outcomes): Media {
  const { progress, ports, shop, schedule } = publishing;
  return {
    kind: 'images',
    has: (index) => progress.images[index] !== undefined,
    async send(index, options) {
      const file = await getImageFile(publishing, index);
      const rank = 1 + listBefore(publishing, index).length;
      const { alt_text } = getPlanned(publishing, index);
      const place = { rank, alt_text };
      const sent = ports.marketplace.uploadImage(shop, getListingId(publishing), file, place, options);
      schedule.reach(index);
      progress.images[index] = await sent;
    },
    async find(indexes) {
      const there = await callRepeatably(publishing, () =>
        ports.marketplace.listImages(shop, getListingId(publishing)),
      );
      there.sort((a, b) => a.rank - b.rank);
      let is_processed = true;
      for (const index of indexes) {
        const before = listBefore(publishing, index);
        const image = there[before.length];
        if (!image || isKnown(publishing, image)) continue;
        const verdict = recognizeImage(image, await describeSent(publishing, index), before);
        if (verdict === 'ours') progress.images[index] = image;
        if (verdict === 'unprocessed') is_processed = false;
        if (verdict === 'unprocessed' || verdict === 'undecided') undecided.set(index, image);
        else undecided.delete(index);
      }
      return is_processed ? 'complete' : 'unprocessed';
    },
  };
}

/** The photos of earlier positions in the plan that the listing has. */
function listBefore({ progress }: Publishing, index: number): ListingImage[] {
  return Object.entries(progress.images)
    .filter(([position]) => Number(position) < index)
    .map(([, image]) => image);
}

function isKnown({ progress }: Publishing, { listing_image_id }: ListingImage): boolean {
  return Object.values(progress.images).some((known) => known.listing_image_id === listing_image_id);
}

async function describeSent(publishing: Publishing, index: number) {
  const { progress } = publishing;
  const since_epoch_s = progress.sending.images === index ? (progress.sending_since?.images ?? 0) : 0;
  return describeSentImage(publishing, getPlanned(publishing, index), since_epoch_s);
}

function getImageFile(publishing: Publishing, index: number) {
  return getFile(publishing, getPlanned(publishing, index));
}

function getPlanned({ plan }: Publishing, index: number): PlannedFile {
  const planned = plan.images[index];
  if (!planned) throw new Error('no such image in the plan');
  return planned;
}

function toOutcome({ images }: PublishPlan, { failed, undecided }: Outcomes): StepOutcome {
  const toPath = (index: number): string => images[index]?.path ?? `images[${index}]`;
  const warnings: Warning[] = [
    ...failed.map(({ index, error }) => ({
      code: 'image_failed',
      fields: [toPath(index)],
      reason: `${describeUnsent(index, error)}.`,
    })),
    ...[...undecided].map(([index, { listing_image_id }]) => ({
      code: 'image_undecided',
      fields: [toPath(index)],
      reason: `It could not be told whether the listing's image ${listing_image_id} is image ${index + 1} or another one; it was not taken for it, and was left as it is.`,
    })),
  ];
  const [first] = failed;
  if (!first) return { warnings };
  const error = describeUnsent(first.index, first.error);
  return { warnings, missing: { error, marketplace_status: first.error.status } };
}

function describeUnsent(index: number, error: Parameters<typeof describeFailure>[0]): string {
  return `Image ${index + 1} could not be sent: ${describeFailure(error)}`;
}
