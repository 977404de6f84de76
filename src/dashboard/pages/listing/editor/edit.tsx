import type { Clock } from '../../../../core/ports/index.js';
import { getListingPk } from '../../../ids.js';
import { RefusedError, toRefusal } from '../../../operations.js';
import type { Answer, OwnPost, OwnVisit, Page } from '../../../page.js';
import { redirect, show } from '../../../replies.js';
import { toListingPath } from '../../../routes.js';
import type { Tasks } from '../../../tasks.js';
import { getDetail, isMoving, peekDetail, type Detail } from '../detail.js';
import { EditForm, SAVED, SAVED_AS_DRAFT, type Edited, type Shown } from './edit_form.js';
import { keepUnknown, toValues } from './from_request.js';
import { describeNotSaved, describeNotSavedRefusal } from './not_saved.js';
import { isPart, takeOthers, takePart, writeBase } from './parts.js';
import { joinProblems, listFormProblems, listUnusedPrices, placeIssues, type Problem } from './problems.js';
import { EDITOR_FORM, open, receive, type Opened } from './receive.js';
import { NewReview } from './review/review.js';
import { save, toOwn } from './save.js';
import { buildChanges } from './to_changes.js';
import { buildRequest } from './to_request.js';
import type { Scope, Values } from './values.js';

/** The ways to submit a form other than with one of its step buttons. */
export type Sending = 'autosave' | 'save' | 'publish';

export type Editing = {
  page: Page;
  /**
   * Continues with the form of a new listing whose key has created this one: from here on, the form edits
   * that listing. If the listing was changed since it was created, both values are shown and nothing is
   * saved.
   */
  adopt(visit: OwnPost, listing_pk: number, opened: Opened, sending: Sending): Promise<Answer>;
};

/**
 * The editor of a saved listing. It leads to the review of a plan; a draft that is only saved here is changed
 * at once. A form that is older than the listing overwrites nothing: parts that others changed are taken from
 * the listing, and if both changed a part, both versions are shown.
 */
export function createEditing(tasks: Tasks, clock: Pick<Clock, 'now'>): Editing {
  return {
    page: {
      path: '/listings/{listing_pk}/edit',
      ...EDITOR_FORM,
      async get(visit) {
        const detail = await getDetail(visit, tasks, getListingPk(visit));
        if (isMoving(detail)) return redirect(toListingPath(detail.listing_pk));
        // The category must be known before its attributes.
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
        const detail = await peekDetail(visit, tasks, getListingPk(visit));
        const edited = merge(detail, await receive(visit, listShopIds(detail)), step);
        const { opened, conflicts } = edited;
        if (step === 'autosave' && conflicts.length === 0) return autosave(visit, edited);
        if (step !== null) {
          return show(edit(visit, edited), { status: opened.problems.length > 0 ? 400 : 200 });
        }
        if (conflicts.length > 0 || opened.problems.length > 0)
          return show(edit(visit, edited), { status: 400 });
        return finish(visit, edited, visit.form.fields.get('do') === 'publish');
      },
    },
    async adopt(visit, listing_pk, { values, problems }, sending) {
      const detail = await peekDetail(visit, tasks, listing_pk);
      const opened = { ...(await open(visit, values, { shop_ids: listShopIds(detail) })), problems };
      const isUntouched = detail.status === 'draft' && detail.updated_at === detail.created_at;
      values.set('base', writeBase(isUntouched ? toValues(detail.request, opened.scope) : BLANK));
      const edited = { ...merge(detail, opened, sending), isOther: true };
      if (edited.conflicts.length > 0) return show(edit(visit, edited), { status: 409 });
      if (problems.length > 0 && sending !== 'autosave') return show(edit(visit, edited), { status: 400 });
      return sending === 'autosave' ? autosave(visit, edited) : finish(visit, edited, sending === 'publish');
    },
  };

  /** The same form with the currently saved values. */
  async function refresh(visit: OwnPost, edited: Edited): Promise<Edited> {
    const { values, scope } = edited.opened;
    const detail = await peekDetail(visit, tasks, edited.detail.listing_pk);
    const saved = toValues(detail.request, scope);
    values.set('base', writeBase(saved));
    return { ...edited, detail, saved };
  }

  /** The script saves a draft while the seller works; problems are shown when the seller saves it. */
  async function autosave(visit: OwnPost, edited: Edited) {
    const { detail, opened } = edited;
    const { values, scope } = opened;
    const changed = buildChanges(values, detail.request, scope);
    const own = [...opened.problems, ...listOwnProblems(edited)];
    const note = (text: string, now = edited) => show(edit(visit, now, { note: text }));
    const say = (problems: readonly Problem[]) => describeNotSaved(problems, values, scope);
    if (detail.status !== 'draft' || own.length > 0) return note(say(own));
    const outcome = await save(visit, detail, changed).catch(toRefusal);
    const now = await refresh(visit, edited);
    if ('href' in outcome) return note(edited.isOther === true ? SAVED_AS_DRAFT : SAVED, now);
    if (outcome instanceof RefusedError && outcome.error.code !== 'VALIDATION_FAILED') {
      return note(describeNotSavedRefusal(outcome), now);
    }
    const issues = outcome instanceof RefusedError ? (outcome.error.issues ?? []) : outcome;
    return note(say(placeIssues(issues.map(toOwn), changed.places)), now);
  }

  async function finish(visit: OwnPost, edited: Edited, isPublishing: boolean) {
    const { detail, opened } = edited;
    const { values, scope } = opened;
    const changed = buildChanges(values, detail.request, scope);
    const own = listOwnProblems(edited);
    const again = (shown: Shown, status = 400, now = edited) => show(edit(visit, now, shown), { status });
    if (own.length > 0) return again({ problems: own });
    if (!changed.changes && changed.added.length + changed.removed.length === 0) {
      if (isPublishing) return review(visit, edited);
      // A draft has been saved automatically.
      return detail.status === 'draft' || edited.isOther === true
        ? redirect(toListingPath(detail.listing_pk))
        : again({ isUnchanged: true });
    }
    const outcome = await save(visit, detail, changed).catch(toRefusal);
    if (outcome instanceof RefusedError) {
      const { code, status, issues = [] } = outcome.error;
      if (code !== 'VALIDATION_FAILED') return again({ refused: outcome }, status);
      const problems = joinProblems(own, placeIssues(issues.map(toOwn), changed.places));
      // The rest was saved before the shop is removed.
      return again({ problems }, 400, changed.removed.length > 0 ? await refresh(visit, edited) : edited);
    }
    if (!('href' in outcome)) {
      const problems = placeIssues(outcome.map(toOwn), changed.places);
      // A draft is saved except for the shops that are refused.
      return again({ problems }, 400, detail.status === 'draft' ? await refresh(visit, edited) : edited);
    }
    return isPublishing ? review(visit, await refresh(visit, edited)) : redirect(outcome.href);
  }

  /** For a saved draft: the effect and cost of publishing it, or why it is refused. */
  async function review(visit: OwnPost, edited: Edited) {
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
        <NewReview
          {...{ visit, request, planned, to }}
          values={opened.values}
          category={opened.path}
          connected={opened.scope.shops}
        />,
      );
    }
    const { code, status, issues = [] } = planned.error;
    const now = await refresh(visit, edited);
    const { places } = buildRequest(opened.values, toSavedOrder(opened.scope, now.detail));
    const shown: Shown =
      code === 'VALIDATION_FAILED' ? { problems: placeIssues(issues, places) } : { refused: planned };
    return show(edit(visit, now, shown), { status });
  }

  function edit(visit: OwnVisit, edited: Edited, shown: Shown = {}) {
    return <EditForm visit={visit} edited={edited} shown={shown} year={clock.now().getUTCFullYear()} />;
  }
}

/** A draft keeps a price that no variation uses, for variations that are added later. */
function listOwnProblems({ detail, opened: { values, scope }, saved }: Edited) {
  const unused = detail.status === 'draft' ? [] : listUnusedPrices(values, saved, scope);
  return [...listFormProblems(values, scope, saved), ...unused];
}

/** @param step the button that the form was sent with; null: the seller's own save */
function merge(detail: Detail, opened: Opened, step: string | null): Edited {
  const { values, scope } = opened;
  const saved = toValues(detail.request, scope);
  keepUnknown(values, saved, scope);
  const [name, part = ''] = (step ?? '').split(' ');
  if (name === 'take' && isPart(part)) takePart(values, saved, part);
  const base = values.get('base') ?? '';
  // Only the seller's own save replaces values that the page has shown as someone else's.
  const seen = values.get('seen') ?? '';
  const found = takeOthers(values, saved, step === null && seen !== '' ? seen : base);
  values.set('base', writeBase(saved, found.conflicts, base));
  values.set('seen', found.conflicts.length > 0 ? writeBase(saved) : '');
  return { detail, opened, saved, ...found };
}

const NO_SCOPE = { shops: [], category: undefined };
/** The form that new listings start from. */
const BLANK: Values = new URLSearchParams({ listing_type: 'physical' });

function listShopIds({ request }: Detail): number[] {
  return request.shops.map(({ shop_id }) => shop_id);
}

/** The shops in the order of the saved listing. */
function toSavedOrder(scope: Scope, detail: Detail): Scope {
  const find = (shop_id: number) => scope.shops.filter((shop) => shop.shop_id === shop_id);
  return { ...scope, shops: listShopIds(detail).flatMap(find) };
}
