import { foldCase } from '../../text/fold_case.js';
import { normalize } from '../../text/normalize.js';

/** The length as the API counts it: in Unicode code points. */
export function countChars(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function cutChars(text: string, max_chars: number): string {
  return countChars(text) > max_chars ? [...text].slice(0, max_chars).join('') : text;
}

/**
 * The characters of `text` that a class forbids, without duplicates, in order. `forbidden` must be global and
 * unicode.
 */
export function findForbidden(text: string, forbidden: RegExp): string[] {
  return [...new Set(text.match(forbidden) ?? [])];
}

/** Compares like the marketplace compares names of properties and values. */
export function isSameText(a: string, b: string): boolean {
  return foldCase(a.trim()) === foldCase(b.trim());
}

/**
 * A variation's value in the form the marketplace compares: it merges two products whose folded values are equal.
 */
export function foldValue(value: string): string {
  return normalize(value).trim().toLowerCase();
}

/** A text in the form the marketplace may return: it may compose characters and collapse whitespace. */
export function foldText(text: string): string {
  return normalize(text).replace(/\s+/g, ' ').trim();
}
