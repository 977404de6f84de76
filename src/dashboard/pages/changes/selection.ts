import { MOST_LISTINGS, type BatchFilter, type BatchSelect } from '../../../../schemas/batch.js';
import type { ConnectedShop } from '../../../core/ports/index.js';
import type { OwnVisit } from '../../page.js';
import { findListings } from '../find_listings.js';
import { readListingsQuery, toEndingMoment, toFields, type ListingsQuery } from '../listings_query.js';
import { listKept } from '../shops/kept.js';

/** Listings that are ticked, or all that match the list's filter. */
type Selection = {
  select: BatchSelect;
  /** The form fields that identify them. */
  fields: [string, string][];
  query: ListingsQuery;
};

/** Facts about the selected listings before they are read. */
export type Scope = Selection & {
  count: number;
  /** The shops that have them, as far as the filter says. */
  shops: ConnectedShop[];
  /** The ids of the shops that every selected listing is in. */
  shared: ReadonlySet<string>;
  /** Every connected shop. */
  connected: ConnectedShop[];
};

/** More than the list can tick on a page. */
export const MOST_TICKED = 200;
const PAGE = 100;

/** From an address or a form; undefined if nothing is ticked. */
export function readSelection(params: URLSearchParams, now: Date): Selection | undefined {
  const query = readListingsQuery(params);
  if (params.get('all') !== null) {
    const { keywords, shop_id, status, shop_state, is_ending } = query;
    const ends_before = is_ending ? toEndingMoment(now) : undefined;
    const filter: BatchFilter = { keywords, shop_id, status, shop_state, ends_before };
    return { select: { filter }, fields: [['all', '1'], ...toFields(query)], query };
  }
  const ticked = params
    .getAll('listing')
    .slice(0, MOST_TICKED)
    .map(Number)
    .filter((listing_pk) => Number.isSafeInteger(listing_pk) && listing_pk > 0);
  if (ticked.length === 0) return undefined;
  const fields = ticked.map((listing_pk): [string, string] => ['listing', `${listing_pk}`]);
  return { select: { listing_pks: ticked }, fields: [...fields, ...toFields(query)], query };
}

/** Throws LISTING_NOT_FOUND. */
export async function readScope(visit: OwnVisit, selection: Selection, now: Date): Promise<Scope> {
  const { select, query } = selection;
  const shop_ids = new Set<string>();
  const read: (readonly string[])[] = [];
  const { shop_id: only, shop_state } = select.filter ?? {};
  let count = 0;
  if (select.listing_pks) {
    for (const listing_pk of select.listing_pks) {
      const listing = await visit.core.listings.peek(visit.account_id, { listing_pk });
      for (const shop_id of listing.shop_ids) shop_ids.add(shop_id);
      read.push(listing.shop_ids);
    }
    count = select.listing_pks.length;
  } else {
    // A plan of more is refused.
    for (let offset = 0; offset === 0 || offset < Math.min(count, MOST_LISTINGS); offset += PAGE) {
      const page = await findListings(visit, query, { limit: PAGE, offset }, now);
      for (const { shop_id, listing_id, state } of page.listings.flatMap(({ shops }) => shops)) {
        const isMeant = only === undefined || shop_id === `${only}`;
        const isInState = shop_state === undefined || state === shop_state;
        if (isMeant && isInState && listing_id !== null) shop_ids.add(shop_id);
      }
      read.push(...page.listings.map((listing) => listing.shop_ids));
      count = page.total;
    }
  }
  const connected = await listKept(visit);
  const shops = connected.filter(({ shop_id }) => shop_ids.has(String(shop_id)));
  const shared = new Set([...shop_ids].filter((shop_id) => read.every((own) => own.includes(shop_id))));
  return { ...selection, count, shops, shared, connected };
}

/** The shops in which the selected listings are changed. */
export function listTicked({ shops }: Pick<Scope, 'shops'>, fields: URLSearchParams): ConnectedShop[] {
  if (shops.length < 2) return shops;
  const ticked = fields.getAll('in');
  return shops.filter(({ shop_id }) => ticked.includes(`${shop_id}`));
}
