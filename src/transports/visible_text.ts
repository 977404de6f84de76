/**
 * Text for a reader: without control characters (but tab and newline) and without those that turn the writing direction,
 * both of which can hide words from a person or a model. ZWJ and ZWNJ stay: emoji and Persian need them.
 */
export function toVisibleText(text: string): string {
  return text.replace(HIDDEN, '');
}

const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu;
