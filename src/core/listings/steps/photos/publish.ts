import type { ListingImage, MarketplaceError } from '../../../ports/index.js';
import type { Warning } from '../../../../../schemas/job.js';
import type { PlannedFile } from '../../../ports/listing/target.js';
import { callRepeatably, getFile } from '../../engine/attempt.js';
import { toPhotoNotSent } from '../../engine/failures.js';
import { recognizeImage, describeSentImage } from './recognize.js';
import { finishSending, sendOnce, type Media } from '../../engine/send_once.js';
import { type Publishing, getListingId } from '../../engine/context.js';
import type { PublishStep, StepOutcome } from '../../engine/step.js';

/** The outcome of the photos, by position in the plan. */
type Outcomes = {
  failed: { index: number; error: MarketplaceError }[];
  /** Photos of the marketplace at a photo's rank that could not be recognised as this one or another one. */
  undecided: Map<number, ListingImage>;
};

/** One image after the other, in rank order: the marketplace scrambles parallel uploads. */
export const publishImagesStep: PublishStep = {
  name: 'images',
  needs: ['create'],
  part: 'images',
  countReports: ({ images = [] }) => images.length,
  countCalls: ({ images = [] }) => images.length,
  onPlanned: ({ schedule }) => schedule.begin(),
  async run(publishing) {
    const { images = [] } = publishing.target;
    const outcomes: Outcomes = { failed: [], undecided: new Map() };
    const media = buildMedia(publishing, outcomes);
    await finishSending(publishing, media, [...images.keys()]);
    for (const index of images.keys()) {
      if (media.has(index)) continue;
      const error = await sendOnce(publishing, media, index);
      if (error) outcomes.failed.push({ index, error });
      else publishing.report(`image ${index + 1} of ${images.length}`);
    }
    return toOutcome(publishing, outcomes);
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
      const planned = getPlanned(publishing, index);
      const file = await getFile(publishing, planned);
      const rank = 1 + listBefore(publishing, index).length;
      const place = { rank, alt_text: planned.alt_text };
      const sent = ports.marketplace.uploadImage(shop, getListingId(publishing), file, place, options);
      schedule.reach(index);
      progress.images[index] = await sent;
    },
    async find(indexes) {
      const there = await callRepeatably(publishing, () =>
        ports.marketplace.listImages(shop, getListingId(publishing)),
      );
      there.sort((a, b) => a.rank - b.rank);
      let isProcessed = true;
      for (const index of indexes) {
        const before = listBefore(publishing, index);
        const image = there[before.length];
        if (!image || isKnown(publishing, image)) continue;
        const verdict = recognizeImage(
          image,
          await describeSentImage(publishing, getPlanned(publishing, index), index),
          before,
        );
        if (verdict === 'ours') progress.images[index] = image;
        if (verdict === 'unprocessed') isProcessed = false;
        if (verdict === 'unprocessed' || verdict === 'undecided') undecided.set(index, image);
        else undecided.delete(index);
      }
      return isProcessed ? 'complete' : 'unprocessed';
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

function getPlanned({ target }: Publishing, index: number): PlannedFile {
  const planned = target.images?.[index]?.file;
  if (!planned) throw new Error('no such image in the plan');
  return planned;
}

function toOutcome(publishing: Publishing, { failed, undecided }: Outcomes): StepOutcome {
  const toPath = (index: number): string => getPlanned(publishing, index).path ?? `images[${index}]`;
  const warnings: Warning[] = [
    ...failed.map(({ index, error }) => ({
      code: 'image_failed' as const,
      fields: [toPath(index)],
      reason: toPhotoNotSent(index, error),
    })),
    ...[...undecided].map(([index, { listing_image_id }]) => ({
      code: 'image_undecided' as const,
      fields: [toPath(index)],
      reason: { code: 'photo_undecided' as const, params: { index, listing_image_id } },
    })),
  ];
  const [first] = failed;
  if (!first) return { warnings };
  const error = toPhotoNotSent(first.index, first.error);
  return { warnings, missing: { error, marketplace_status: first.error.status } };
}
