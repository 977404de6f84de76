import type { ListingImage } from '../../../ports/index.js';
import type { SnapshotPart } from '../../../ports/listing/snapshot.js';
import type { PlannedFile } from '../../../ports/listing/target.js';
import { callRepeatably } from '../../engine/attempt.js';
import type { Changing } from '../../engine/context.js';
import { markStale, withVariationImages } from '../../engine/write.js';
import { findMediaId, listMediaIds, listMissing as listMissingMedia } from '../../engine/media_ids.js';

/** The parts that a write of photos may change. */
export function listPhotoParts(changing: Changing): SnapshotPart[] {
  return withVariationImages(changing, ['images', 'listing']);
}

/** Photos as they were last read, with the writes since. */
export function listShown({ fresh }: Changing): ListingImage[] {
  return fresh.images ?? [];
}

export function listIds(changing: Changing): number[] {
  return listShown(changing).map(({ listing_image_id }) => listing_image_id);
}

/** Positions of the target that the listing has no photo for. */
export function listMissing(changing: Changing): number[] {
  return listMissingMedia(changing, 'images');
}

export function listOtherTexts(changing: Changing): { index: number; image: ListingImage }[] {
  return [...(changing.target.images ?? []).entries()].flatMap(([index, { alt_text }]) => {
    const id = findMediaId(changing, 'images', index);
    const image = listShown(changing).find(({ listing_image_id }) => listing_image_id === id);
    return image && image.alt_text !== alt_text ? [{ index, image }] : [];
  });
}

export function listSurplus(changing: Changing): ListingImage[] {
  if (!changing.target.images) return [];
  const wanted = new Set(listMediaIds(changing, 'images'));
  return listShown(changing).filter(({ listing_image_id }) => !wanted.has(listing_image_id));
}

/** The rank behind the last photo that comes before it in the target. */
export function findRank(changing: Changing, index: number): number {
  const ids = listIds(changing);
  const before = [...Array(index).keys()].map((other) =>
    ids.indexOf(findMediaId(changing, 'images', other) ?? 0),
  );
  return Math.max(-1, ...before) + 2;
}

export function insert(images: readonly ListingImage[], image: ListingImage, rank: number): ListingImage[] {
  const others = images.filter(({ listing_image_id }) => listing_image_id !== image.listing_image_id);
  return others.toSpliced(rank - 1, 0, image);
}

/** The bytes of a photo of the target that are kept here; undefined where there are none. */
export function getPlanned({ progress }: Changing, index: number): PlannedFile | undefined {
  const wanted = progress.target?.images?.[index];
  const file = wanted?.file ?? (typeof wanted?.id === 'number' ? progress.kept[wanted.id] : undefined);
  return file && { ...file, alt_text: wanted?.alt_text };
}

export async function readImages(changing: Changing): Promise<ListingImage[]> {
  keepImages(changing, await listThere(changing));
  return listShown(changing);
}

/** The photos that the marketplace shows now, in their order; nothing of them is kept. */
export async function listThere(changing: Changing): Promise<ListingImage[]> {
  const { ports, shop, update } = changing;
  const images = await callRepeatably(changing, () => ports.marketplace.listImages(shop, update.listing_id));
  return images.toSorted((a, b) => a.rank - b.rank);
}

export function keepImages(changing: Changing, images: readonly ListingImage[]): void {
  changing.fresh = { ...changing.fresh, images: [...images] };
  markStale(changing, listPhotoParts(changing));
}
