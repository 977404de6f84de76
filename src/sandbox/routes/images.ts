import { describeImages, describePicture } from '../answers/associations.js';
import { created, NO_CONTENT, toList } from '../requests/call.js';
import type { Call, Route } from '../requests/call.js';
import { getPathId, parseBoolean, parseInteger } from '../requests/fields.js';
import { VERBATIM, VERBATIM_WITH } from '../requests/messages.js';
import { getListing, getOwnListing } from '../requests/ownership.js';
import { buildRefusal } from '../requests/refusal.js';
import { placeImage } from '../rules/image_order.js';
import { MAX_IMAGES } from '../rules/listing_text.js';
import { readPicture } from '../rules/pictures.js';
import { touchListing } from '../store/listings.js';
import type { Listing } from '../store/listings.js';
import { findPicture, hangPictures, insertPicture, keepBytes, listPictures } from '../store/pictures.js';
import { countCharacters } from '../requests/fields.js';

const BASE = '/shops/:shop_id/listings/:listing_id/images';
const MAX_ALT_TEXT = 500;

export const IMAGE_ROUTES: readonly Route[] = [
  {
    operation: 'uploadListingImage',
    method: 'POST',
    path: BASE,
    scopes: ['listings_w'],
    body: 'multipart',
    run: uploadImage,
  },
  {
    operation: 'getListingImages',
    method: 'GET',
    path: '/listings/:listing_id/images',
    scopes: [],
    run: (call) => toList(describeImages(call, getListing(call).listing_id)),
  },
  {
    operation: 'deleteListingImage',
    method: 'DELETE',
    path: `${BASE}/:listing_image_id`,
    scopes: ['listings_w'],
    run: (call) => {
      const { listing } = getOwnListing(call);
      const listing_image_id = getPathId(call, 'listing_image_id');
      describeImage(call, listing.listing_id, listing_image_id);
      const left = listPictures(call.db, listing.listing_id).filter(
        (picture) => picture.listing_image_id !== listing_image_id,
      );
      hangPictures(call.db, listing.listing_id, left);
      touchListing(call.db, listing.listing_id, call.now_ms);
      return NO_CONTENT;
    },
  },
];

function uploadImage(call: Call) {
  const { db, fields } = call;
  const { listing } = getOwnListing(call);
  const { listing_id } = listing;
  const rank = parseInteger(fields, 'rank') ?? 1;
  const shouldOverwrite = parseBoolean(fields, 'overwrite') ?? false;
  const alt_text = fields.get('alt_text');
  if (alt_text !== undefined && countCharacters(alt_text) > MAX_ALT_TEXT) {
    throw buildRefusal(400, `alt_text has at most ${MAX_ALT_TEXT} characters.`);
  }
  const hanging = listPictures(db, listing_id);
  // If the listing is full, even an image that it already has cannot be sent again.
  if (hanging.length >= MAX_IMAGES && !shouldOverwrite) {
    throw buildRefusal(400, VERBATIM_WITH.imagesFull(MAX_IMAGES));
  }
  const listing_image_id = takeImage(call, listing);
  const known = hanging.find((picture) => picture.listing_image_id === listing_image_id);
  const isReplacing = shouldOverwrite && rank <= hanging.length;
  if (hanging.length >= MAX_IMAGES && !isReplacing) {
    throw buildRefusal(400, VERBATIM_WITH.imagesFull(MAX_IMAGES));
  }
  const image = { listing_image_id, alt_text: alt_text ?? known?.alt_text ?? '' };
  hangPictures(db, listing_id, placeImage(hanging, image, rank, isReplacing && !known));
  touchListing(db, listing_id, call.now_ms);
  return created(describeImage(call, listing_id, listing_image_id));
}

// Bytes take precedence over an id if both are sent.
function takeImage(call: Call, listing: Listing): number {
  const { db, now_ms } = call;
  const upload = call.uploads.get('image');
  if (upload) {
    const facts = readPicture(upload.bytes);
    if (!facts) throw buildRefusal(400, VERBATIM.image_missing);
    const sha256 = keepBytes(db, upload.bytes, facts.content_type);
    return insertPicture(db, {
      shop_id: listing.shop_id,
      sha256,
      width: facts.width,
      height: facts.height,
      created_at: now_ms,
    });
  }
  const listing_image_id = parseInteger(call.fields, 'listing_image_id') ?? null;
  if (listing_image_id === null) throw buildRefusal(400, VERBATIM.image_missing);
  const picture = findPicture(db, listing_image_id);
  if (picture?.shop_id !== listing.shop_id) throw buildRefusal(404, VERBATIM.not_found);
  return listing_image_id;
}

function describeImage(call: Call, listing_id: number, listing_image_id: number): Record<string, unknown> {
  const found = listPictures(call.db, listing_id).find(
    (picture) => picture.listing_image_id === listing_image_id,
  );
  if (!found) throw buildRefusal(404, VERBATIM.not_found);
  return describePicture(call, found);
}
