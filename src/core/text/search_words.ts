import { foldCase } from './fold_case.js';
import { normalize } from './normalize.js';

/** Folds searched text and the words of a search in the same way: any case, any width, composed. */
export function foldForSearch(text: string): string {
  return foldCase(normalize(text, 'NFKC'));
}

/** The words of a search, folded, each once; a result contains each of them somewhere. */
export function toSearchWords(keywords: string): string[] {
  return [...new Set(foldForSearch(keywords).split(/\s+/))].filter((word) => word !== '');
}
