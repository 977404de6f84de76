import { normalize } from './normalize.js';

/**
 * Text for comparing without regard to case, in any language: `STRASSE` equals `Straße`, `IŞIK` equals `ışık`, and `İ` equals
 * `i`. JavaScript's lower case handles none of these.
 */
export function foldCase(text: string): string {
  return normalize(normalize(text).toUpperCase().toLowerCase().replaceAll(DOTTED_I, 'i'));
}

/** The lower case of İ: an i with a second dot. */
const DOTTED_I = 'i\u0307';
