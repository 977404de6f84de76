import { Foreign } from '../../../pages/index.js';
import { Confirm } from '../../components/confirm.js';
import { ForeignLink } from '../../components/foreign_link.js';
import type { Errands } from '../../errands.js';
import { getListingPk } from '../../ids.js';
import type { Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { toListingPath } from '../../routes.js';
import { canGiveUp } from './actions.js';
import { getDetail, isMoving, type Detail } from './detail.js';

/** Takes what failed out of the lists. It can be finished later all the same. */
export function createGiveUp(errands: Errands): Page {
  return {
    path: '/listings/{listing_pk}/give-up',
    is_past_gate: true,
    async get(visit) {
      const detail = await getDetail(visit, errands, getListingPk(visit));
      const href = toListingPath(detail.listing_pk);
      if (isMoving(detail) || !canGiveUp(detail)) return redirect(href);
      const left = listLeft(detail);
      return (
        <Confirm
          visit={visit}
          section="Listings"
          title="Give this listing up?"
          yes="Give it up"
          no="Keep it"
          back={href}
        >
          <p>
            <strong>
              <Foreign text={detail.title} />
            </strong>
          </p>
          {left.length === 0 ? (
            <p>Nothing of it is on the marketplace, as far as is known here.</p>
          ) : (
            <>
              <p>These drafts stay on the marketplace until you delete them there; buyers do not see them:</p>
              <LeftThere left={left} />
            </>
          )}
          <p>
            It leaves the overview and the list. You find it under Listings as “Given up”, and can still
            finish it there.
          </p>
        </Confirm>
      );
    },
    async post(visit) {
      const listing_pk = getListingPk(visit);
      await visit.core.listings.giveUp(visit.account_id, listing_pk);
      return redirect(toListingPath(listing_pk));
    },
  };
}

type Left = { shop_name: string; listing_id: number; listing_url: string | undefined };

/** What stands in shops, with where it is to be seen. */
export function listLeft({ shops, results }: Pick<Detail, 'shops' | 'results'>): Left[] {
  return shops.flatMap(({ shop_id, shop_name, listing_id, state }) => {
    if (listing_id === null || state === 'removed' || state === 'gone') return [];
    const result = results.find((known) => known.shop_id === shop_id);
    const listing_url = result?.listing_url ?? result?.details?.listing_url;
    return [{ shop_name: shop_name ?? result?.shop_name ?? `shop ${shop_id}`, listing_id, listing_url }];
  });
}

export function LeftThere({ left }: { left: readonly Left[] }) {
  return (
    <ul>
      {left.map(({ shop_name, listing_id, listing_url }) => (
        <li key={listing_id}>
          <Foreign text={shop_name} />
          {': '}
          {listing_url === undefined ? (
            `draft ${listing_id}`
          ) : (
            <ForeignLink href={listing_url}>draft {listing_id}</ForeignLink>
          )}
        </li>
      ))}
    </ul>
  );
}
