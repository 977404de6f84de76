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

/** As the marketplace compares names of properties and values. */
export function isSameText(a: string, b: string): boolean {
  return foldCase(a.trim()) === foldCase(b.trim());
}

/** The marketplace makes one product of two whose values differ in nothing else. */
export function toComparable(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}
