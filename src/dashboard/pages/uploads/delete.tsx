import { ServiceError } from '../../../core/errors.js';
import { withDone } from '../../components/done.js';
import type { Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { PREFIX } from '../../routes.js';

/** Deletes an upload that no listing uses. */
export const deleteUpload: Page = {
  path: '/uploads/{upload_id}/delete',
  is_past_gate: true,
  async post({ core, account_id, params }) {
    const outcome = await core.uploads.deleteUnused(account_id, params['upload_id'] ?? '');
    if (outcome === 'unknown') {
      throw new ServiceError('NOT_FOUND', { code: 'upload_not_found', params: {} });
    }
    if (outcome === 'used') {
      throw new ServiceError('VALIDATION_FAILED', { code: 'upload_in_use', params: {} });
    }
    return redirect(withDone(`${PREFIX}/uploads`, 'upload_deleted'));
  },
};
