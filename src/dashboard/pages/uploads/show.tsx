import { uploadType, type UploadType } from '../../../../schemas/upload.js';
import { toErrorBody, toRefused } from '../../../core/errors.js';
import { buildValidationError } from '../../../core/issues/issues.js';
import { toServiceError } from '../../../core/operations/service_error.js';
import {
  MAX_FILE_BYTES,
  type Clock,
  type Page as ShopPage,
  type Refused,
} from '../../../core/ports/index.js';
import type { ListedUpload } from '../../../core/uploads/uploads.js';
import { Copyable, Foreign, UploadFields } from '../../../pages/index.js';
import { Done, readDone } from '../../components/done.js';
import { FormToken } from '../../components/form_token.js';
import { Notice } from '../../components/notice.js';
import { Pager } from '../../components/pager.js';
import { toRefusal } from '../../operations.js';
import { getOffset } from '../../ids.js';
import { Dashboard } from '../../layout.js';
import type { Framing, OwnPost, OwnVisit, Page } from '../../page.js';
import { redirect, show } from '../../replies.js';
import { PREFIX } from '../../routes.js';
import { Upload } from './upload.js';
import { describeRefusal } from '../../words/refusals.js';

const PAGE_SIZE = 20;
/** The maximum number of photos of a listing. */
const MAX_FILES = 10;
const PATH = `${PREFIX}/uploads`;

/** Uploads that listings use have a list of their own, so that imported photos do not hide new uploads. */
const list = (visit: OwnVisit) =>
  visit.core.uploads.list(visit.account_id, {
    limit: PAGE_SIZE,
    offset: getOffset(visit),
    is_used: isOfUsed(visit),
  });

const isOfUsed = ({ request }: Pick<OwnVisit, 'request'>) => request.query.get('used') === '1';

function buildHref(isUsed: boolean, offset = 0): string {
  const query = new URLSearchParams({
    ...(isUsed && { used: '1' }),
    ...(offset > 0 && { offset: `${offset}` }),
  });
  const text = query.toString();
  return `${PATH}${text && `?${text}`}`;
}

/** The result for the files of one form. */
type Outcome = { made: Kept[]; refused: RefusedFile[] };
type Kept = { upload_id: string; is_changed: boolean };

export function createUploads(clock: Clock): Page {
  return {
    path: '/uploads',
    max_files: MAX_FILES,
    async get(visit) {
      const { query } = visit.request;
      const page = await list(visit);
      return <Uploads visit={visit} page={page} made={readKept(query)} now={clock.now()} />;
    },
    async post(visit) {
      const { fields } = visit.form;
      const type = uploadType.safeParse(fields.get('type')).data ?? 'image';
      const { made, refused } = await keepAll(visit, type);
      if (refused.length === 0) return redirect(`${PATH}?${writeKept(made)}`);
      const page = await list(visit);
      return show(
        <Uploads visit={visit} page={page} made={made} refused={refused} type={type} now={clock.now()} />,
        { status: refused[0]?.error.status ?? 400 },
      );
    },
  };
}

/** In sequence; each has a result of its own. */
async function keepAll({ form, operations }: OwnPost, type: UploadType): Promise<Outcome> {
  if (form.files.length + form.refused.length === 0) {
    throw buildValidationError([{ code: 'file_choice_required', at: 'file', params: {} }]);
  }
  const outcome: Outcome = {
    made: [],
    refused: form.refused.map(({ filename, error: cause }) => {
      const error = toServiceError(cause);
      return { filename, error: toRefused(toErrorBody(error, ''), error.issues) };
    }),
  };
  for (const file of form.files) {
    const kept = await operations.call('file_upload', { type }, { file }).catch(toRefusal);
    if ('error' in kept) {
      outcome.refused.push({ filename: file.filename, error: kept.error });
      continue;
    }
    const upload_id = /^service-upload:\/\/(\w+)\//.exec(kept.url ?? '')?.[1] ?? '';
    const isChanged = (kept.warnings ?? []).some(({ code }) => code === 'photo_changed');
    outcome.made.push({ upload_id, is_changed: isChanged });
  }
  return outcome;
}

function writeKept(made: readonly Kept[]): URLSearchParams {
  const changed = made.filter(({ is_changed }) => is_changed);
  return new URLSearchParams({
    new: made.map(({ upload_id }) => upload_id).join(','),
    ...(changed.length > 0 && { changed: changed.map(({ upload_id }) => upload_id).join(',') }),
  });
}

function readKept(query: URLSearchParams): Kept[] {
  const changed = (query.get('changed') ?? '').split(',');
  const made = (query.get('new') ?? '').split(',').slice(0, MAX_FILES);
  return made.map((upload_id) => ({ upload_id, is_changed: changed.includes(upload_id) }));
}

type Props = {
  visit: Framing & Pick<OwnVisit, 'request'>;
  page: ShopPage<ListedUpload>;
  now: Date;
  /** Files that were just uploaded. */
  made?: readonly Kept[];
  refused?: readonly RefusedFile[];
  /** The chosen type. */
  type?: UploadType;
};

function Uploads({ visit, page, now, made = [], refused = [], type = 'image' }: Props) {
  const isUsed = isOfUsed(visit);
  return (
    <Dashboard visit={visit} title="Uploads" section="Uploads" scripts={['copy', 'upload']}>
      <div class="stack tight">
        <h1>Uploads</h1>
        <p class="note">Files for your listings. Give an upload’s address to your assistant to use it.</p>
      </div>
      <Done deed={readDone(visit)} />
      {page.items.map((upload) => {
        const kept = made.find(({ upload_id }) => upload_id === upload.upload_id);
        return kept && <Made upload={upload} is_changed={kept.is_changed} key={upload.upload_id} />;
      })}
      {refused.map((file) => (
        <NotTaken file={file} key={file.filename} />
      ))}
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
        <UploadFields max_files={MAX_FILES}>
          Up to {MAX_FILES} at once, of at most 100 MB each. Photos are JPG, PNG or GIF; HEIC, WebP and AVIF
          are turned into JPEG. Videos are MP4 or MOV, at most 15 seconds long, without sound.
        </UploadFields>
      </form>
      <section class="stack" data-upload-list>
        <h2>Here now</h2>
        <nav aria-label="Filter uploads" class="filter">
          {[false, true].map((isOf) => (
            <a href={buildHref(isOf)} aria-current={isOf === isUsed ? 'true' : undefined} key={`${isOf}`}>
              {isOf ? 'Used by listings' : 'Not used yet'}
            </a>
          ))}
        </nav>
        {page.total === 0 && (
          <div class="empty">
            <h3>{isUsed ? 'No listing uses an upload' : 'No unused uploads'}</h3>
            <p>
              Files that you or your assistants upload appear here. They are kept for 30 days, or while a
              listing uses them.
            </p>
          </div>
        )}
        {page.items.length > 0 && (
          <ul class="upload-list">
            {page.items.map((upload) => (
              <Upload visit={visit} upload={upload} now={now} key={upload.upload_id} />
            ))}
          </ul>
        )}
        <Pager
          total={page.total}
          limit={PAGE_SIZE}
          offset={getOffset(visit)}
          buildHref={(offset) => buildHref(isUsed, offset)}
        />
      </section>
    </Dashboard>
  );
}

const TYPE_WORDS: Record<UploadType, string> = {
  image: 'A photo',
  video: 'A video',
  digital: 'A file that buyers receive',
  sheet: 'A sheet of listings',
};

function Made({ upload, is_changed }: { upload: ListedUpload; is_changed: boolean }) {
  return (
    <Notice tone="ok">
      <p>
        <strong>
          <Foreign text={upload.filename} />
        </strong>{' '}
        is here. Give this address to your assistant:
      </p>
      {is_changed && (
        <p class="note" data-upload-changed>
          The marketplace does not accept its format or does not show its full size, so it was converted to a
          JPEG.
        </p>
      )}
      <Copyable text={upload.url} label="Copy the address" />
    </Notice>
  );
}

type RefusedFile = { filename: string; error: Refused };

/** One refused file: its name, the problem, and the fix. */
function NotTaken({ file: { filename, error } }: { file: RefusedFile }) {
  const { problem, fix } = describe(error);
  return (
    <Notice tone="bad">
      <p data-upload-problem>
        <strong>
          <Foreign text={filename} />
        </strong>{' '}
        <Foreign text={problem} />
      </p>
      {fix !== undefined && (
        <p class="note">
          <Foreign text={fix} />
        </p>
      )}
    </Notice>
  );
}

function describe(error: Refused): { problem: string; fix?: string } {
  const { lines, hint } = describeRefusal(error);
  const problem = `was not kept. ${lines.join(' ')}`;
  if (error.code !== 'VALIDATION_FAILED') return { problem, fix: hint };
  const isOtherType = error.issues?.some(({ code }) => code === 'file_type_wrong');
  return { problem, ...(isOtherType && { fix: OTHER_TYPE }) };
}

const OTHER_TYPE = 'If it is meant to be something else, choose that under “What is it?” and send it again.';
