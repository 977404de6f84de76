import type { ListedUpload } from '../../../core/uploads/uploads.js';
import { cleanForeign } from '../../../core/text/foreign.js';
import { Copyable, Foreign, Time } from '../../../pages/index.js';
import { describeSize } from '../../components/size.js';
import { FormToken } from '../../components/form_token.js';
import type { OwnVisit } from '../../page.js';
import { PREFIX } from '../../routes.js';
import { PREVIEW_WIDTH } from './preview.js';

type Props = { visit: Pick<OwnVisit, 'csrf_token'>; upload: ListedUpload; now: Date };

/** One upload in the list. */
export function Upload({ visit, upload, now }: Props) {
  const { upload_id, filename, size_bytes, content_type, created_at, expires_at, url, is_used } = upload;
  return (
    <li class="upload-item">
      <img
        class="photo"
        src={`${PREFIX}/uploads/${upload_id}/preview`}
        alt=""
        width={PREVIEW_WIDTH}
        height={PREVIEW_WIDTH}
        loading="lazy"
        decoding="async"
      />
      <div class="stack tight">
        <h3>
          <Foreign text={filename} />
        </h3>
        <p class="note">
          {describeSize(size_bytes)}, {content_type}, uploaded <Time at={created_at} />.{' '}
          {Date.parse(expires_at) > now.getTime() ? (
            <>
              Kept until <Time at={expires_at} />, and longer while a listing uses it.
            </>
          ) : (
            'Kept while a listing uses it.'
          )}
        </p>
        <details>
          <summary>Address for your assistant</summary>
          <Copyable text={url} label="Copy" about={`the address of ${cleanForeign(filename)}`} />
        </details>
        {is_used ? (
          <p class="note">A saved listing uses it, so it cannot be deleted.</p>
        ) : (
          <form method="post" action={`${PREFIX}/uploads/${upload_id}/delete`}>
            <FormToken visit={visit} />
            <button type="submit" class="quiet" aria-label={`Delete ${cleanForeign(filename)}`}>
              Delete
            </button>
          </form>
        )}
      </div>
    </li>
  );
}
