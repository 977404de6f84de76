import { prepareFile } from '../../../../uploads/files.js';
import { MAX_FILE_BYTES, MediaError, type ListingImage } from '../../../../ports/index.js';
import type { Changing } from '../changing.js';

const DEADLINE_MS = 30_000;

/** Keeps the bytes of photos that are about to be deleted, so that an undo can send them where the marketplace has them no longer. */
export async function keepRemoved(changing: Changing, images: readonly ListingImage[]): Promise<void> {
  const { progress } = changing;
  for (const image of images) {
    if (progress.kept[image.listing_image_id]) continue;
    if (await keep(changing, image)) continue;
    progress.warnings.push({
      code: 'not_kept',
      level: 'note',
      fields: ['images'],
      reason: `No copy of the photo ${image.listing_image_id} could be kept; an undo brings it back for as long as the marketplace has it.`,
    });
  }
}

/** False where the bytes cannot be fetched, which does not stop the deletion. */
async function keep(
  { progress, baseline, ports: { media, blobs }, shop, keepFile }: Changing,
  { listing_image_id, url_fullxfull: url }: ListingImage,
): Promise<boolean> {
  try {
    const staged = await media.fetchFile(url, {
      named_by: 'marketplace',
      owner: shop.account_id,
      limit_bytes: MAX_FILE_BYTES,
      deadline_ms: DEADLINE_MS,
    });
    const prepared = await prepareFile(media, staged, {
      slot: 'image',
      filename: `photo-${listing_image_id}`,
      owner: shop.account_id,
    });
    if (!prepared.ok) {
      await media.discard(staged);
      return false;
    }
    const { content_type, extension, staged: fit } = prepared.file;
    const blob = await blobs.put(fit);
    await keepFile(blob.sha256);
    const filename = `photo-${listing_image_id}.${extension}`;
    // The request goes on naming it by the same url.
    const named = baseline?.sources?.images[listing_image_id] ?? url;
    progress.kept[listing_image_id] = { url: named, ...blob, filename, content_type };
    return true;
  } catch (cause) {
    if (cause instanceof MediaError) return false;
    throw cause;
  }
}
