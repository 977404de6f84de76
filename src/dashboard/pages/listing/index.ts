import type { Clock } from '../../../core/ports/index.js';
import type { LiveStreams } from '../../live_streams.js';
import type { Tasks } from '../../tasks.js';
import type { Page } from '../../page.js';
import { createAddPhotos } from './product/add_photos.js';
import { deleteDraft } from './delete.js';
import { createEditing } from './editor/edit.js';
import { createNew } from './editor/new.js';
import { replaceEdit } from './edited/replace.js';
import { createEvents } from './course/events.js';
import { createGiveUp } from './give_up.js';
import { photo } from './product/photo.js';
import { remake } from './remake.js';
import { createPublish } from './sale/publish.js';
import { createPutLive } from './sale/put_live.js';
import { createSale } from './sale/sale.js';
import { createListing } from './show.js';

/** One listing, and the actions on it. */
export function createListingPages(tasks: Tasks, clock: Clock, streams: LiveStreams): Page[] {
  const editing = createEditing(tasks, clock);
  return [
    createListing(tasks, clock),
    createEvents(tasks, streams),
    editing.page,
    ...createNew(clock, editing),
    createPublish(tasks),
    createPutLive(tasks, clock),
    createAddPhotos(tasks),
    createGiveUp(tasks),
    createSale(tasks, 'inactive'),
    createSale(tasks, 'active'),
    deleteDraft,
    remake,
    replaceEdit,
    photo,
  ];
}
