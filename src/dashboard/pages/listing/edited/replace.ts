import { getListingPk } from '../../../ids.js';
import type { Page } from '../../../page.js';
import { redirect } from '../../../replies.js';
import { toListingPath } from '../../../routes.js';
import { PATIENCE } from '../../changes/actions.js';
import { toBatchPath } from '../../changes/read.js';
import type { Detail } from '../detail.js';

type Differs = NonNullable<Detail['shops'][number]['differs']>;

/**
 * The fields that all shops of the listing share. Prices of single variations and of single shops are
 * elsewhere in a request.
 */
const SHARED = 'listing.';

/** The changes that restore the values saved here; undefined if a field is not shared by all shops. */
export function buildReplacement(differs: Differs): { listing: Record<string, unknown> } | undefined {
  if (differs.length === 0 || differs.some(({ field }) => !field.startsWith(SHARED))) return undefined;
  const fields = differs.map(({ field, ours }) => [field.slice(SHARED.length), ours] as const);
  return { listing: Object.fromEntries(fields) };
}

/** Plans to replace edits made on Etsy with the values saved here. It leads to the review of the plan. */
export const replaceEdit: Page = {
  path: '/listings/{listing_pk}/replace-edit',
  is_outward: true,
  async post(visit) {
    const listing_pk = getListingPk(visit);
    const shop_id = visit.form.fields.get('shop_id');
    const { shops } = await visit.core.listings.get(visit.account_id, { listing_pk });
    const standing = shops.find((one) => one.shop_id === shop_id);
    const value = buildReplacement(standing?.differs ?? []);
    if (!value) return redirect(toListingPath(listing_pk));
    const { batch_id } = await visit.operations.call(
      'batch_create',
      {
        select: { listing_pks: [listing_pk] },
        edits: [{ field: 'any', op: 'merge', value }],
        shops: [Number(shop_id)],
        on_drift: 'overwrite',
      },
      PATIENCE,
    );
    return redirect(toBatchPath(batch_id));
  },
};
