import { toVisibleText } from './visible_text.js';

const MAX_NAME_CHARS = 80;

/**
 * Makes foreign text (the marketplace's, a remote server's) safe for a message: cleaned, shortened and quoted. No mark inside
 * it ends the quotation: each gets a backslash, as in JSON.
 */
export function quoteForeign(text: string, max_chars = 300): string {
  return `"${cleanForeign(text, max_chars).replace(MARKS, String.raw`\$&`)}"`;
}

/** A foreign name, quoted: of a shop, a file, a property. */
export function quoteName(name: string): string {
  return quoteForeign(name, MAX_NAME_CHARS);
}

/** The marketplace's message, quoted; or our own words if it gave no reason. */
export function quoteAnswer({ message, is_ours }: { message: string; is_ours: boolean }): string {
  return is_ours ? cleanForeign(message, 300) : quoteForeign(message);
}

/** Characters that a reader could mistake for a double quotation mark, and the backslash. */
const MARKS = /["\\\u201c-\u201f\u2033\u2036\u275d\u275e\u301d-\u301f\uff02]/g;

/** Removes invisible characters and shortens to the limit. For values that are data; in a sentence, names are quoted. */
export function cleanForeign(text: string, max_chars = MAX_NAME_CHARS): string {
  const clean = replaceInvisible(text, ' ').trim();
  if (clean.length <= max_chars) return clean;
  const chars = [...clean];
  return chars.length > max_chars ? `${chars.slice(0, max_chars).join('')}…` : clean;
}

/**
 * The replacement is for characters that separate words (a newline, changes of text direction); other invisible characters
 * are removed.
 */
export function replaceInvisible(text: string, replacement: string): string {
  return toVisibleText(text.replace(PARTING, replacement));
}

const PARTING = /[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;
