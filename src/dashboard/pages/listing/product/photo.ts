import { THUMBNAIL_WIDTHS } from '../../../../core/ports/index.js';
import { getListingPk } from '../../../ids.js';
import type { OwnVisit, Page } from '../../../page.js';
import { showPlaceholder } from '../../../placeholder.js';
import { picture } from '../../../replies.js';
import { toRankOrder } from './gallery.js';

const KEPT_S = 24 * 60 * 60;

/** A thumbnail of a saved listing's photo. If there is none, or it cannot be shown, a placeholder. */
export const photo: Page = {
  path: '/listings/{listing_pk}/photos/{image}/{width}',
  async get(visit) {
    const { image = '', width = '' } = visit.params;
    const wanted = THUMBNAIL_WIDTHS.find((known) => String(known) === width);
    const place = image === 'first' ? await findFirst(visit) : readPlace(image);
    const found =
      wanted !== undefined && place !== undefined
        ? await visit.core.thumbnails.find(
            visit.account_id,
            { listing_pk: getListingPk(visit), image: place },
            wanted,
          )
        : undefined;
    return found ? picture(found.bytes, found.content_type, KEPT_S) : showPlaceholder();
  },
};

function readPlace(text: string): number | undefined {
  return /^\d{1,2}$/.test(text) ? Number(text) : undefined;
}

/** The photo that buyers see first is not always the first of the request. */
async function findFirst(visit: OwnVisit): Promise<number | undefined> {
  const { request } = await visit.core.listings.peek(visit.account_id, { listing_pk: getListingPk(visit) });
  return toRankOrder(request.images ?? [])[0];
}
