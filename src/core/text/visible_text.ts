/*
 * Text that was written by others, and is passed on. Invisible characters in it can carry a whole message to a model, which reads
 * what no person sees; control characters rule a terminal; NUL and halves of surrogate pairs break what receives them.
 */

const BROKEN = String.raw`\0\p{Surrogate}`;

/** Tags, the selectors of the same plane, and what is unassigned there, of which nothing is ever drawn. */
const TAGS = String.raw`\u{e0000}-\u{e0fff}`;

/** Select among forms that no font of a shop has: of Mongolian letters and of symbols. */
const RARE_SELECTORS = String.raw`\u180b-\u180d\u180f\ufe00-\ufe0d`;

/** Between text and picture form; at home once behind a symbol that has both, and in a keycap. */
const STRAY_SELECTORS = String.raw`[\ufe0e\ufe0f](?<!\p{Extended_Pictographic}[\ufe0e\ufe0f])(?<![0-9#*]\ufe0f(?=\u20e3))`;

/** But tab and newline. */
const CONTROLS = String.raw`\u0001-\u0008\u000b-\u001f\u007f-\u009f`;

/** Characters that turn the direction of text, have no width, or are drawn as nothing. ZWJ and ZWNJ stay: emoji and Persian need them. */
const UNSEEN = String.raw`\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}`;

/** A joiner joins once. */
const STRAY_JOINERS = String.raw`[\u200c\u200d](?<=[\u200c\u200d]{2})`;

const SMUGGLED = `[${BROKEN}${TAGS}${RARE_SELECTORS}]|${STRAY_SELECTORS}`;
const HIDDEN = `[${BROKEN}${TAGS}${RARE_SELECTORS}${CONTROLS}${UNSEEN}]|${STRAY_SELECTORS}|${STRAY_JOINERS}`;

const ALL_BROKEN = new RegExp(`[${BROKEN}]+`, 'gu');
const ALL_SMUGGLED = new RegExp(SMUGGLED, 'gu');
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');
const ANY_HIDDEN = new RegExp(HIDDEN, 'u');

/** Text that a program may receive: without NUL and halves of surrogate pairs. */
export function dropBroken(text: string): string {
  return text.replace(ALL_BROKEN, '');
}

/** Also without tag characters and stray variation selectors, which have no meaning but a hidden one. */
export function dropSmuggled(text: string): string {
  return text.replace(ALL_SMUGGLED, '');
}

/** Text for a reader: also without control characters but tab and newline, and without anything else that is not seen. */
export function toVisibleText(text: string): string {
  return text.replace(ALL_HIDDEN, '');
}

export function hasHidden(text: string): boolean {
  return ANY_HIDDEN.test(text);
}

/** JSON of the same value, in which what is hidden stands as an escape. */
export function toVisibleJson(json: string): string {
  return json.replace(ALL_HIDDEN, (hidden) =>
    Array.from({ length: hidden.length }, (_, index) => toEscape(hidden.charCodeAt(index))).join(''),
  );
}

function toEscape(code_unit: number): string {
  return `\\u${code_unit.toString(16).padStart(4, '0')}`;
}

/** A copy of a value of JSON with each string in it changed, keys too. */
export function changeStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => changeStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), changeStrings(item, change)]),
  );
}

/** JSON for a program of another's, which may know neither NUL nor halves of pairs in strings. */
export function toReceivableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return BROKEN_IN_JSON.test(json) ? JSON.stringify(changeStrings(value, dropBroken)) : json;
}

/** As JSON.stringify writes them; what only looks like them is looked at in vain. */
const BROKEN_IN_JSON = /\\u(?:0000|d[89a-f])/;
