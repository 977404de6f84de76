import type { ListingImage } from '../../../ports/index.js';
import type { SnapshotPart } from '../../../ports/listing/snapshot.js';
import type { PlannedFile } from '../../../ports/listing/target.js';
import { callRepeatably } from '../../engine/attempt.js';
import { getListingId, type Context } from '../../engine/context.js';
import { keepKnown, markStale, withVariationImages } from '../../engine/write.js';
import { findMediaId, listMediaIds, listShown } from '../../engine/media_ids.js';
import { listShownIds } from '../../snapshot/shown_ids.js';

/** The parts that a write of photos may change. */
export function listPhotoParts(cx: Context): SnapshotPart[] {
  return withVariationImages(cx, ['images', 'listing']);
}

export function listOtherTexts(cx: Context): { index: number; image: ListingImage }[] {
  return [...(cx.target.images ?? []).entries()].flatMap(([index, { alt_text }]) => {
    const id = findMediaId(cx, 'images', index);
    const image = listShown(cx, 'images').find(({ listing_image_id }) => listing_image_id === id);
    return image && image.alt_text !== alt_text ? [{ index, image }] : [];
  });
}

/**
 * The rank after the last photo that precedes it in the target. If the photos of a listing were not read, the sent
 * ones count.
 */
export function findRank(cx: Context, index: number): number {
  const ids = listShownIds(cx.fresh, 'images') ?? listMediaIds(cx, 'images');
  const before = [...Array(index).keys()].map((other) => ids.indexOf(findMediaId(cx, 'images', other) ?? 0));
  return Math.max(-1, ...before) + 2;
}

/** The stored bytes of a photo of the target, if any. */
export function findPlanned({ change, target }: Context, index: number): PlannedFile | undefined {
  const wanted = target.images?.[index];
  const file = wanted?.file ?? (typeof wanted?.id === 'number' ? change.kept[wanted.id] : undefined);
  return file && { ...file, alt_text: wanted?.alt_text || undefined };
}

export async function readImages(cx: Context): Promise<ListingImage[]> {
  const there = await listThere(cx);
  keepImages(cx, there);
  return there;
}

/** The photos the marketplace shows now, in order. Does not keep them in `fresh`. */
export async function listThere(cx: Context): Promise<ListingImage[]> {
  const { ports, shop } = cx;
  const images = await callRepeatably(cx, () => ports.marketplace.listImages(shop, getListingId(cx)));
  return images.toSorted((a, b) => a.rank - b.rank);
}

export function keepImages(cx: Context, images: readonly ListingImage[]): void {
  keepKnown(cx, { images: [...images] });
  markStale(cx, listPhotoParts(cx));
}
