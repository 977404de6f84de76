import { sheetFormat } from '../../../../schemas/batch.js';
import { MOST_FILE_BYTES } from '../../../core/batches/sheets/columns.js';
import { buildValidationError } from '../../../core/issues/issues.js';
import type { Clock, Refused } from '../../../core/ports/index.js';
import { formatCount } from '../../../core/text/format_count.js';
import { UploadFields } from '../../../pages/index.js';
import { FormToken } from '../../components/form_token.js';
import { Refusal } from '../../components/notice.js';
import { Dashboard } from '../../layout.js';
import type { Framing, OwnPost, Page } from '../../page.js';
import { redirect, show } from '../../replies.js';
import { RefusedError, toRefusal } from '../../operations.js';
import { PREFIX } from '../../routes.js';
import { buildListingsHref } from '../listings_query.js';
import { PATIENCE } from './actions.js';
import { PATH, toBatchPath } from './read.js';
import { Selected } from './selected.js';
import { readSelection, type Scope } from './selection.js';

/** Turns an edited sheet into a plan, which is then reviewed. */
export const uploadSheet: Page = {
  path: '/changes/sheet',
  max_files: 1,
  get: (visit) => <UploadSheet visit={visit} />,
  async post(visit) {
    const planned = await plan(visit).catch(toRefusal);
    if (!(planned instanceof RefusedError)) return redirect(toBatchPath(planned.batch_id));
    return show(<UploadSheet visit={visit} refused={planned.error} />, { status: planned.error.status });
  },
};

async function plan({ operations, form }: OwnPost) {
  const [file] = form.files;
  const [unfit] = form.refused;
  if (unfit) throw unfit.error;
  if (!file) throw buildValidationError([{ code: 'file_choice_required', at: 'file', params: {} }]);
  const { url } = await operations.call('file_upload', { type: 'sheet' }, { file });
  return operations.call('batch_create', { sheet: url }, PATIENCE);
}

/** The selected listings as a file. */
export function createDownloadSheet(clock: Pick<Clock, 'now'>): Page {
  return {
    path: '/changes/sheet/download',
    is_outward: true,
    async get({ operations, request: { query } }) {
      const selection = readSelection(query, clock.now());
      if (!selection) return redirect(`${PREFIX}/listings`);
      const format = sheetFormat.safeParse(query.get('format')).data ?? 'xlsx';
      const file = await operations.download('batch_sheet', { select: selection.select, format });
      return {
        status: 200,
        headers: {
          'content-type': file.content_type,
          'content-disposition': `attachment; filename="${file.filename}"`,
          'cache-control': 'no-store',
        },
        body: file.bytes,
      };
    },
  };
}

function UploadSheet({ visit, refused }: { visit: Framing; refused?: Refused }) {
  return (
    <Dashboard visit={visit} title="Upload a spreadsheet" section="Listings" width="narrow">
      <div class="stack tight">
        <p class="crumbs">
          <a href={`${PREFIX}/listings`}>Listings</a>
        </p>
        <h1>Upload a spreadsheet</h1>
        <p class="note">
          Upload a spreadsheet that you downloaded here and edited. Only the cells you edited become changes,
          and you review them before anything is saved to Etsy.
        </p>
      </div>
      {refused && <Refusal error={refused} />}
      <form class="card" method="post" action={`${PATH}/sheet`} encType="multipart/form-data">
        <FormToken visit={visit} />
        <UploadFields accept=".xlsx,.csv">
          XLSX, or CSV in UTF-8, of at most {MOST_FILE_BYTES / 1024 / 1024} MB.
        </UploadFields>
      </form>
      <p class="note">
        No spreadsheet yet? Select listings on the <a href={`${PREFIX}/listings`}>Listings</a> page and choose
        “Download spreadsheet”.
      </p>
    </Dashboard>
  );
}

/** The form to get a sheet of the selected listings. */
export function SheetForm({ visit, scope }: { visit: Framing; scope: Scope }) {
  return (
    <Dashboard visit={visit} title="Download a spreadsheet" section="Listings" width="narrow">
      <div class="stack tight">
        <p class="crumbs">
          <a href={buildListingsHref(scope.query)}>Listings</a>
        </p>
        <h1>Download a spreadsheet</h1>
        <p class="note">
          {formatCount(scope.count, 'listing')} selected. Edit the file in a spreadsheet program and upload it
          within 30 days.
        </p>
      </div>
      <form class="card" method="get" action={`${PATH}/sheet/download`}>
        <Selected scope={scope} />
        <fieldset>
          <legend>Format</legend>
          <label class="choice">
            <input type="radio" name="format" value="xlsx" checked />
            XLSX, for Excel, Numbers and Google Sheets
          </label>
          <label class="choice">
            <input type="radio" name="format" value="csv" />
            CSV
          </label>
        </fieldset>
        <div>
          <button type="submit">Download</button>
        </div>
      </form>
      <p>
        <a href={`${PATH}/sheet`}>Upload the edited spreadsheet</a>
      </p>
    </Dashboard>
  );
}
