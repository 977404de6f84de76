import type { ListingImage } from '../../ports/marketplace_listing.js';
import { listShownIds } from '../snapshot/shown_ids.js';
import type { Context } from './context.js';
import { listMediaIds } from './media_ids.js';

/**
 * The order in which other hands have put photos since the decision, and the one that the change left them in; undefined where no one
 * else has turned them. Photos that were there before the change and stay there come in the order before or in the target's, whatever is
 * put between them, and whether the list lags. What the change itself has written to a rank may stand anywhere.
 */
export function findTurned(
  cx: Context,
  images: readonly ListingImage[],
): { ours: ListingImage[]; theirs: ListingImage[] } | undefined {
  const known = listShownIds(cx.before, 'images');
  if (!known || !cx.target.images) return undefined;
  const target = listMediaIds(cx, 'images');
  const before = known.filter((id) => cx.progress.attached?.includes(id) !== true);
  const there = images.filter(({ listing_image_id }) => before.includes(listing_image_id));
  const ids = there.map(({ listing_image_id }) => listing_image_id);
  const isLike = (order: readonly number[]) => String(order.filter((id) => ids.includes(id))) === String(ids);
  if (isLike(before) || isLike(target)) return undefined;
  return { ours: putInOrder(there, before), theirs: rank(there) };
}

/** Photos with those that the order names in it, in the places that they hold together; the others stay where they are. */
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
