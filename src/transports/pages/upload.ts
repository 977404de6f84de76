import type { UploadLink } from '../../core/ports/index.js';
import type { UploadResult } from '../../../schemas/upload.js';
import type { ErrorBody } from '../../../schemas/error.js';
import { buildPage, html } from './html.js';

const TITLE = 'Upload a file';

const ACCEPTED: Record<UploadLink['type'], { words: string; accept: string }> = {
  image: { words: 'a photo (JPG, PNG or GIF)', accept: 'image/jpeg,image/png,image/gif' },
  video: {
    words: 'a video (MP4 or MOV, at most 15 seconds, without sound)',
    accept: 'video/mp4,video/quicktime',
  },
  digital: { words: 'the file that buyers receive', accept: '' },
};

export function buildUploadForm(link: UploadLink): string {
  const { words, accept } = ACCEPTED[link.type];
  return buildPage(
    TITLE,
    html`<h1>${TITLE}</h1>
      <p>
        Choose ${words} of at most 100 MB${link.filename === null ? '' : `, to be named ${link.filename}`}.
      </p>
      <form method="post" enctype="multipart/form-data">
        <label>File <input type="file" name="file" accept="${accept}" required /></label>
        <button type="submit">Upload</button>
      </form>
      <p class="note">This address works once, until ${link.expires_at.slice(11, 16)} UTC.</p>`,
  );
}

export function buildUploadDone(result: UploadResult): string {
  return buildPage(
    'Uploaded',
    html`<h1>Uploaded</h1>
      <p>${result.filename ?? 'The file'} is here. Give this to your assistant:</p>
      <pre><code>${result.url ?? ''}</code></pre>
      <p class="note">${result.note}</p>`,
  );
}

export function buildUploadFailed({ error }: ErrorBody): string {
  return buildPage(
    'Not uploaded',
    html`<h1>Not uploaded</h1>
      <p>${error.message}</p>
      <p>${error.hint}</p>`,
  );
}
