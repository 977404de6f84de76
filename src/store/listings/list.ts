import { sql, type SqlBool, type Transaction } from 'kysely';
import type { ListingFilter, ListingRecord, ListingSort, Page, ListedPlace } from '../../core/ports/index.js';
import { contains } from '../contains.js';
import { padList } from '../engine/lengths.js';
import { fromJson } from '../json.js';
import { toNumber } from '../numbers.js';
import type { Tables } from '../schema.js';
import { findFew } from './narrow.js';
import { toListing } from './rows.js';
import { toShopMark, toWholeTerm } from './search_text.js';
import { toSearchWords } from '../../core/text/search_words.js';
import { countListings } from './totals.js';

type ListOptions = { limit: number; offset: number; sort: ListingSort | undefined };

/**
 * A page of the listings that match the filter, with the places of each, in the order of its shops. If few listings match a
 * condition, only those are examined; otherwise all are, in order, until the page is full.
 */
export async function listListings(
  trx: Transaction<Tables>,
  account_id: string,
  filter: ListingFilter,
  { limit, offset, sort }: ListOptions,
): Promise<Page<ListingRecord & { places: ListedPlace[] }>> {
  const total = await findTotal(trx, account_id, filter);
  const isAll = total !== undefined && (sort ?? 'newest') === 'newest';
  const few = isAll ? undefined : await findFew(trx, account_id, filter);
  if (few) {
    const found = few.length === 0 ? [] : await listNumbers(find(trx, account_id, filter, few), sort);
    const items = await readListings(trx, account_id, found.slice(offset, offset + limit));
    return { total: found.length, items };
  }
  const page = await listNumbers(find(trx, account_id, filter).limit(limit).offset(offset), sort);
  return {
    total: total ?? (await countMany(trx, account_id, filter)),
    items: await readListings(trx, account_id, page),
  };
}

/** If the total is stored, and nothing needs to be counted. */
async function findTotal(
  trx: Transaction<Tables>,
  account_id: string,
  { status, keywords, shop_id, shop_state }: ListingFilter,
): Promise<number | undefined> {
  const isPlain = toSearchWords(keywords ?? '').length === 0 && shop_id === undefined;
  return isPlain && shop_state === undefined ? countListings(trx, account_id, status) : undefined;
}

/**
 * Counts the matches of conditions that many listings match; this takes longer the more listings there are. It reads the
 * searched text from end to end, and compares the listings that have the status with the result instead of looking up each.
 */
async function countMany(
  trx: Transaction<Tables>,
  account_id: string,
  filter: ListingFilter,
): Promise<number> {
  const { status, shop_id, shop_state, ends_before } = filter;
  let met = trx
    .selectFrom('listing_words')
    .select((eb) => eb.fn.countAll().as('total'))
    .where('listing_words.account_id', '=', account_id)
    .where(({ and }) => and(listTextConditions(account_id, filter)));
  if (shop_state !== undefined) {
    met = met.where('listing_words.listing_pk', 'in', ({ selectFrom }) => {
      const there = selectFrom('publications')
        .select('listing_pk')
        .where('account_id', '=', account_id)
        .where('state', '=', shop_state)
        .$if(ends_before !== undefined, (ending) => ending.where('ends_at', '<', ends_before ?? ''));
      return shop_id === undefined ? there : there.where('shop_id', '=', shop_id);
    });
  }
  const ofStatus = met.where('listing_words.listing_pk', 'in', ({ selectFrom }) =>
    selectFrom('listings')
      .select('listing_pk')
      .where('account_id', '=', account_id)
      .where('status', '=', status ?? 'given_up'),
  );
  const count = async (query: typeof met) => toNumber((await query.executeTakeFirstOrThrow()).total);
  return status === undefined ? (await count(met)) - (await count(ofStatus)) : count(ofStatus);
}

/**
 * Conditions are checked listing by listing, so that a page of many need not examine all of them.
 * @param few numbers of listings that include all matches
 */
function find(trx: Transaction<Tables>, account_id: string, filter: ListingFilter, few?: readonly number[]) {
  const { status, shop_id, shop_state, ends_before } = filter;
  const all = trx.selectFrom('listings').select('listings.listing_pk');
  // The numbers all belong to this account. Adding its id would make SQLite scan all of its listings.
  let query = few
    ? all.where('listings.listing_pk', 'in', few)
    : all.where('listings.account_id', '=', account_id);
  query =
    status === undefined
      ? // Its index is only used if this is in the text of the query.
        query.where(sql<boolean>`listings.status <> 'given_up'`)
      : query.where('listings.status', '=', status);
  const conditions = listTextConditions(account_id, filter);
  if (conditions.length > 0) {
    query = query.where(({ and, exists, selectFrom }) =>
      exists(
        selectFrom('listing_words')
          .select('listing_words.listing_pk')
          .whereRef('listing_words.account_id', '=', 'listings.account_id')
          .whereRef('listing_words.listing_pk', '=', 'listings.listing_pk')
          .where(and(conditions)),
      ),
    );
  }
  if (shop_state === undefined) return query;
  return query.where(({ exists, selectFrom }) => {
    const there = selectFrom('publications')
      .select('publications.listing_pk')
      .whereRef('publications.account_id', '=', 'listings.account_id')
      .whereRef('publications.listing_pk', '=', 'listings.listing_pk')
      .where('publications.state', '=', shop_state)
      .$if(ends_before !== undefined, (ending) =>
        ending.where('publications.ends_at', '<', ends_before ?? ''),
      );
    return exists(shop_id === undefined ? there : there.where('publications.shop_id', '=', shop_id));
  });
}

async function listNumbers(found: ReturnType<typeof find>, sort: ListingSort | undefined): Promise<number[]> {
  const sorted =
    sort === 'title'
      ? found
          .innerJoin('listing_words as titled', (join) =>
            join
              .onRef('titled.account_id', '=', 'listings.account_id')
              .onRef('titled.listing_pk', '=', 'listings.listing_pk'),
          )
          .orderBy('titled.title_key')
          .orderBy('titled.listing_pk', 'desc')
      : sort === 'changed'
        ? found.orderBy('listings.updated_at', 'desc').orderBy('listings.listing_pk', 'desc')
        : found.orderBy('listings.listing_pk', 'desc');
  const rows = await sorted.execute();
  return rows.map(({ listing_pk }) => listing_pk);
}

/** On `listing_words`: it contains each of the words, and the shop. */
function listTextConditions(account_id: string, { keywords, shop_id }: ListingFilter) {
  return [
    ...padList(toSearchWords(keywords ?? '')).map((word) => hasWord(account_id, word)),
    ...(shop_id === undefined ? [] : [contains('listing_words.shops', toShopMark(shop_id))]),
  ];
}

/** Anywhere in the searched text, or as a whole word after it. */
function hasWord(account_id: string, word: string) {
  return sql<SqlBool>`(${contains('listing_words.words', word)} OR listing_words.listing_pk IN (
    SELECT listing_pk FROM listing_terms WHERE account_id = ${account_id} AND term = ${toWholeTerm(word)}
  ))`;
}

/** In the order of the numbers. */
async function readListings(
  trx: Transaction<Tables>,
  account_id: string,
  numbers: readonly number[],
): Promise<(ListingRecord & { places: ListedPlace[] })[]> {
  if (numbers.length === 0) return [];
  const rows = await trx
    .selectFrom('listings')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('listing_pk', 'in', numbers)
    .execute();
  const seen = await trx
    .selectFrom('publications')
    .select(['listing_pk', 'shop_id', 'listing_id', 'state', 'seen_at', 'ends_at', 'shown', 'progress'])
    .where('account_id', '=', account_id)
    .where('listing_pk', 'in', numbers)
    .execute();
  const listings = new Map(rows.map((row) => [row.listing_pk, toListing(row)]));
  return numbers.flatMap((listing_pk) => {
    const listing = listings.get(listing_pk);
    if (!listing) return [];
    const places = listing.request.shops.map(({ shop_id }) => {
      const known = seen.find((row) => row.listing_pk === listing_pk && row.shop_id === shop_id);
      const { listing_id = null, state = null, seen_at = null, ends_at = null, shown = null } = known ?? {};
      const progress = known ? fromJson(known.progress) : {};
      return { shop_id, listing_id, state, seen_at, ends_at, shown: shown && fromJson(shown), progress };
    });
    return [{ ...listing, places }];
  });
}
