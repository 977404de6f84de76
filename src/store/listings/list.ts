import { sql, type Transaction } from 'kysely';
import type { ListingFilter, ListingRecord, ListingSort, SeenPlace } from '../../core/ports/index.js';
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

/** With where each stands, in the order of its shops. */
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
        ? found.orderBy('listing_words.words')
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

function find(trx: Transaction<Tables>, account_id: string, filter: ListingFilter) {
  const { status, keywords, shop_id, shop_state } = filter;
  let query = trx
    .selectFrom('listings')
    .innerJoin('listing_words', (join) =>
      join
        .onRef('listing_words.account_id', '=', 'listings.account_id')
        .onRef('listing_words.listing_pk', '=', 'listings.listing_pk'),
    )
    .where('listings.account_id', '=', account_id);
  query =
    status === undefined
      ? query.where('listings.status', '<>', 'given_up')
      : query.where('listings.status', '=', status);
  for (const word of keywords === undefined ? [] : toSearchWords(keywords)) {
    const pattern = `%${word.replace(/[\\%_]/g, String.raw`\$&`)}%`;
    query = query.where(sql<boolean>`listing_words.words like ${pattern} escape '\\'`);
  }
  if (shop_id !== undefined) query = query.where('listing_words.shops', 'like', `%${toShopMark(shop_id)}%`);
  if (shop_state === undefined) return query;
  return query.where(({ exists, selectFrom }) => {
    const there = selectFrom('publications')
      .select('publications.shop_id')
      .whereRef('publications.account_id', '=', 'listings.account_id')
      .whereRef('publications.listing_pk', '=', 'listings.listing_pk')
      .where('publications.state', '=', shop_state);
    return exists(shop_id === undefined ? there : there.where('publications.shop_id', '=', shop_id));
  });
}
