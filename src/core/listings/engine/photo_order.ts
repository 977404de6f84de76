import type { ListingImage } from '../../ports/marketplace_listing.js';
import { listShownIds } from '../snapshot/shown_ids.js';
import type { Context } from './context.js';
import { listMediaIds } from './media_ids.js';

/**
 * The order that others gave the photos since the decision, and the order the update left; undefined if no one else
 * reordered them. Photos that were there before the update and remain appear in the order before or in the order of
 * the target, whatever is inserted between them and whether or not the list lags. Photos that the update itself
 * wrote to a rank may appear anywhere.
 */
export function findTurned(
  cx: Context,
  images: readonly ListingImage[],
): { ours: ListingImage[]; theirs: ListingImage[] } | undefined {
  const known = listShownIds(cx.before, 'images');
  if (!known || !cx.target.images) return undefined;
  const target = listMediaIds(cx, 'images');
  const before = known.filter((id) => cx.journal.attached?.includes(id) !== true);
  const there = images.filter(({ listing_image_id }) => before.includes(listing_image_id));
  const ids = there.map(({ listing_image_id }) => listing_image_id);
  const isLike = (order: readonly number[]) => String(order.filter((id) => ids.includes(id))) === String(ids);
  if (isLike(before) || isLike(target)) return undefined;
  return { ours: putInOrder(there, before), theirs: rank(there) };
}

/** Sorts the photos that `order` names, within the positions they hold together; the others stay in place. */
export function putInOrder(images: readonly ListingImage[], order: readonly number[]): ListingImage[] {
  const named = images.filter(({ listing_image_id }) => order.includes(listing_image_id));
  const sorted = named
    .toSorted((a, b) => order.indexOf(a.listing_image_id) - order.indexOf(b.listing_image_id))
    .values();
  return rank(images.map((image) => (named.includes(image) ? (sorted.next().value ?? image) : image)));
}

function rank(images: readonly ListingImage[]): ListingImage[] {
  return images.map((image, index) => ({ ...image, rank: index + 1 }));
}
