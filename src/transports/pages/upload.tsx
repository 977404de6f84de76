import type { ErrorBody } from '../../../schemas/error.js';
import type { UploadResult } from '../../../schemas/upload.js';
import type { UploadLink } from '../../core/ports/index.js';
import { Foreign, Layout, renderPage } from '../../pages/index.js';

const TITLE = 'Upload a file';

const ACCEPTED: Record<UploadLink['type'], { words: string; accept: string | undefined }> = {
  image: { words: 'a photo (JPG, PNG or GIF)', accept: 'image/jpeg,image/png,image/gif' },
  video: {
    words: 'a video (MP4 or MOV, at most 15 seconds, without sound)',
    accept: 'video/mp4,video/quicktime',
  },
  digital: { words: 'the file that buyers receive', accept: undefined },
};

export function buildUploadForm({ type, filename, expires_at }: UploadLink): string {
  const { words, accept } = ACCEPTED[type];
  return renderPage(
    <Layout title={TITLE} width="narrow">
      <h1>{TITLE}</h1>
      <form class="card" method="post" encType="multipart/form-data">
        <p>
          Choose {words} of at most 100 MB
          {filename !== null && (
            <>
              , to be named <Foreign text={filename} />
            </>
          )}
          .
        </p>
        <div class="field">
          <label for="file">File</label>
          <input type="file" id="file" name="file" accept={accept} required />
        </div>
        <div>
          <button type="submit">Upload</button>
        </div>
        <p class="note">
          This address works once, until <time dateTime={expires_at}>{expires_at.slice(11, 16)} UTC</time>.
        </p>
      </form>
    </Layout>,
  );
}

export function buildUploadDone({ filename, url, note }: UploadResult): string {
  return renderPage(
    <Layout title="Uploaded" width="narrow">
      <h1>Uploaded</h1>
      <div class="notice" data-tone="ok">
        <p>
          <Foreign text={filename ?? 'The file'} /> is here. Give this address to your assistant:
        </p>
        <p>
          <code>{url}</code>
        </p>
      </div>
      <p class="note">{note}</p>
    </Layout>,
  );
}

export function buildUploadFailed({ error }: ErrorBody): string {
  return renderPage(
    <Layout title="Not uploaded" width="narrow">
      <h1>Not uploaded</h1>
      <div class="notice" data-tone="bad" role="alert">
        <p>{error.message}</p>
        <p>{error.hint}</p>
      </div>
    </Layout>,
  );
}
