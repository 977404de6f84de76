/**
 * The most combining marks that Unicode allows in text for streams; no language has more than a few. NFKC and NFKD also turn
 * the two half-width marks into combining ones.
 */
const STACKED = /(?<![\p{M}\uff9e\uff9f])[\p{M}\uff9e\uff9f]{31}/u;

/** Whether the text has a long run of combining marks. Normalizing such a run takes quadratic time. */
export function hasStackedMarks(text: string): boolean {
  return STACKED.test(text);
}

/** Normalizes the text, unless it has stacked marks. */
export function normalize(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
  return hasStackedMarks(text) ? text : text.normalize(form);
}
