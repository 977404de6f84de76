import { normalize } from '../../text/normalize.js';

/**
 * Tags or materials as sent: Unicode composed, trimmed, without duplicates (ignoring case). Undefined if there are
 * none.
 */
export function toWords(words: readonly string[] | null | undefined): string[] | undefined {
  if (!words || words.length === 0) return undefined;
  const repeated = new Set(findRepeated(words).map(({ index }) => index));
  return words.filter((_, index) => !repeated.has(index)).map(toWord);
}

/** Words that occur earlier in the list, and where: mug and Mug are one tag. */
export function findRepeated(words: readonly string[]): { index: number; first: number }[] {
  const seen = new Map<string, number>();
  return words.flatMap((word, index) => {
    const key = toWord(word).toLowerCase();
    const first = seen.get(key);
    if (first !== undefined) return [{ index, first }];
    seen.set(key, index);
    return [];
  });
}

function toWord(word: string): string {
  return normalize(word).trim();
}
