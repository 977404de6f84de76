import { Foreign } from '../../../pages/index.js';
import { Confirm } from '../../components/confirm.js';
import { ForeignLink } from '../../components/foreign_link.js';
import { STATE_WORDS } from '../../components/shop_state.js';
import type { Tasks } from '../../tasks.js';
import { getListingPk } from '../../ids.js';
import type { Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { toListingPath } from '../../routes.js';
import { canGiveUp } from './actions.js';
import { getDetail, isMoving, type Detail } from './detail.js';

/** Removes a failed listing from the lists. It can still be finished later. */
export function createGiveUp(tasks: Tasks): Page {
  return {
    path: '/listings/{listing_pk}/give-up',
    is_past_gate: true,
    async get(visit) {
      const detail = await getDetail(visit, tasks, getListingPk(visit));
      const href = toListingPath(detail.listing_pk);
      if (isMoving(detail) || !canGiveUp(detail)) return redirect(href);
      const left = listRemaining(detail);
      return (
        <Confirm
          visit={visit}
          section="Listings"
          title="Abandon this listing?"
          yes="Abandon"
          no="Keep it"
          back={href}
        >
          <p>
            <strong>
              <Foreign text={detail.title} />
            </strong>
          </p>
          {left.length === 0 ? (
            <p>As far as is known here, no shop has it.</p>
          ) : (
            <>
              <p>{describeRemaining(left)}</p>
              <RemainingListings left={left} />
            </>
          )}
          <p>
            It no longer appears on Today, and appears in Listings only if you filter by the status
            “Abandoned”. You can still finish it there.
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

type Left = {
  shop_name: string;
  listing_id: number;
  listing_url: string | undefined;
  /** As last seen there. */
  state: Detail['shops'][number]['state'];
};

/** The listings in shops, with links to them. */
export function listRemaining({ shops, results }: Pick<Detail, 'shops' | 'results'>): Left[] {
  return shops.flatMap(({ shop_id, shop_name, listing_id, state }) => {
    if (listing_id === null || state === 'removed' || state === 'gone') return [];
    const result = results.find((known) => known.shop_id === shop_id);
    const listing_url = result?.listing_url ?? result?.details?.listing_url;
    return [
      { shop_name: shop_name ?? result?.shop_name ?? `shop ${shop_id}`, listing_id, listing_url, state },
    ];
  });
}

/** Text above the list of listings that stay in the shops. */
export function describeRemaining(left: readonly Left[]): string {
  return left.every(({ state }) => state === 'draft')
    ? 'These drafts stay on Etsy until you delete them there; buyers do not see them:'
    : 'These stay on Etsy until you change or delete them there:';
}

function nameLeft({ listing_id, state }: Left): string {
  if (state === 'draft') return `draft ${listing_id}`;
  const known = state === null ? 'its state there is not known' : STATE_WORDS[state].word.toLowerCase();
  return `listing ${listing_id}, ${known}`;
}

export function RemainingListings({ left }: { left: readonly Left[] }) {
  return (
    <ul>
      {left.map((place) => (
        <li key={place.listing_id}>
          <Foreign text={place.shop_name} />
          {': '}
          {place.listing_url === undefined ? (
            nameLeft(place)
          ) : (
            <ForeignLink href={place.listing_url}>{nameLeft(place)}</ForeignLink>
          )}
        </li>
      ))}
    </ul>
  );
}
