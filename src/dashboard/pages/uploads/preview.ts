import { ServiceError } from '../../../core/errors.js';
import type { Page } from '../../page.js';
import { showPlaceholder } from '../../placeholder.js';
import { picture } from '../../replies.js';

export const PREVIEW_WIDTH = 160;
/** The bytes of an upload never change. */
const KEPT_S = 30 * 24 * 60 * 60;

/** A thumbnail of an uploaded photo; a placeholder if the upload is not a photo. */
export const preview: Page = {
  path: '/uploads/{upload_id}/preview',
  async get({ core, account_id, params }) {
    const upload_url = `service-upload://${params['upload_id'] ?? ''}/`;
    if (!(await core.uploads.findByUrl(account_id, upload_url))) {
      throw new ServiceError('NOT_FOUND', { code: 'upload_not_found', params: {} });
    }
    const found = await core.thumbnails.find(account_id, { upload_url }, PREVIEW_WIDTH);
    return found ? picture(found.bytes, found.content_type, KEPT_S) : showPlaceholder();
  },
};
