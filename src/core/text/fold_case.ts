/**
 * Text as it is compared where case makes no difference, in any language: `STRASSE` is `Straße`, `IŞIK` is `ışık`, and `İ` is `i`.
 * JavaScript's lower case knows none of these.
 */
export function foldCase(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll(DOTTED_I, 'i').normalize('NFC');
}

/** What lower case makes of İ: an i with a second dot. */
const DOTTED_I = 'i\u0307';
