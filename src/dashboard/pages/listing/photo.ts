import { THUMBNAIL_WIDTHS } from '../../../core/ports/index.js';
import { getListingPk } from '../../ids.js';
import type { Page } from '../../page.js';
import { showPlaceholder } from '../../placeholder.js';
import { picture } from '../../replies.js';

const KEPT_S = 24 * 60 * 60;

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
    return found ? picture(found.bytes, found.content_type, KEPT_S) : showPlaceholder();
  },
};
