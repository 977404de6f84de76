import { prepareFile } from '../../../uploads/files.js';
import { MAX_FILE_BYTES, MediaError, type ListingImage, type StagedFile } from '../../../ports/index.js';
import type { Context } from '../../engine/context.js';
import { listKnownIds } from '../../engine/media_ids.js';

const DEADLINE_MS = 30_000;

/**
 * Records in the journal which of these photos duplicate photos that this job sent. A proxy that sends a request
 * twice leaves two photos, of which the response names at most one. Compares the bytes, so that a photo the seller
 * added does not count.
 */
export async function recordDuplicates(cx: Context, there: readonly ListingImage[]): Promise<void> {
  const { journal } = cx;
  const known = listKnownIds(cx, 'images');
  const sent = new Set(cx.sent.getIds('images').values());
  const own = there.filter(({ listing_image_id }) => sent.has(listing_image_id));
  for (const image of there) {
    if (known.has(image.listing_image_id)) continue;
    const alike = own.filter(({ alt_text }) => alt_text === image.alt_text);
    if (!(await isOneOf(cx, image, alike))) continue;
    journal.doubles = [...(journal.doubles ?? []), image.listing_image_id];
  }
}

async function isOneOf(cx: Context, image: ListingImage, others: readonly ListingImage[]): Promise<boolean> {
  const sha256 = others.length > 0 ? await readHash(cx, image) : undefined;
  if (sha256 === undefined) return false;
  for (const other of others) if ((await readHash(cx, other)) === sha256) return true;
  return false;
}

/** Undefined if the bytes cannot be fetched. */
async function readHash(cx: Context, image: ListingImage): Promise<string | undefined> {
  const { media } = cx.ports;
  const staged = await fetchPhoto(cx, image);
  if (staged) await media.discard(staged);
  return staged?.sha256;
}

/** Fetches a photo from the marketplace. Returns undefined if that fails. */
async function fetchPhoto(
  { ports: { media }, shop }: Context,
  { url_fullxfull }: ListingImage,
): Promise<StagedFile | undefined> {
  try {
    return await media.fetchFile(url_fullxfull, {
      named_by: 'marketplace',
      owner: shop.account_id,
      limit_bytes: MAX_FILE_BYTES,
      deadline_ms: DEADLINE_MS,
    });
  } catch (cause) {
    if (cause instanceof MediaError) return undefined;
    throw cause;
  }
}

/**
 * Keeps the bytes of photos that are about to be deleted, so that an undo can send them if the marketplace no
 * longer has them.
 */
export async function keepRemoved(cx: Context, images: readonly ListingImage[]): Promise<void> {
  const { change } = cx;
  for (const image of images) {
    if (change.kept[image.listing_image_id]) continue;
    if (await keep(cx, image)) continue;
    change.warnings.push({
      code: 'not_kept',
      level: 'note',
      fields: ['images'],
      reason: { code: 'photo_not_kept', params: { listing_image_id: image.listing_image_id } },
    });
  }
}

/** Returns false if the bytes cannot be fetched, which does not stop the deletion. */
async function keep(cx: Context, image: ListingImage): Promise<boolean> {
  const { change, baseline, ports, shop } = cx;
  const { media, blobs } = ports;
  const { listing_image_id, url_fullxfull: url } = image;
  try {
    const staged = await fetchPhoto(cx, image);
    if (!staged) return false;
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
    await ports.store.uploads.keepFile(shop.account_id, blob.sha256);
    const filename = `photo-${listing_image_id}.${extension}`;
    // The request keeps naming it by the same URL.
    const named = baseline?.sources?.images[listing_image_id] ?? url;
    change.kept[listing_image_id] = { url: named, ...blob, filename, content_type };
    return true;
  } catch (cause) {
    if (cause instanceof MediaError) return false;
    throw cause;
  }
}
