import { buildValidationError } from '../issues/issues.js';
import { foldCase } from './fold_case.js';

/** Each word is looked for in all texts, so a search of many words would hold up everyone. */
const MOST_WORDS = 8;

/** Searched text and the words of a search are folded alike: any case, any width, composed. */
export function foldForSearch(text: string): string {
  return foldCase(text.normalize('NFKC'));
}

/** The words of a search, folded, each once; a result has each of them somewhere. */
export function toSearchWords(keywords: string): string[] {
  return [...new Set(foldForSearch(keywords).split(/\s+/))].filter((word) => word !== '');
}

/** Throws VALIDATION_FAILED for a search of too many words. */
export function checkSearchWords(keywords = ''): void {
  const count = toSearchWords(keywords).length;
  if (count <= MOST_WORDS) return;
  throw buildValidationError([
    { code: 'search_too_many_words', at: 'keywords', params: { count, most: MOST_WORDS } },
  ]);
}
