import { buildRefusal } from '../requests/refusal.js';
import type { Database } from '../store/database.js';
import type { Listing } from '../store/listings.js';
import { findPicture, hangPictures, listPictures } from '../store/pictures.js';

type HungImage = { listing_image_id: number; alt_text: string };

/** Attaches images of the shop to a listing that has none yet, in this order. */
export function hangImages(db: Database, listing: Listing, image_ids: readonly number[]): void {
  const images = [...new Set(image_ids)].map((listing_image_id) => {
    if (findPicture(db, listing_image_id)?.shop_id !== listing.shop_id) {
      throw buildRefusal(400, `The image ${listing_image_id} does not belong to this shop.`);
    }
    return { listing_image_id, alt_text: '' };
  });
  hangPictures(db, listing.listing_id, images);
}

/**
 * Replaces all images of the listing with these, in this order. Images that the listing does not have must be
 * attached first.
 */
export function replaceImages(db: Database, listing: Listing, image_ids: readonly number[]): void {
  const hanging = listPictures(db, listing.listing_id);
  const images = [...new Set(image_ids)].map((listing_image_id) => {
    const known = hanging.find((picture) => picture.listing_image_id === listing_image_id);
    if (!known) throw buildRefusal(400, `The image ${listing_image_id} does not belong to this listing.`);
    return known;
  });
  hangPictures(db, listing.listing_id, images);
}

/**
 * Places an image at its rank and pushes the rest back, or at the end if the rank is beyond it. With
 * `overwrite` it replaces the image at that rank. So uploads without a rank, which is 1, end up in reverse
 * order.
 */
export function placeImage(
  hanging: readonly HungImage[],
  image: HungImage,
  rank: number,
  shouldOverwrite: boolean,
): HungImage[] {
  const others = hanging.filter((other) => other.listing_image_id !== image.listing_image_id);
  const index = Math.min(Math.max(rank, 1) - 1, others.length);
  return shouldOverwrite ? others.toSpliced(index, 1, image) : others.toSpliced(index, 0, image);
}
