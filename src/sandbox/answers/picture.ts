import type { ListingPicture } from '../store/pictures.js';
import { toSeconds } from './text.js';

const SIZES = ['75x75', '170x135', '570xN', 'fullxfull'] as const;

/**
 * A ListingImage on the wire. Size and colors are null until `processing_ms` after the upload, as on the
 * marketplace.
 */
export function toListingImage(
  picture: ListingPicture,
  origin: string,
  now_ms: number,
  processing_ms: number,
): Record<string, unknown> {
  const isProcessed = now_ms >= picture.created_at + processing_ms;
  const created = toSeconds(picture.created_at);
  const [url_75x75, url_170x135, url_570xN, url_fullxfull] = SIZES.map((size) =>
    toPictureUrl(origin, picture.listing_image_id, size),
  );
  return {
    listing_id: picture.listing_id,
    listing_image_id: picture.listing_image_id,
    ...toColors(isProcessed ? picture.listing_image_id : undefined),
    creation_tsz: created,
    created_timestamp: created,
    rank: picture.rank,
    url_75x75,
    url_170x135,
    url_570xN,
    url_fullxfull,
    full_height: isProcessed ? picture.height : null,
    full_width: isProcessed ? picture.width : null,
    alt_text: picture.alt_text,
  };
}

/** The sandbox serves the full-size picture at each of its addresses. */
export function toPictureUrl(origin: string, listing_image_id: number, size: string): string {
  return `${origin}/img/${listing_image_id}/il_${size}.${listing_image_id}.jpg`;
}

// Nothing is decoded here, so the colors are derived from the id: present, of the right type, and the same
// each time.
function toColors(id: number | undefined): Record<string, unknown> {
  if (id === undefined) {
    return {
      hex_code: null,
      red: null,
      green: null,
      blue: null,
      hue: null,
      saturation: null,
      brightness: null,
      is_black_and_white: null,
    };
  }
  const [red, green, blue] = [(id * 53) % 256, (id * 97) % 256, (id * 193) % 256];
  const hex_code = [red, green, blue]
    .map((part) => part.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
  return {
    hex_code,
    red,
    green,
    blue,
    hue: (id * 31) % 361,
    saturation: id % 101,
    brightness: (id * 7) % 101,
    is_black_and_white: false,
  };
}
