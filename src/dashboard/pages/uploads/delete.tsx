import { ServiceError } from '../../../core/errors.js';
import type { Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { PREFIX } from '../../routes.js';

/** Takes an upload away that no listing uses. */
export const deleteUpload: Page = {
  path: '/uploads/{upload_id}/delete',
  is_past_gate: true,
  async post({ core, account_id, params }) {
    const outcome = await core.uploads.deleteUnused(account_id, params['upload_id'] ?? '');
    if (outcome === 'unknown') {
      throw new ServiceError('NOT_FOUND', 'There is no such upload.', {
        hint: 'It may be deleted already: Uploads lists what there is.',
      });
    }
    if (outcome === 'used') {
      throw new ServiceError(
        'VALIDATION_FAILED',
        'A saved listing uses this upload, or did before a change that can still be taken back.',
        {
          hint: 'It goes when the listing does, or some time after it has another in its place.',
        },
      );
    }
    return redirect(`${PREFIX}/uploads?deleted=1`);
  },
};
