import { THUMBNAIL_WIDTHS } from '../../../core/ports/index.js';
import { getListingPk } from '../../ids.js';
import type { Page } from '../../page.js';
import { picture } from '../../replies.js';

const KEPT_S = 24 * 60 * 60;
/** A photo that cannot be had now may be had soon. */
const PLACEHOLDER_KEPT_S = 10;

const PLACEHOLDER = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" fill="#b8aea2" fill-opacity=".25"/><path d="M12 33l8-10 5 6 4-4 7 8z" fill="#8a8076"/><circle cx="31" cy="17" r="3" fill="#8a8076"/></svg>`,
);

/** A photo of a saved listing, small. Where there is none, or it cannot be shown, a drawing in its place. */
export const photo: Page = {
  path: '/listings/{listing_pk}/photos/{image}/{width}',
  async get(visit) {
    const { image = '', width = '' } = visit.params;
    const wanted = THUMBNAIL_WIDTHS.find((known) => String(known) === width);
    const found =
      wanted !== undefined && /^\d{1,2}$/.test(image)
        ? await visit.core.thumbnails.find(
            visit.account_id,
            { listing_pk: getListingPk(visit), image: Number(image) },
            wanted,
          )
        : undefined;
    return found
      ? picture(found.bytes, found.content_type, KEPT_S)
      : picture(PLACEHOLDER, 'image/svg+xml', PLACEHOLDER_KEPT_S);
  },
};
