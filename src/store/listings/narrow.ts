import type { Transaction } from 'kysely';
import type { ListingFilter } from '../../core/ports/index.js';
import type { Tables } from '../schema.js';
import { LONG_TERM, toEndingRange, toShopMark } from './search_text.js';
import { toSearchWords } from '../../core/text/search_words.js';

/**
 * The most listings that count as few. If more match a condition, then of a hundred thousand at least one in two hundred
 * matches it, so a page of matches is found quickly by examining one after the other, in the requested order.
 */
const FEW = 500;
const MANY = FEW + 1;

/**
 * The numbers of a few listings that include all matches of the filter; undefined if many listings match each of its
 * conditions. Looks up each condition by an index, and stops once the matches are many, however many listings the account
 * has.
 */
export async function findFew(
  trx: Transaction<Tables>,
  account_id: string,
  { status, keywords, shop_id, shop_state }: ListingFilter,
): Promise<number[] | undefined> {
  const lookups = [
    ...toSearchWords(keywords ?? '').map((word) => () => findByWord(trx, account_id, word)),
    ...(shop_state === undefined ? [] : [() => findByShopState(trx, account_id, shop_state, shop_id)]),
    ...(shop_id === undefined ? [] : [() => findByTerm(trx, account_id, toShopMark(shop_id))]),
    ...(status === undefined ? [] : [() => findByStatus(trx, account_id, status)]),
  ];
  let fewest: number[] | undefined;
  for (const lookup of lookups) {
    const rows = await lookup();
    if (rows.length >= MANY || rows.length >= (fewest?.length ?? Infinity)) continue;
    fewest = [...new Set(rows.map(({ listing_pk }) => listing_pk))];
    if (fewest.length === 0) break;
  }
  return fewest;
}

/** The listings that have the word, and those with too many words for the index. */
async function findByWord(trx: Transaction<Tables>, account_id: string, word: string) {
  const { from, before } = toEndingRange(word);
  const having = await trx
    .selectFrom('listing_term_endings as ended')
    .innerJoin('listing_terms as found', (join) =>
      join.onRef('found.account_id', '=', 'ended.account_id').onRef('found.term', '=', 'ended.term'),
    )
    .select('found.listing_pk')
    .where('ended.account_id', '=', account_id)
    .where('ended.ending', '>=', from)
    .where('ended.ending', '<', before)
    .limit(MANY)
    .execute();
  return [...having, ...(await findByTerm(trx, account_id, LONG_TERM))];
}

function findByTerm(trx: Transaction<Tables>, account_id: string, term: string) {
  return trx
    .selectFrom('listing_terms')
    .select('listing_pk')
    .where('account_id', '=', account_id)
    .where('term', '=', term)
    .limit(MANY)
    .execute();
}

function findByShopState(
  trx: Transaction<Tables>,
  account_id: string,
  state: NonNullable<ListingFilter['shop_state']>,
  shop_id: number | undefined,
) {
  const there = trx
    .selectFrom('publications')
    .select('listing_pk')
    .where('account_id', '=', account_id)
    .where('state', '=', state)
    .limit(MANY);
  return (shop_id === undefined ? there : there.where('shop_id', '=', shop_id)).execute();
}

function findByStatus(
  trx: Transaction<Tables>,
  account_id: string,
  status: NonNullable<ListingFilter['status']>,
) {
  return trx
    .selectFrom('listings')
    .select('listing_pk')
    .where('account_id', '=', account_id)
    .where('status', '=', status)
    .limit(MANY)
    .execute();
}
