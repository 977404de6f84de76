import { Foreign } from '../../../pages/index.js';
import { Confirm } from '../../components/confirm.js';
import { withDone } from '../../components/done.js';
import { getListingPk } from '../../ids.js';
import type { Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { PREFIX, toListingPath } from '../../routes.js';
import { canForget } from './actions.js';
import { describeRemaining, RemainingListings, listRemaining } from './give_up.js';

/** Asks for confirmation, since a deleted draft cannot be restored. Listings in shops stay there. */
export const deleteDraft: Page = {
  path: '/listings/{listing_pk}/delete',
  async get(visit) {
    const listing_pk = getListingPk(visit);
    const detail = await visit.core.listings.get(visit.account_id, { listing_pk });
    if (!canForget(detail)) return redirect(toListingPath(listing_pk));
    const { title, status } = detail;
    const left = listRemaining(detail);
    const isDraft = status === 'draft';
    return (
      <Confirm
        visit={visit}
        section="Listings"
        title={isDraft ? 'Delete this draft?' : 'Remove this listing from this app?'}
        yes={isDraft ? 'Delete draft' : 'Remove listing'}
        no="Keep it"
        back={toListingPath(listing_pk)}
      >
        <p>
          <strong>
            <Foreign text={title} />
          </strong>
        </p>
        <p>
          {isDraft
            ? 'It is only saved here; nothing on Etsy changes. It cannot be restored.'
            : 'It disappears from these pages, with its history. Nothing changes on Etsy.'}
        </p>
        {left.length > 0 && <p>{describeRemaining(left)}</p>}
        {left.length > 0 && <RemainingListings left={left} />}
      </Confirm>
    );
  },
  async post(visit) {
    const listing_pk = getListingPk(visit);
    const { status } = await visit.core.listings.peek(visit.account_id, { listing_pk });
    await visit.operations.call('listing_delete', { listing_pk });
    return redirect(withDone(`${PREFIX}/listings`, status === 'draft' ? 'draft_deleted' : 'listing_removed'));
  },
};
