import type { ListingRequest } from '../../../schemas/listing_request.js';
import { foldForSearch } from '../../core/text/search_words.js';

/** The columns that searches and the order by title use. */
export type SearchRow = {
  /** The title and the SKUs, folded, one per line: as many as a search reads. */
  words: string;
  /** Words of the remaining SKUs, one per line, which are only found whole. */
  rest: string;
  /** A mark for each of its shops. */
  shops: string;
  /** The sort key: the beginning of `words`, short enough for an index. */
  title_key: string;
};

/** In characters. PostgreSQL accepts no key of more than 2,700 bytes, and a character has four bytes at most. */
const KEY_LENGTH = 200;
const TERM_LENGTH = 100;
const ENDING_LENGTH = 60;
/**
 * Of all words together, in characters, each of which is a row of endings. Only hundreds of SKUs, or SKUs as long as a page,
 * exceed it, and would hold up every other write.
 */
const MAX_INDEXED = 5_000;
/** The term of the listings that exceed it. No word equals it, since no word contains a space. */
export const LONG_TERM = ' long';
/** Of one listing, in characters: each search reads the text of all listings. */
const MAX_SEARCHED = 10_000;
/** Of one listing: each is a row. */
const MAX_WHOLE = 5_000;

export function toSearchRow(request: ListingRequest): SearchRow {
  const { words: all, ...row } = toWholeRow(request);
  const lines = all.split('\n');
  let length = 0;
  const end = lines.findIndex((line) => (length += line.length + 1) > MAX_SEARCHED + 1);
  if (end === -1) return { words: all, rest: '', ...row };
  // A title is searched as a whole, however long it is.
  const words = lines.slice(0, Math.max(1, end)).join('\n');
  const rest = [...new Set(splitWords(lines.slice(Math.max(1, end)).join('\n')))].slice(0, MAX_WHOLE);
  return { words, rest: rest.join('\n'), ...row };
}

/** The same without a bound. */
function toWholeRow({ listing, variations, shops }: ListingRequest): Omit<SearchRow, 'rest'> {
  const skus = [listing.sku, ...(variations?.offerings ?? []).map(({ sku }) => sku)];
  const words = foldForSearch([listing.title, ...skus.filter((sku) => sku)].join('\n'));
  return {
    words,
    shops: shops.map(({ shop_id }) => toShopMark(shop_id)).join(''),
    title_key: cut(words, KEY_LENGTH),
  };
}

/** The term of a word that is only found whole. No word equals it, since no word contains a space. */
export function toWholeTerm(word: string): string {
  return ` =${cut(word, TERM_LENGTH)}`;
}

/** No mark is part of another one. */
export function toShopMark(shop_id: number): string {
  return `,${shop_id},`;
}

/**
 * The terms that a listing is found by: its words, cut if they are very long, or the one term of all listings that have too
 * many of them, and the marks of its shops. Several words may have the same term, so the listings that a term finds must be
 * compared with the words.
 */
export function toTerms({
  words,
  shops,
  rest = '',
}: Pick<SearchRow, 'words' | 'shops'> & Partial<Pick<SearchRow, 'rest'>>): string[] {
  const terms = isLong(words) ? [LONG_TERM] : splitIndexed(words).map((word) => cut(word, TERM_LENGTH));
  return [...new Set([...terms, ...splitWords(rest).map(toWholeTerm), ...splitMarks(shops)])];
}

/** The words of a row whose endings are stored. */
export function splitIndexed(words: string): string[] {
  return isLong(words) ? [] : splitWords(words);
}

function isLong(words: string): boolean {
  return [...words].length > MAX_INDEXED;
}

/**
 * The endings of each word, by which it is found from any place inside it: a text inside a word is the beginning of one of
 * its endings.
 */
export function toEndings({ words }: Pick<SearchRow, 'words'>): { ending: string; term: string }[] {
  const all = splitIndexed(words).flatMap((word) => {
    const term = cut(word, TERM_LENGTH);
    const characters = [...word];
    return characters.map((_, start) => ({
      ending: characters.slice(start, start + ENDING_LENGTH).join(''),
      term,
    }));
  });
  return [...new Map(all.map((one) => [`${one.ending} ${one.term}`, one])).values()];
}

/** Endings of words that contain this text are at or after `from`, and before `before`. */
export function toEndingRange(word: string): { from: string; before: string } {
  const from = cut(word, ENDING_LENGTH);
  return { from, before: `${from}${LAST_CHARACTER}` };
}

const LAST_CHARACTER = '\u{10FFFF}';

/** @param folded in the form of `words` of a row */
function splitWords(folded: string): string[] {
  return folded.split(/\s+/).filter((word) => word !== '');
}

function splitMarks(shops: string): string[] {
  return shops.match(/,\d+,/g) ?? [];
}

function cut(text: string, length: number): string {
  return [...text].slice(0, length).join('');
}
