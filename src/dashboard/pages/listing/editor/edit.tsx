import { formatCount } from '../../../../core/text/format_count.js';
import type { Clock } from '../../../../core/ports/index.js';
import { Foreign } from '../../../../pages/index.js';
import { Notice } from '../../../components/notice.js';
import { getListingPk } from '../../../ids.js';
import { Dashboard } from '../../../layout.js';
import { RefusedError, toRefusal } from '../../../operations.js';
import type { OwnPost, OwnVisit, Page } from '../../../page.js';
import { redirect, show } from '../../../replies.js';
import { toListingPath } from '../../../routes.js';
import type { Tasks } from '../../../tasks.js';
import { PATH } from '../../changes/read.js';
import { getDetail, isMoving, peekDetail, type Detail } from '../detail.js';
import { Conflicts } from './conflicts.js';
import { Editor } from './editor.js';
import { canEditVariations, keepUnknown, toValues } from './from_request.js';
import { Part } from './inputs.js';
import { isPart, listEdited, takeOthers, takePart, writeBase, type PartName } from './parts.js';
import { joinProblems, listFormProblems, placeIssues, type Problem } from './problems.js';
import { EDITOR_FORM, open, receive, type Opened } from './receive.js';
import { NewReview } from './review.js';
import { save, toOwn } from './save.js';
import { buildChanges } from './to_changes.js';
import type { Places } from './to_request.js';
import type { Values } from './values.js';

/** A form with what the listing has, and what the seller typed in it. */
type Edited = Record<'taken' | 'conflicts', PartName[]> & { detail: Detail; opened: Opened; saved: Values };

type Shown = Partial<{
  problems: readonly Problem[];
  refused: RefusedError;
  isUnchanged: boolean;
  /** In the place of what would change. */
  note: string;
}>;

/**
 * The editor of a saved listing. It ends in the review of a plan; a draft that is only saved here is changed at once. A form that is older
 * than the listing overwrites nothing: parts that others changed are taken from the listing, and of those that both changed, both are shown.
 */
export function createEdit(tasks: Tasks, clock: Pick<Clock, 'now'>): Page {
  return {
    path: '/listings/{listing_pk}/edit',
    ...EDITOR_FORM,
    async get(visit) {
      const detail = await getDetail(visit, tasks, getListingPk(visit));
      if (isMoving(detail)) return redirect(toListingPath(detail.listing_pk));
      // The category has to be known before its attributes.
      const { scope } = await open(visit, toValues(detail.request, NO_SCOPE), {
        shop_ids: listShopIds(detail),
      });
      const values = toValues(detail.request, scope);
      const opened = await open(visit, values, { shop_ids: listShopIds(detail) });
      values.set('base', writeBase(values));
      return edit(visit, { detail, opened, saved: values, taken: [], conflicts: [] });
    },
    async post(visit) {
      const step = visit.form.fields.get('step');
      const edited = await read(visit, step);
      const { opened, conflicts } = edited;
      if (step === 'autosave' && conflicts.length === 0) return autosave(visit, edited);
      if (step !== null) return show(edit(visit, edited), { status: opened.problems.length > 0 ? 400 : 200 });
      if (conflicts.length > 0 || opened.problems.length > 0)
        return show(edit(visit, edited), { status: 400 });
      return finish(visit, edited);
    },
  };

  async function read(visit: OwnPost, step: string | null): Promise<Edited> {
    const detail = await peekDetail(visit, tasks, getListingPk(visit));
    const opened = await receive(visit, listShopIds(detail));
    const { values, scope } = opened;
    const saved = toValues(detail.request, scope);
    keepUnknown(values, saved, scope);
    const [name, part = ''] = (step ?? '').split(' ');
    if (name === 'take' && isPart(part)) takePart(values, saved, part);
    const base = values.get('base') ?? '';
    // Only the seller's own save replaces what the page has shown as another's.
    const seen = values.get('seen') ?? '';
    const found = takeOthers(values, saved, step === null && seen !== '' ? seen : base);
    values.set('base', writeBase(saved, found.conflicts, base));
    values.set('seen', found.conflicts.length > 0 ? writeBase(saved) : '');
    return { detail, opened, saved, ...found };
  }

  /** The script saves a draft while the seller works; problems wait until the seller saves it. */
  async function autosave(visit: OwnPost, edited: Edited) {
    const { detail, opened } = edited;
    const { values, scope } = opened;
    const { changes } = buildChanges(values, detail.request, scope);
    const isSound = opened.problems.length + listFormProblems(values, scope).length === 0;
    const note = (text: string, now = edited) => show(edit(visit, now, { note: text }));
    if (detail.status !== 'draft' || !isSound) return note(NOT_SAVED);
    const outcome = changes && (await save(visit, detail, changes).catch(toRefusal));
    if (outcome instanceof RefusedError) return note(NOT_SAVED);
    const { request } = await peekDetail(visit, tasks, detail.listing_pk);
    const saved = toValues(request, scope);
    values.set('base', writeBase(saved));
    return note('All changes are saved.', { ...edited, saved });
  }

  async function finish(visit: OwnPost, edited: Edited) {
    const { detail, opened } = edited;
    const { values, scope } = opened;
    const isPublishing = visit.form.fields.get('do') === 'publish';
    const { changes, places } = buildChanges(values, detail.request, scope);
    const own = listFormProblems(values, scope);
    const again = (shown: Shown, status = 400) => show(edit(visit, edited, shown), { status });
    if (own.length > 0) return again({ problems: own });
    if (!changes) return isPublishing ? review(visit, edited, places) : again({ isUnchanged: true });
    const outcome = await save(visit, detail, changes).catch(toRefusal);
    if (outcome instanceof RefusedError) {
      const { code, status, issues = [] } = outcome.error;
      if (code !== 'VALIDATION_FAILED') return again({ refused: outcome }, status);
      return again({ problems: joinProblems(own, placeIssues(issues.map(toOwn), places)) });
    }
    if (isPublishing) return review(visit, edited, places);
    if (typeof outcome === 'string') return redirect(outcome);
    return again({ problems: placeIssues(outcome.map(toOwn), places) });
  }

  /** Of a draft that is saved: what publishing does and costs, or why it is refused. */
  async function review(visit: OwnPost, edited: Edited, places: Places) {
    const { detail, opened } = edited;
    const { listing_pk } = detail;
    const href = toListingPath(listing_pk);
    if (detail.status !== 'draft') return redirect(`${href}/put-live`);
    const { updated_at: as_of, request } = await peekDetail(visit, tasks, listing_pk);
    const planned = await visit.operations
      .call('listing_publish', { listing_pk, state: 'active', dry_run: true }, { words: 'seller', as_of })
      .catch(toRefusal);
    const to = {
      publish: `${href}/put-live`,
      draft: `${href}/publish`,
      back: `${href}/edit`,
      as_of,
    };
    if (!(planned instanceof RefusedError)) {
      return show(
        <NewReview {...{ visit, request, planned, to }} values={opened.values} category={opened.path} />,
      );
    }
    const { code, status, issues = [] } = planned.error;
    const now = await peekDetail(visit, tasks, listing_pk);
    const saved = toValues(now.request, opened.scope);
    opened.values.set('base', writeBase(saved));
    const shown: Shown =
      code === 'VALIDATION_FAILED' ? { problems: placeIssues(issues, places) } : { refused: planned };
    return show(edit(visit, { ...edited, detail: now, saved }, shown), { status });
  }

  function edit(
    visit: OwnVisit,
    edited: Edited,
    { problems, refused, isUnchanged = false, note }: Shown = {},
  ) {
    const { detail, opened, saved, taken, conflicts } = edited;
    const { listing_pk, title, status, request } = detail;
    const href = toListingPath(listing_pk);
    const action = `${href}/edit`;
    const isDraft = status === 'draft';
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
          year={clock.now().getUTCFullYear()}
          findPhoto={(url) => toPhotoPath(detail, listed.get(url))}
          hidden={
            <>
              <input type="hidden" name="base" value={opened.values.get('base') ?? ''} />
              <input type="hidden" name="seen" value={opened.values.get('seen') ?? ''} />
              <Conflicts parts={conflicts} saved={saved} action={action} />
            </>
          }
          follow={{
            step: isDraft ? 'autosave' : 'refresh',
            // The script shows the whole page again if parts of it are others now.
            is_other: taken.length + conflicts.length > 0,
          }}
          fixed={{
            isType: !isDraft,
            ...(!canEditVariations(request) && { noTable: <NoTable listing_pk={listing_pk} /> }),
          }}
        >
          <div class="row between">
            <p data-editor-extent>
              <strong>{note ?? describeExtent(edited)}</strong>
            </p>
            <div class="row">
              {isDraft ? (
                <>
                  <button type="submit" name="do" value="publish">
                    Review
                  </button>
                  <button type="submit" class="quiet">
                    Save
                  </button>
                </>
              ) : (
                <button type="submit">Review</button>
              )}
              <a class="button quiet" href={href}>
                Not now
              </a>
            </div>
          </div>
        </Editor>
      </Dashboard>
    );
  }
}

const NOT_SAVED = 'Not saved yet: something is missing or needs correction.';
const NO_SCOPE = { shops: [], category: undefined };

function listShopIds({ request }: Detail): number[] {
  return request.shops.map(({ shop_id }) => shop_id);
}

/** `3 changes in 2 shops · free` */
function describeExtent({ detail, opened, saved }: Edited): string {
  const count = listEdited(opened.values, saved).length;
  if (count === 0) return 'No changes';
  if (detail.status === 'draft') return `${formatCount(count, 'change')}, in this draft only`;
  const { changes } = buildChanges(opened.values, detail.request, opened.scope);
  const { shops, ...shared } = changes ?? {};
  const there = detail.shops.filter(({ listing_id }) => listing_id !== null).length;
  const reached = Object.keys(shared).length > 0 ? there : (shops ?? []).length;
  return `${formatCount(count, 'change')} in ${formatCount(reached, 'shop')} · free`;
}

function toPhotoPath({ listing_pk, created_at }: Detail, place: number | undefined): string | undefined {
  if (place === undefined) return undefined;
  return `${toListingPath(listing_pk)}/photos/${place}/160?made=${Date.parse(created_at)}`;
}

function NoTable({ listing_pk }: { listing_pk: number }) {
  return (
    <Part id="variations-part" title="Variations">
      <p>
        This listing has too many combinations for a table here.{' '}
        <a href={`${PATH}/new?do=price&listing=${listing_pk}`}>Change prices</a>,{' '}
        <a href={`${PATH}/new?do=stock&listing=${listing_pk}`}>change stock</a>, or edit them in a{' '}
        <a href={`${PATH}/sheet`}>spreadsheet</a>.
      </p>
    </Part>
  );
}
