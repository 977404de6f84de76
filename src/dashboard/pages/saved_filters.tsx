import { ServiceError, toErrorBody, toRefused } from '../../core/errors.js';
import { MAX_FILTER_NAME_CHARS } from '../../core/listings/saved_filters.js';
import type { Refused, SavedFilter } from '../../core/ports/index.js';
import { Foreign } from '../../pages/index.js';
import { FieldProblem, markProblem } from '../components/field_problem.js';
import { FormToken } from '../components/form_token.js';
import { Refusal } from '../components/notice.js';
import type { Framing, OwnPost } from '../page.js';
import {
  buildListingsHref,
  isFiltered,
  readListingsQuery,
  toFields,
  type ListingsQuery,
} from './listings_query.js';

/** A filter that could not be saved, with the name that was entered. */
export type RefusedFilter = { error: Refused; name: string };

/** Receives the form of SavedFilters, which is posted to the URL of the filtered list. Returns undefined on success. */
export async function receiveFilter(visit: OwnPost): Promise<RefusedFilter | undefined> {
  const { account_id, core, form, request } = visit;
  const name = (form.fields.get('name') ?? '').trim();
  const was = form.fields.get('was') ?? undefined;
  const query = new URLSearchParams(toFields(readListingsQuery(request.query))).toString();
  try {
    if (form.fields.get('do') === 'remove') await core.saved_filters.remove(account_id, was ?? '');
    else await core.saved_filters.save({ account_id, name, query }, was);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    return { error: toRefused(toErrorBody(cause, ''), cause.issues), name };
  }
}

type Props = {
  visit: Framing;
  query: ListingsQuery;
  saved: readonly SavedFilter[];
  refused: RefusedFilter | undefined;
};

/** Links to the saved filters, and the form that saves, renames or removes the one in use. */
export function SavedFilters({ visit, query, saved, refused }: Props) {
  const here = buildListingsHref(query);
  const links = saved.map(({ name, query: text }) => ({
    name,
    href: buildListingsHref(readListingsQuery(new URLSearchParams(text))),
  }));
  const current = links.find(({ href }) => href === here);
  return (
    <>
      {links.length > 0 && (
        <nav class="filter" aria-label="Saved filters">
          {links.map(({ name, href }) => (
            <a href={href} aria-current={href === here ? 'true' : undefined} key={name}>
              <Foreign text={name} />
            </a>
          ))}
        </nav>
      )}
      {refused && <Refusal error={refused.error} placed={['name']} />}
      {(current ?? refused ?? isFiltered(query)) && (
        <details open={refused !== undefined}>
          <summary>{current ? 'Rename or remove this filter' : 'Save this filter'}</summary>
          <form class="card" method="post" action={here}>
            <FormToken visit={visit} />
            {current && <input type="hidden" name="was" value={current.name} />}
            <div class="field">
              <label for="name">Name</label>
              <input
                id="name"
                name="name"
                type="text"
                required
                maxLength={MAX_FILTER_NAME_CHARS}
                autocomplete="off"
                value={refused?.name ?? current?.name ?? ''}
                {...markProblem({ name: 'name', refused: refused?.error }, 'name-note')}
              />
              <FieldProblem name="name" refused={refused?.error} />
              <p class="note" id="name-note">
                A saved filter with the same name is replaced.
              </p>
            </div>
            <div class="row">
              <button type="submit" name="do" value="save">
                {current ? 'Rename' : 'Save'}
              </button>
              {current && (
                <button type="submit" class="danger" name="do" value="remove" formNoValidate>
                  Remove
                </button>
              )}
            </div>
          </form>
        </details>
      )}
    </>
  );
}
