import { formatCount } from '../../../../core/text/format_count.js';
import { Foreign } from '../../../../pages/index.js';
import { Notice } from '../../../components/notice.js';
import { Dashboard } from '../../../layout.js';
import type { RefusedError } from '../../../operations.js';
import type { Framing } from '../../../page.js';
import { toListingPath } from '../../../routes.js';
import { PATH } from '../../changes/read.js';
import type { Detail } from '../detail.js';
import { Conflicts, CONFLICTS, describeConflict } from './conflicts.js';
import { Editor } from './editor.js';
import { canEditVariations } from './from_request.js';
import { Part } from './inputs.js';
import { listEdited, type PartName } from './parts.js';
import type { Problem } from './problems.js';
import type { Opened } from './receive.js';
import { buildChanges } from './to_changes.js';
import type { Values } from './values.js';

/** A form with the listing's values and the seller's input. */
export type Edited = Record<'taken' | 'conflicts', PartName[]> & {
  detail: Detail;
  opened: Opened;
  saved: Values;
  /** Whether the returned form has other parts than the submitted one. */
  isOther?: boolean;
};

export type Shown = Partial<{
  problems: readonly Problem[];
  refused: RefusedError;
  isUnchanged: boolean;
  /** Replaces the text about what would change. */
  note: string;
}>;

export const SAVED = 'All changes are saved.';
/** For a new listing that has just become a draft. */
export const SAVED_AS_DRAFT = 'Saved as a draft.';
const UNCHANGED = 'No changes';

type Props = { visit: Framing; edited: Edited; year: number; shown?: Shown };

/** The form of a saved listing. */
export function EditForm({
  visit,
  edited,
  year,
  shown: { problems, refused, isUnchanged = false, note } = {},
}: Props) {
  const { detail, opened, saved, taken, conflicts, isOther = false } = edited;
  const { listing_pk, title, status, request } = detail;
  const href = toListingPath(listing_pk);
  const action = `${href}/edit`;
  const isDraft = status === 'draft';
  const extent = note ?? describeExtent(edited);
  const isSaved = [SAVED, SAVED_AS_DRAFT, UNCHANGED].includes(extent);
  const isNew = opened.values.has('key');
  const conflict = conflicts.length > 0 ? describeConflict(isNew, isDraft) : undefined;
  const listed = new Map((request.images ?? []).map(({ url }, place) => [url, place]));
  return (
    <Dashboard visit={visit} title={`Edit: ${title}`} section="Listings" scripts={['editor']}>
      <div class="stack tight">
        <p class="crumbs">
          <a href={href}>
            <Foreign text={title} />
          </a>
        </p>
        <h1>Edit this listing</h1>
      </div>
      {isUnchanged && (
        <Notice tone="wait">
          <p>You have not edited anything yet.</p>
        </Notice>
      )}
      <Editor
        visit={visit}
        action={action}
        opened={opened}
        {...(problems && { problems })}
        refused={refused?.error}
        year={year}
        findPhoto={(url) => toPhotoPath(detail, listed.get(url))}
        hidden={
          <>
            <input type="hidden" name="base" value={opened.values.get('base') ?? ''} />
            <input type="hidden" name="seen" value={opened.values.get('seen') ?? ''} />
            <Conflicts parts={conflicts} {...{ saved, action, isNew }} reason={conflict} />
          </>
        }
        follow={{
          step: isDraft ? 'autosave' : 'refresh',
          // The script replaces the whole page if its parts have changed.
          is_other: isOther || taken.length + conflicts.length > 0,
        }}
        fixed={{
          shops: isDraft ? [] : request.shops.map(({ shop_id }) => shop_id),
          isType: !isDraft,
          ...(!canEditVariations(request) && { noTable: <NoTable listing_pk={listing_pk} /> }),
        }}
      >
        <div class="row between">
          <p data-editor-extent data-saved={isSaved ? '' : undefined}>
            <strong>{conflict ?? extent}</strong>
            {conflict !== undefined && (
              <>
                {' '}
                <a href={`#${CONFLICTS}`}>Compare both values</a>
              </>
            )}
          </p>
          <div class="row">
            {isDraft ? (
              <>
                <button type="submit" name="do" value="publish" data-submit="review">
                  Review
                </button>
                <button type="submit" class="quiet" data-submit="save">
                  Save
                </button>
              </>
            ) : (
              <button type="submit" data-submit="review">
                Review
              </button>
            )}
            <a class="button quiet" href={href}>
              {isDraft ? 'Close' : 'Discard changes'}
            </a>
          </div>
        </div>
      </Editor>
    </Dashboard>
  );
}

/** `3 changes in 2 shops · free`; without a shop that is changed, the count alone. */
function describeExtent({ detail, opened, saved }: Edited): string {
  const count = listEdited(opened.values, saved).length;
  if (count === 0) return UNCHANGED;
  if (detail.status === 'draft') return `${formatCount(count, 'change')}, in this draft only`;
  const { changes, added } = buildChanges(opened.values, detail.request, opened.scope);
  const { shops, ...shared } = changes ?? {};
  const there = detail.shops.filter(({ listing_id }) => listing_id !== null).length;
  const reached = added.length + (Object.keys(shared).length > 0 ? there : (shops ?? []).length);
  const changed = formatCount(count, 'change');
  return reached === 0 ? changed : `${changed} in ${formatCount(reached, 'shop')} · free`;
}

function toPhotoPath({ listing_pk, created_at }: Detail, place: number | undefined): string | undefined {
  if (place === undefined) return undefined;
  return `${toListingPath(listing_pk)}/photos/${place}/160?made=${Date.parse(created_at)}`;
}

function NoTable({ listing_pk }: { listing_pk: number }) {
  return (
    <Part id="variations-part" title="Variations">
      <p>
        This listing has too many variations for a table here.{' '}
        <a href={`${PATH}/new?do=price&listing=${listing_pk}`}>Change prices</a>,{' '}
        <a href={`${PATH}/new?do=stock&listing=${listing_pk}`}>change stock</a>, or edit them in a{' '}
        <a href={`${PATH}/sheet`}>spreadsheet</a>.
      </p>
    </Part>
  );
}
