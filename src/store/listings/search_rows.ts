import { sql, type SqlBool, type Transaction } from 'kysely';
import type { ListingRequest } from '../../../schemas/listing_request.js';
import { toBatches } from '../engine/lengths.js';
import type { Tables } from '../schema.js';
import { splitIndexed, toEndings, toSearchRow, toTerms, type SearchRow } from './search_text.js';

/*
 * The rows that a listing is found by. `listing_words` has its text, which decides. `listing_terms` and
 * `listing_term_endings` lead there: from the endings of words to the words, and from a word or a shop to the listings. All
 * of it is written with the account's row locked.
 */

type Place = { account_id: string; listing_pk: number };

/** Call it whenever the listing's request is written, in the same transaction. */
export async function saveSearchRows(
  trx: Transaction<Tables>,
  { account_id, listing_pk }: Place,
  request: ListingRequest,
): Promise<void> {
  const row = toSearchRow(request);
  const before = await findSearchRow(trx, { account_id, listing_pk });
  await trx
    .insertInto('listing_words')
    .values({ account_id, listing_pk, ...row })
    .onConflict((conflict) => conflict.columns(['account_id', 'listing_pk']).doUpdateSet(row))
    .execute();
  const had = new Set(before ? toTerms(before) : []);
  const has = new Set(toTerms(row));
  const added = [...has].filter((term) => !had.has(term));
  for (const terms of toBatches(added)) {
    await trx
      .insertInto('listing_terms')
      .values(terms.map((term) => ({ account_id, term, listing_pk })))
      .onConflict((conflict) => conflict.columns(['account_id', 'term', 'listing_pk']).doNothing())
      .execute();
  }
  // By words, not by terms: two very long words with the same term have different endings.
  const hadWords = new Set(before ? splitIndexed(before.words) : []);
  const addedWords = splitIndexed(row.words).filter((word) => !hadWords.has(word));
  for (const endings of toBatches(toEndings({ words: addedWords.join('\n') }))) {
    await trx
      .insertInto('listing_term_endings')
      .values(endings.map((ending) => ({ account_id, ...ending })))
      .onConflict((conflict) => conflict.columns(['account_id', 'ending', 'term']).doNothing())
      .execute();
  }
  if (before) {
    await removeTerms(trx, { account_id, listing_pk }, before, (term) => !has.has(term));
  }
}

/** Call it before the listing is deleted, which also deletes `listing_words` but nothing else. */
export async function removeSearchRows(trx: Transaction<Tables>, place: Place): Promise<void> {
  const before = await findSearchRow(trx, place);
  if (before) await removeTerms(trx, place, before, () => true);
}

async function findSearchRow(
  trx: Transaction<Tables>,
  { account_id, listing_pk }: Place,
): Promise<SearchRow | undefined> {
  return trx
    .selectFrom('listing_words')
    .select(['words', 'rest', 'shops', 'title_key'])
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .executeTakeFirst();
}

/** The endings of a word are deleted with the last listing that has it. */
async function removeTerms(
  trx: Transaction<Tables>,
  { account_id, listing_pk }: Place,
  before: SearchRow,
  isRemoved: (term: string) => boolean,
): Promise<void> {
  for (const terms of toBatches(toTerms(before).filter(isRemoved))) {
    await trx
      .deleteFrom('listing_terms')
      .where('account_id', '=', account_id)
      .where('term', 'in', terms)
      .where('listing_pk', '=', listing_pk)
      .execute();
  }
  for (const endings of toBatches(toEndings(before).filter(({ term }) => isRemoved(term)))) {
    const rows = sql.join(endings.map(({ ending, term }) => sql`(${ending}, ${term})`));
    await trx
      .deleteFrom('listing_term_endings')
      .where('account_id', '=', account_id)
      .where(sql<SqlBool>`(ending, term) IN (VALUES ${rows})`)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('listing_terms')
              .select('listing_terms.listing_pk')
              .whereRef('listing_terms.account_id', '=', 'listing_term_endings.account_id')
              .whereRef('listing_terms.term', '=', 'listing_term_endings.term'),
          ),
        ),
      )
      .execute();
  }
}
