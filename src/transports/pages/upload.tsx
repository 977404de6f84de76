import type { UploadResult } from '../../../schemas/upload.js';
import { renderAllForSeller, writeText } from '../../core/issues/render.js';
import { MAX_FILE_BYTES, type Refused, type UploadLink } from '../../core/ports/index.js';
import { Copyable, Foreign, Layout, renderPage, Scripts, Time, UploadFields } from '../../pages/index.js';

const TITLE = 'Upload a file';

const ACCEPTED: Record<UploadLink['type'], { words: string; accept: string | undefined }> = {
  image: {
    words: 'a photo (JPG, PNG or GIF; HEIC, WebP and AVIF are turned into JPEG)',
    // HEIC is left out, because iPhones then convert to JPEG by themselves.
    accept: 'image/jpeg,image/png,image/gif,image/webp,image/avif',
  },
  video: {
    words: 'a video (MP4 or MOV, at most 15 seconds, without sound)',
    accept: 'video/mp4,video/quicktime',
  },
  digital: { words: 'the file that buyers receive', accept: undefined },
  sheet: { words: 'the sheet of listings (XLSX, or CSV in UTF-8)', accept: '.xlsx,.csv' },
};

export function buildUploadForm(link: UploadLink, isSandbox: boolean): string {
  return renderPage(
    <Layout
      title={TITLE}
      width="narrow"
      is_sandbox={isSandbox}
      head={<Scripts names={['copy', 'times', 'upload']} />}
    >
      <h1>{TITLE}</h1>
      <UploadForm link={link} />
    </Layout>,
  );
}

export function buildUploadDone({ filename, url = '', note }: UploadResult, isSandbox: boolean): string {
  return renderPage(
    <Layout title="Uploaded" width="narrow" is_sandbox={isSandbox} head={<Scripts names={['copy']} />}>
      <h1>Uploaded</h1>
      <div class="notice" data-tone="ok" role="status">
        <p>
          <strong>
            <Foreign text={filename ?? 'The file'} />
          </strong>{' '}
          is here. Give this address to your assistant:
        </p>
        <Copyable text={url} label="Copy the address" />
      </div>
      <p class="note">{note}</p>
    </Layout>,
  );
}

/** @param link present while it can still be used: only an accepted file uses it up */
export function buildUploadFailed(
  { code, hint, issues }: Refused,
  link: UploadLink | undefined,
  isSandbox: boolean,
): string {
  const lines = renderAllForSeller(issues).map(writeText);
  const isOtherType = issues?.some((issue) => issue.code === 'file_type_wrong');
  return renderPage(
    <Layout
      title="Not uploaded"
      width="narrow"
      is_sandbox={isSandbox}
      head={<Scripts names={['copy', 'times', 'upload']} />}
    >
      <h1>Not uploaded</h1>
      <div class="notice" data-tone="bad" role="alert">
        <p>
          <Foreign text={lines.join(' ')} />
        </p>
        {code !== 'VALIDATION_FAILED' && <p>{code === 'NOT_FOUND' ? ASK : hint}</p>}
        {isOtherType && <p>To send something else, ask your assistant for another address.</p>}
      </div>
      {link && <UploadForm link={link} />}
    </Layout>,
  );
}

const ASK = 'Ask your assistant for a new one.';

function UploadForm({ link: { type, filename, expires_at } }: { link: UploadLink }) {
  const { words, accept } = ACCEPTED[type];
  return (
    <form class="card" method="post" encType="multipart/form-data" data-upload={MAX_FILE_BYTES}>
      <UploadFields accept={accept}>
        Choose {words} of at most 100 MB
        {filename !== null && (
          <>
            , to be named <Foreign text={filename} />
          </>
        )}
        .
      </UploadFields>
      <p class="note">
        This address works once, until <Time at={expires_at} />.
      </p>
    </form>
  );
}
