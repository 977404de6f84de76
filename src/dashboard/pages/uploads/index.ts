import type { Clock } from '../../../core/ports/index.js';
import type { Page } from '../../page.js';
import { deleteUpload } from './delete.js';
import { preview } from './preview.js';
import { createUploads } from './show.js';

/** Files for listings, and the addresses that listings name them by. */
export function createUploadPages(clock: Clock): Page[] {
  return [createUploads(clock), deleteUpload, preview];
}
