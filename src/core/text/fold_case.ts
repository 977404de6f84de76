import { normalize } from './normalize.js';

/**
 * Text as it is compared where case makes no difference, in any language: `STRASSE` is `Straße`, `IŞIK` is `ışık`, and `İ` is `i`.
 * JavaScript's lower case knows none of these.
 */
export function foldCase(text: string): string {
  return normalize(normalize(text).toUpperCase().toLowerCase().replaceAll(DOTTED_I, 'i'));
}

/** What lower case makes of İ: an i with a second dot. */
const DOTTED_I = 'i\u0307';
