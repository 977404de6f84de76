import { foldCase } from '../../text/fold_case.js';

/** Length as the interface counts it: Unicode code points. */
export function countChars(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function cutChars(text: string, max_chars: number): string {
  return countChars(text) > max_chars ? [...text].slice(0, max_chars).join('') : text;
}

/** The characters of `text` that a class forbids, each once, in order. `forbidden` must be global and unicode. */
export function findForbidden(text: string, forbidden: RegExp): string[] {
  return [...new Set(text.match(forbidden) ?? [])];
}

/** Names characters so that invisible ones can be found: `"a" (U+0061)`. */
export function formatChars(chars: readonly string[]): string {
  const shown = chars.slice(0, 5).map((char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return /[\p{L}\p{N}\p{P}\p{S}]/u.test(char) ? `${char} (U+${code})` : `U+${code}`;
  });
  return shown.join(', ') + (chars.length > shown.length ? ', …' : '');
}

/** As the marketplace compares names of properties and values. */
export function isSameText(a: string, b: string): boolean {
  return foldCase(a.trim()) === foldCase(b.trim());
}

/** The marketplace makes one product of two whose values differ in nothing else. */
export function toComparable(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}
