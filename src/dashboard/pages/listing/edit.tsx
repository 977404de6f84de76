import type { BatchItem } from '../../../../schemas/batch.js';
import type { ListingChanges } from '../../../../schemas/listing_changes.js';
import type { Refused } from '../../../core/ports/index.js';
import { renderForSeller, writeText } from '../../../core/issues/render.js';
import { cleanForeign } from '../../../core/text/foreign.js';
import { Foreign } from '../../../pages/index.js';
import { FormToken } from '../../components/form_token.js';
import { Notice, Problems, Refusal } from '../../components/notice.js';
import { getListingPk } from '../../ids.js';
import { Dashboard } from '../../layout.js';
import { RefusedError, toRefusal } from '../../operations.js';
import type { Framing, OwnPost, Page } from '../../page.js';
import { redirect, show } from '../../replies.js';
import { toListingPath } from '../../routes.js';
import type { Tasks } from '../../tasks.js';
import { PATIENCE } from '../changes/actions.js';
import { Field } from '../changes/field.js';
import { listWrongNumbers } from '../changes/numbers.js';
import { isDrift, PATH, readBatch, toBatchPath } from '../changes/read.js';
import { getDetail, isMoving, type Detail } from './detail.js';
import { findConflict, listEdited, listFields, readChanges, type ListingField } from './edit_fields.js';

/** A form for one listing. It ends in the review of a plan; a draft that is only saved here is changed at once. */
export function createEdit(tasks: Tasks): Page {
  return {
    path: '/listings/{listing_pk}/edit',
    async get(visit) {
      const detail = await getDetail(visit, tasks, getListingPk(visit));
      if (isMoving(detail)) return redirect(toListingPath(detail.listing_pk));
      return <Edit visit={visit} detail={detail} fields={listFields(detail)} />;
    },
    async post(visit) {
      const detail = await getDetail(visit, tasks, getListingPk(visit));
      const fields = listFields(detail);
      const given = visit.form.fields;
      const props = { visit, detail, fields, given };
      if (findConflict(fields, given)) return show(<Edit {...props} has_conflict />, { status: 400 });
      const changes = readChanges(fields, given);
      if (!changes) return show(<Edit {...props} is_unchanged />, { status: 400 });
      const wrong = listWrongNumbers(listEdited(fields, given), given);
      if (wrong.length > 0) return show(<Edit {...props} problems={wrong} />, { status: 400 });
      const outcome = await save(visit, detail, changes).catch(toRefusal);
      if (outcome instanceof RefusedError) {
        return show(<Edit {...props} refused={outcome.error} />, { status: outcome.error.status });
      }
      if (typeof outcome === 'string') return redirect(outcome);
      return show(<Edit {...props} problems={outcome} />, { status: 400 });
    },
  };
}

/** @returns the page that comes next, or why a plan is refused as a whole */
async function save(
  visit: OwnPost,
  { listing_pk, status, updated_at: as_of }: Detail,
  changes: ListingChanges,
): Promise<string | string[]> {
  const { operations } = visit;
  if (status === 'draft') {
    await operations.call('listing_update', { listing_pk, changes }, { as_of });
    return toListingPath(listing_pk);
  }
  const input = {
    select: { listing_pks: [listing_pk] },
    edits: [{ field: 'any', op: 'merge', value: changes }],
  };
  const { batch_id } = await operations.call('batch_create', input, PATIENCE);
  const { batch, items } = await readBatch(visit, batch_id);
  // What the seller typed can be corrected here; an edit on Etsy is decided on in the review.
  const isCorrectable = items.some(({ status: of }) => of === 'refused') && !items.some(isDrift);
  if (batch.status !== 'planned' || batch.counts.changed > 0 || !isCorrectable) return toBatchPath(batch_id);
  await operations.call('batch_cancel', { batch_id });
  return listReasons(items);
}

type Props = {
  visit: Framing;
  detail: Detail;
  fields: readonly ListingField[];
  /** As it was typed. */
  given?: URLSearchParams;
  refused?: Refused;
  /** Numbers that could be misread, or why a plan was refused. */
  problems?: readonly string[];
  has_conflict?: boolean;
  is_unchanged?: boolean;
};

function Edit({
  visit,
  detail,
  fields,
  given,
  refused,
  problems = [],
  has_conflict = false,
  is_unchanged = false,
}: Props) {
  const { listing_pk, title, status, request } = detail;
  const href = toListingPath(listing_pk);
  const isDraft = status === 'draft';
  return (
    <Dashboard visit={visit} title={`Edit: ${title}`} section="Listings" width="narrow">
      <div class="stack tight">
        <p class="crumbs">
          <a href={href}>
            <Foreign text={title} />
          </a>
        </p>
        <h1>Edit this listing</h1>
        {!isDraft && <p class="note">You review every change before anything is saved to Etsy.</p>}
      </div>
      {refused && <Refusal error={refused} />}
      <Problems lines={problems} />
      {has_conflict && (
        <Notice tone="bad">
          <p>
            The listing has changed since you opened this page. Nothing was saved. The current values are
            shown with yours.
          </p>
        </Notice>
      )}
      {is_unchanged && (
        <Notice tone="wait">
          <p>You have not edited anything yet.</p>
        </Notice>
      )}
      <form class="card" method="post" action={`${href}/edit`}>
        <FormToken visit={visit} />
        {fields.map(({ value, ...field }) => (
          <>
            <input type="hidden" name={`was_${field.name}`} value={value} />
            <Field
              id={field.name}
              field={withOther(field, value, given)}
              value={given?.get(field.name) ?? value}
            />
          </>
        ))}
        {request.variations !== undefined && (
          <p class="note">
            Prices and stock of variations:{' '}
            <a href={`${PATH}/new?do=price&listing=${listing_pk}`}>change prices</a>,{' '}
            <a href={`${PATH}/new?do=stock&listing=${listing_pk}`}>change stock</a>.
          </p>
        )}
        <div class="row">
          <button type="submit">{isDraft ? 'Save' : 'Review'}</button>
          <a class="button quiet" href={href}>
            Not now
          </a>
        </div>
      </form>
    </Dashboard>
  );
}

/** Adds the current value as a note if it changed after the form was opened. */
function withOther(
  field: Omit<ListingField, 'value'>,
  value: string,
  given: URLSearchParams | undefined,
): Omit<ListingField, 'value'> {
  const was = given?.get(`was_${field.name}`);
  if (was === undefined || was === null || was.replaceAll('\r\n', '\n') === value) return field;
  return { ...field, note: `Now: ${cleanForeign(value)}` };
}

function listReasons(items: readonly BatchItem[]): string[] {
  return items.flatMap(({ shop_name, issues }) =>
    issues.map(
      ({ field: at, message }) => `${shop_name}: ${writeText(renderForSeller({ ...message, at: toAt(at) }))}`,
    ),
  );
}

/** `listing.title` of `edits[0].value.listing.title`. */
function toAt(at: string): string {
  const start = 'edits[0].value.';
  return at.startsWith(start) ? at.slice(start.length) : at;
}
