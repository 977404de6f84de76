import type { ListingImage, MediaIdentity, OpenedBlob } from '../../../ports/index.js';
import { MARKETPLACE_FACTS } from '../../../../../schemas/marketplace_facts.js';
import type { PlannedFile } from '../../../ports/listing/target.js';
import { getFile } from '../../engine/attempt.js';
import type { Context } from '../../engine/context.js';

/** Characteristics of a sent photo. `since_epoch_s`: sent no earlier than this, by the marketplace's clock. */
type SentImage = {
  width: number | null;
  height: number | null;
  since_epoch_s: number;
  alt_text?: string | undefined;
};

/** Times in headers are whole seconds, and the clocks of two marketplace machines may differ a little. */
const CLOCK_TOLERANCE_S = 2;
/** The marketplace rounds the side of a reduced photo up or down. */
const ROUNDING_PX = 2;

/**
 * Whether the image at the position that a photo was sent to is certainly that photo. A proxy that sends a request
 * twice leaves another copy of one of our photos there, and the seller may have added one manually. Mistaking such
 * an image for the photo would leave the photo out.
 * @param before images of the same listing that existed before it was sent
 */
export function recognizeImage(
  image: ListingImage,
  sent: SentImage,
  before: readonly ListingImage[],
): 'ours' | 'not_ours' | 'undecided' | 'unprocessed' {
  const { created_at_epoch_s, listing_image_id, width, height } = image;
  const earliest = Math.max(
    sent.since_epoch_s - CLOCK_TOLERANCE_S,
    ...before.map((other) => other.created_at_epoch_s),
  );
  // An alt text that was not sent with it is the seller's, and none of our photos was made before it was sent.
  const hasOtherText = image.alt_text !== '' && image.alt_text !== sent.alt_text;
  if (hasOtherText || created_at_epoch_s < earliest) return 'not_ours';
  if (width === null || height === null) return 'unprocessed';
  // Within one second, an id below that of an earlier photo suggests a duplicate of that photo.
  const isLater = before.every(
    (other) => created_at_epoch_s > other.created_at_epoch_s || listing_image_id > other.listing_image_id,
  );
  return isLater && isSize({ width, height }, sent) ? 'ours' : 'undecided';
}

/** Whether the size is that of the sent photo or of its reduction, rotated if its file says so. */
function isSize(shown: { width: number; height: number }, { width, height }: SentImage): boolean {
  if (width === null || height === null) return false;
  const factor = Math.min(1, MARKETPLACE_FACTS.full_image_max_side / Math.max(width, height));
  return [1, factor].some((scale) => {
    const [wide, high] = [width * scale, height * scale];
    return (
      (isAlike(shown.width, wide) && isAlike(shown.height, high)) ||
      (isAlike(shown.width, high) && isAlike(shown.height, wide))
    );
  });
}

function isAlike(a: number, b: number): boolean {
  return Math.abs(a - b) <= ROUNDING_PX;
}

/** Describes the photo at a position of the target, to recognize it among those of a listing. */
export async function describeSentImage(
  { ports, journal }: Pick<Context, 'ports' | 'journal'>,
  file: PlannedFile,
  index: number,
): Promise<SentImage> {
  const { open } = await getFile({ ports }, file);
  const kept = await open();
  if (!kept) throw new Error('a kept image went while it was looked at');
  const { width, height } = await identifyKept(ports, kept);
  const since_epoch_s = journal.sending.images === index ? (journal.sending_since?.images ?? 0) : 0;
  return { width, height, since_epoch_s, alt_text: file.alt_text };
}

/** Reading a picture's size needs random access, and so a file. */
async function identifyKept(
  { media }: Pick<Context['ports'], 'media'>,
  { stream, size_bytes }: OpenedBlob,
): Promise<MediaIdentity> {
  const staged = await media.stage(stream, { limit_bytes: size_bytes });
  try {
    return await media.identify(staged.path);
  } finally {
    await media.discard(staged);
  }
}
