import type { ErrorBody } from '../../../../schemas/error.js';
import { uploadType, type UploadType } from '../../../../schemas/upload.js';
import { buildValidationError } from '../../../core/errors.js';
import { MAX_FILE_BYTES, type Clock, type Page as StorePage } from '../../../core/ports/index.js';
import type { ListedUpload } from '../../../core/uploads.js';
import { Copyable, Foreign, UploadFields } from '../../../pages/index.js';
import { FormToken } from '../../components/form_token.js';
import { Notice, Refusal } from '../../components/notice.js';
import { Pager } from '../../components/pager.js';
import { toRefusal } from '../../desk.js';
import { getOffset } from '../../ids.js';
import { Dashboard } from '../../layout.js';
import type { Framing, OwnVisit, Page } from '../../page.js';
import { redirect, show } from '../../replies.js';
import { PREFIX } from '../../routes.js';
import { Upload } from './upload.js';

const PAGE_SIZE = 20;
const PATH = `${PREFIX}/uploads`;

const list = (visit: OwnVisit) =>
  visit.core.uploads.list(visit.account_id, { limit: PAGE_SIZE, offset: getOffset(visit) });

export function createUploads(clock: Clock): Page {
  return {
    path: '/uploads',
    takes_file: true,
    async get(visit) {
      const page = await list(visit);
      const made = page.items.find(({ upload_id }) => upload_id === visit.request.query.get('new'));
      return <Uploads visit={visit} page={page} made={made} now={clock.now()} />;
    },
    async post(visit) {
      const { fields, file } = visit.form;
      if (!file) throw buildValidationError([{ path: 'file', message: 'is required: choose one' }]);
      const type = uploadType.safeParse(fields.get('type')).data ?? 'image';
      const kept = await visit.desk.call('file_upload', { type }, { file }).catch(toRefusal);
      if (!('error' in kept)) {
        const upload_id = /^service-upload:\/\/(\w+)\//.exec(kept.url ?? '')?.[1] ?? '';
        return redirect(`${PATH}?${new URLSearchParams({ new: upload_id })}`);
      }
      const page = await list(visit);
      const refused = (
        <Uploads visit={visit} page={page} refused={kept.error} type={type} now={clock.now()} />
      );
      return show(refused, { status: kept.error.status });
    },
  };
}

type Props = {
  visit: Framing & Pick<OwnVisit, 'request'>;
  page: StorePage<ListedUpload>;
  now: Date;
  /** What was uploaded just now. */
  made?: ListedUpload | undefined;
  refused?: ErrorBody['error'];
  /** What was ticked. */
  type?: UploadType;
};

function Uploads({ visit, page, now, made, refused, type = 'image' }: Props) {
  return (
    <Dashboard visit={visit} title="Uploads" section="Uploads" scripts={['copy', 'upload']}>
      <div class="stack tight">
        <h1>Uploads</h1>
        <p class="note">Files for your listings. Give an upload’s address to your assistant to use it.</p>
      </div>
      {made && <Made upload={made} />}
      {refused && <Refusal error={refused} />}
      <form
        class="card"
        method="post"
        action={PATH}
        encType="multipart/form-data"
        data-upload={MAX_FILE_BYTES}
      >
        <FormToken visit={visit} />
        <fieldset>
          <legend>What is it?</legend>
          <div class="choices">
            {uploadType.options.map((option) => (
              <label class="choice" key={option}>
                <input type="radio" name="type" value={option} checked={option === type} />
                {TYPE_WORDS[option]}
              </label>
            ))}
          </div>
        </fieldset>
        <UploadFields>
          Photos are JPG, PNG or GIF; films MP4 or MOV of at most 15 seconds without sound. At most 100 MB.
        </UploadFields>
      </form>
      <section class="stack">
        <h2>Here now</h2>
        {page.items.length === 0 ? (
          <div class="empty">
            <h3>Nothing yet</h3>
            <p>
              What you or your assistants upload appears here, and is kept for 30 days or while a listing uses
              it.
            </p>
          </div>
        ) : (
          <ul class="upload-list">
            {page.items.map((upload) => (
              <Upload upload={upload} now={now} key={upload.upload_id} />
            ))}
          </ul>
        )}
        <Pager
          total={page.total}
          limit={PAGE_SIZE}
          offset={getOffset(visit)}
          buildHref={(offset) => (offset === 0 ? PATH : `${PATH}?offset=${offset}`)}
        />
      </section>
    </Dashboard>
  );
}

const TYPE_WORDS: Record<UploadType, string> = {
  image: 'A photo',
  video: 'A film',
  digital: 'A file that buyers receive',
};

function Made({ upload }: { upload: ListedUpload }) {
  return (
    <Notice tone="ok">
      <p>
        <strong>
          <Foreign text={upload.filename} />
        </strong>{' '}
        is here. Give this address to your assistant:
      </p>
      <Copyable text={upload.url} label="Copy the address" />
    </Notice>
  );
}
