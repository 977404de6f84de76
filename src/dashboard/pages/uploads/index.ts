import type { Clock } from '../../../core/ports/index.js';
import type { Page } from '../../page.js';
import { deleteUpload } from './delete.js';
import { preview } from './preview.js';
import { createUploads } from './show.js';

/**
 * The pages of uploaded files: the list, with the addresses by which listings refer to files, and their
 * previews.
 */
export function createUploadPages(clock: Clock): Page[] {
  return [createUploads(clock), deleteUpload, preview];
}
