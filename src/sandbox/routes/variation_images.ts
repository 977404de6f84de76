import { toList } from '../requests/call.js';
import type { Call, Route } from '../requests/call.js';
import { INVENTED, VERBATIM_WITH } from '../requests/messages.js';
import { getListing, getOwnListing } from '../requests/ownership.js';
import { buildRefusal } from '../requests/refusal.js';
import { listVariationImages, saveVariationImages } from '../store/attachments.js';
import type { VariationImage } from '../store/attachments.js';
import { findVariationValue } from '../store/inventory.js';
import { touchListing } from '../store/listings.js';
import type { Listing } from '../store/listings.js';
import { listPictures } from '../store/pictures.js';

const PATH = '/shops/:shop_id/listings/:listing_id/variation-images';

export const VARIATION_IMAGE_ROUTES: readonly Route[] = [
  {
    operation: 'getListingVariationImages',
    method: 'GET',
    path: PATH,
    scopes: [],
    run: (call) => describe(call, getListing(call)),
  },
  {
    operation: 'updateVariationImages',
    method: 'POST',
    path: PATH,
    scopes: ['listings_w'],
    body: 'json',
    run: (call) => {
      const { listing } = getOwnListing(call);
      const images = parseVariationImages(call.json);
      checkVariationImages(call, listing, images);
      saveVariationImages(call.db, listing.listing_id, images);
      touchListing(call.db, listing.listing_id, call.now_ms);
      return describe(call, listing);
    },
  },
];

function describe(call: Call, listing: Listing) {
  return toList(
    listVariationImages(call.db, listing.listing_id).map((image) => ({
      ...image,
      value: findVariationValue(listing.inventory, image.property_id, image.value_id) ?? null,
    })),
  );
}

function parseVariationImages(body: unknown): VariationImage[] {
  const list: unknown =
    typeof body === 'object' && body !== null && 'variation_images' in body ? body.variation_images : null;
  if (!Array.isArray(list)) throw buildRefusal(400, VERBATIM_WITH.missingInput('variation_images'));
  return list.map((entry: unknown) => {
    const given = new Map<string, unknown>(
      typeof entry === 'object' && entry !== null ? Object.entries(entry) : [],
    );
    const getInteger = (name: string): number => {
      const value = given.get(name);
      if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
      throw buildRefusal(400, `Expected int value for '${name}' in variation_images.`);
    };
    return {
      property_id: getInteger('property_id'),
      value_id: getInteger('value_id'),
      image_id: getInteger('image_id'),
    };
  });
}

// Checks the values against the current inventory; ids from before its last write may no longer be valid.
function checkVariationImages(call: Call, listing: Listing, images: readonly VariationImage[]): void {
  if (new Set(images.map((image) => image.property_id)).size > 1) {
    throw buildRefusal(400, INVENTED.variation_image_one_property);
  }
  if (new Set(images.map((image) => image.value_id)).size !== images.length) {
    throw buildRefusal(400, INVENTED.variation_image_duplicate);
  }
  const pictures = listPictures(call.db, listing.listing_id);
  for (const { property_id, value_id, image_id } of images) {
    if (findVariationValue(listing.inventory, property_id, value_id) === undefined) {
      throw buildRefusal(
        400,
        `The value_id ${value_id} is not a value of the property ${property_id} of this listing.`,
      );
    }
    if (!pictures.some((picture) => picture.listing_image_id === image_id)) {
      throw buildRefusal(400, `The image_id ${image_id} does not belong to this listing.`);
    }
  }
}
