import { MAX_FILE_BYTES, MediaError, type ListingImage } from '../../../../ports/index.js';
import type { Changing } from '../changing.js';
import { listKnownIds } from './media_ids.js';

const DEADLINE_MS = 30_000;

/**
 * Keeps in `progress` which of these photos are doubles of photos that this change has sent: a proxy that sends a request twice leaves
 * two, of which one answer tells at most. That they are the same is told by their bytes, so that a photo of the seller's own is none.
 */
export async function noteDoubles(changing: Changing, there: readonly ListingImage[]): Promise<void> {
  const { progress } = changing;
  const known = listKnownIds(changing, 'images');
  const sent = new Set(Object.values(progress.sent.images));
  const own = there.filter(({ listing_image_id }) => sent.has(listing_image_id));
  for (const image of there) {
    if (known.has(image.listing_image_id)) continue;
    const alike = own.filter(({ alt_text }) => alt_text === image.alt_text);
    if (!(await isOneOf(changing, image, alike))) continue;
    progress.doubles = [...(progress.doubles ?? []), image.listing_image_id];
  }
}

async function isOneOf(
  changing: Changing,
  image: ListingImage,
  others: readonly ListingImage[],
): Promise<boolean> {
  const sha256 = others.length > 0 ? await readHash(changing, image) : undefined;
  if (sha256 === undefined) return false;
  for (const other of others) if ((await readHash(changing, other)) === sha256) return true;
  return false;
}

/** Undefined where its bytes cannot be fetched. */
async function readHash(
  { ports: { media }, shop }: Changing,
  { url_fullxfull }: ListingImage,
): Promise<string | undefined> {
  try {
    const staged = await media.fetchFile(url_fullxfull, {
      named_by: 'marketplace',
      owner: shop.account_id,
      limit_bytes: MAX_FILE_BYTES,
      deadline_ms: DEADLINE_MS,
    });
    await media.discard(staged);
    return staged.sha256;
  } catch (cause) {
    if (cause instanceof MediaError) return undefined;
    throw cause;
  }
}
