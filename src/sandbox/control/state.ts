import {
  listFiles,
  listProperties,
  listQuestions,
  listTranslations,
  listVariationImages,
  listVideos,
} from '../store/attachments.js';
import type { Database } from '../store/database.js';
import { listFees } from '../store/fees.js';
import { findVariationValue } from '../store/inventory.js';
import { listAddedListings } from '../store/listings.js';
import type { Listing } from '../store/listings.js';
import { findBytes, listPictures } from '../store/pictures.js';

/** Everything that was made since the seed, for assertions: raw text, amounts in hundredths, times in milliseconds. */
export function describeState(db: Database, shop_id: number | undefined): Record<string, unknown> {
  return {
    listings: listAddedListings(db, shop_id).map((listing) => describeListingState(db, listing)),
    fees: listFees(db).filter((fee) => shop_id === undefined || fee.shop_id === shop_id),
    calls: Object.fromEntries(
      db
        .list<{ operation: string; calls: number }>('SELECT * FROM operation_calls ORDER BY operation')
        .map((row) => [row.operation, row.calls]),
    ),
  };
}

function describeListingState(db: Database, listing: Listing): Record<string, unknown> {
  const { listing_id } = listing;
  const sizeOf = (sha256: string | null): number | null =>
    sha256 === null ? null : (findBytes(db, sha256)?.size_bytes ?? null);
  return {
    ...listing,
    images: listPictures(db, listing_id).map((picture) => ({
      ...picture,
      size_bytes: sizeOf(picture.sha256),
    })),
    properties: listProperties(db, listing_id),
    videos: listVideos(db, listing_id).map((video) => ({ ...video, size_bytes: sizeOf(video.sha256) })),
    files: listFiles(db, listing_id),
    variation_images: listVariationImages(db, listing_id).map((image) => ({
      ...image,
      value: findVariationValue(listing.inventory, image.property_id, image.value_id) ?? null,
    })),
    personalization: listQuestions(db, listing_id),
    translations: listTranslations(db, listing_id),
  };
}
