import { randomUUID } from 'node:crypto';
import { cleanForeign } from '../../../core/text/foreign.js';
import { joinWords } from '../../../core/text/choices.js';
import { Action } from '../../components/action.js';
import { getListingPk } from '../../ids.js';
import type { Framing, Page } from '../../page.js';
import { redirect } from '../../replies.js';
import { toListingPath } from '../../routes.js';
import type { Detail } from './detail.js';

/** The connected shops from which the listing was removed: Etsy never activates it there again. */
export function listLost({ shops }: Pick<Detail, 'shops'>): Detail['shops'] {
  return shops.filter(
    ({ state, shop_name }) => shop_name !== null && (state === 'removed' || state === 'gone'),
  );
}

/** Saves a new draft with the same content, for the shops from which the listing was removed. */
export const remake: Page = {
  path: '/listings/{listing_pk}/remake',
  async post(visit) {
    const listing_pk = getListingPk(visit);
    const detail = await visit.core.listings.peek(visit.account_id, { listing_pk });
    const lost = new Set(listLost(detail).map(({ shop_id }) => Number(shop_id)));
    if (lost.size === 0) return redirect(toListingPath(listing_pk));
    const shops = detail.request.shops.filter(({ shop_id }) => lost.has(shop_id));
    const draft = await visit.operations.call('listing_create', {
      ...detail.request,
      shops,
      state: 'draft',
      // The same for a form that is sent twice.
      idempotency_key: visit.form.fields.get('key') ?? '',
    });
    return redirect(`${toListingPath(draft.listing_pk ?? listing_pk)}/edit`);
  },
};

export function Remake({ visit, detail }: { visit: Framing; detail: Detail }) {
  const lost = listLost(detail);
  if (lost.length === 0) return null;
  const names = joinWords(lost.map(({ shop_name }) => cleanForeign(shop_name ?? '')));
  return (
    <div class="stack tight">
      <Action
        visit={visit}
        to={`${toListingPath(detail.listing_pk)}/remake`}
        label="Make a new draft"
        fields={{ key: randomUUID() }}
      />
      <p class="note">
        Etsy removed the listing from {names}, or someone deleted it there, so it cannot be activated again. A
        new draft with the same content is free.
      </p>
    </div>
  );
}
