import { sql, type Transaction } from 'kysely';
import type { ListingFilter, ListingRecord, ListingSort, SeenPlace } from '../../core/ports/index.js';
import { contains } from '../contains.js';
import { fromJson } from '../json.js';
import { toNumber } from '../numbers.js';
import type { Tables } from '../schema.js';
import { toListing } from './rows.js';
import { toSearchWords, toShopMark } from './search_text.js';
import { countListings } from './totals.js';

/** How many there are that listPage would give. */
export async function countFound(
  trx: Transaction<Tables>,
  account_id: string,
  filter: ListingFilter,
): Promise<number> {
  const { status, keywords, shop_id, shop_state } = filter;
  if (keywords === undefined && shop_id === undefined && shop_state === undefined) {
    return countListings(trx, account_id, status);
  }
  const { total } = await find(trx, account_id, filter)
    .select((eb) => eb.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  return toNumber(total);
}

/** Adds the places of each listing, in the order of its shops. */
export async function listPage(
  trx: Transaction<Tables>,
  account_id: string,
  filter: ListingFilter,
  { limit, offset, sort }: { limit: number; offset: number; sort: ListingSort | undefined },
): Promise<(ListingRecord & { places: SeenPlace[] })[]> {
  const found = find(trx, account_id, filter).selectAll('listings').limit(limit).offset(offset);
  const sorted =
    sort === 'changed'
      ? found.orderBy('listings.updated_at', 'desc')
      : sort === 'title'
        ? found
            .innerJoin('listing_words', (join) =>
              join
                .onRef('listing_words.account_id', '=', 'listings.account_id')
                .onRef('listing_words.listing_pk', '=', 'listings.listing_pk'),
            )
            .orderBy('listing_words.words')
        : found;
  const listings = (await sorted.orderBy('listings.listing_pk', 'desc').execute()).map(toListing);
  if (listings.length === 0) return [];
  const pks = listings.map(({ listing_pk }) => listing_pk);
  const seen = await trx
    .selectFrom('publications')
    .select(['listing_pk', 'shop_id', 'listing_id', 'state', 'seen_at', 'ends_at', 'shown'])
    .where('account_id', '=', account_id)
    .where('listing_pk', 'in', pks)
    .execute();
  return listings.map((listing) => ({
    ...listing,
    places: listing.request.shops.map(({ shop_id }) => {
      const known = seen.find((row) => row.listing_pk === listing.listing_pk && row.shop_id === shop_id);
      const { listing_id = null, state = null, seen_at = null, ends_at = null, shown = null } = known ?? {};
      return { shop_id, listing_id, state, seen_at, ends_at, shown: shown && fromJson(shown) };
    }),
  }));
}

/**
 * The most selective condition is evaluated first, in a subquery: row by row beside each listing, a search of a hundred thousand would take
 * seconds.
 */
function find(trx: Transaction<Tables>, account_id: string, filter: ListingFilter) {
  const { status, keywords, shop_id, shop_state } = filter;
  const words = keywords === undefined ? [] : toSearchWords(keywords);
  let query = trx.selectFrom('listings').where('listings.account_id', '=', account_id);
  query =
    status === undefined
      ? // Its index is used only where this stands in the text of the query.
        query.where(sql<boolean>`listings.status <> 'given_up'`)
      : query.where('listings.status', '=', status);
  if (words.length > 0 || shop_id !== undefined) {
    query = query.where('listings.listing_pk', 'in', ({ selectFrom }) => {
      let named = selectFrom('listing_words').select('listing_pk').where('account_id', '=', account_id);
      for (const word of words) named = named.where(contains('words', word));
      return shop_id === undefined ? named : named.where(contains('shops', toShopMark(shop_id)));
    });
  }
  if (shop_state === undefined) return query;
  return query.where('listings.listing_pk', 'in', ({ selectFrom }) => {
    const there = selectFrom('publications')
      .select('listing_pk')
      .where('account_id', '=', account_id)
      .where('state', '=', shop_state);
    return shop_id === undefined ? there : there.where('shop_id', '=', shop_id);
  });
}
