import type { Clock } from '../../../core/ports/index.js';
import type { Errands } from '../../errands.js';
import type { Page } from '../../page.js';
import { createAddPhotos } from './product/add_photos.js';
import { deleteDraft } from './delete.js';
import { createEvents } from './course/events.js';
import { createGiveUp } from './give_up.js';
import { photo } from './product/photo.js';
import { createPublish } from './sale/publish.js';
import { createPutLive } from './sale/put_live.js';
import { createSale } from './sale/sale.js';
import { createListing } from './show.js';

/** One listing, and what can be done with it. */
export function createListingPages(errands: Errands, clock: Clock): Page[] {
  return [
    createListing(errands, clock),
    createEvents(errands),
    createPublish(errands),
    createPutLive(errands, clock),
    createAddPhotos(errands),
    createGiveUp(errands),
    createSale(errands, 'inactive'),
    createSale(errands, 'active'),
    deleteDraft,
    photo,
  ];
}
