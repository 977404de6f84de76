import { buildValidationError } from '../../issues/issues.js';
import { toSearchWords } from '../../text/search_words.js';

/** Each word is searched for in all texts, so a search for many words would slow down everyone. */
const MOST_WORDS = 8;

/** Throws VALIDATION_FAILED for a search with too many words. */
export function checkSearchWords(keywords = ''): void {
  const count = toSearchWords(keywords).length;
  if (count <= MOST_WORDS) return;
  throw buildValidationError([
    { code: 'search_too_many_words', at: 'keywords', params: { count, most: MOST_WORDS } },
  ]);
}
