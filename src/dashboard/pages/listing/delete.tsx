import { Foreign } from '../../../pages/index.js';
import { FormToken } from '../../components/form_token.js';
import { getListingPk } from '../../ids.js';
import { Dashboard } from '../../layout.js';
import type { Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { PREFIX, toListingPath } from '../../routes.js';
import { canDelete } from './actions.js';

/** Asks once more, since nothing brings a deleted draft back. */
export const deleteDraft: Page = {
  path: '/listings/{listing_pk}/delete',
  async get(visit) {
    const listing_pk = getListingPk(visit);
    const detail = await visit.operations.call('listing_get', { listing_pk });
    if (!canDelete(detail)) return redirect(toListingPath(listing_pk));
    const { title, status } = detail;
    const what = status === 'draft' ? 'draft' : 'listing';
    return (
      <Dashboard visit={visit} title={`Delete: ${title}`} section="Listings" width="narrow">
        <h1>Delete this {what}?</h1>
        <form class="card" method="post">
          <FormToken visit={visit} />
          <p>
            <strong>
              <Foreign text={title} />
            </strong>
          </p>
          <p>It is only saved here; nothing on the marketplace changes. It cannot be brought back.</p>
          <div class="row">
            <button type="submit" class="danger">
              Delete {what}
            </button>
            <a class="button quiet" href={toListingPath(listing_pk)}>
              Keep it
            </a>
          </div>
        </form>
      </Dashboard>
    );
  },
  async post(visit) {
    await visit.operations.call('listing_delete', { listing_pk: getListingPk(visit) });
    return redirect(`${PREFIX}/listings`);
  },
};
