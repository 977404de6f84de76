/*
 * Foreign text that is passed on. Invisible characters in it can carry a whole message to a model, which reads what no person
 * sees; control characters can control a terminal; NUL and lone surrogates break the programs that receive them.
 */

const BROKEN = String.raw`\0\p{Surrogate}`;

/** Tags, the selectors of the same plane, and its unassigned code points; none of them is ever drawn. */
const TAGS = String.raw`\u{e0000}-\u{e0fff}`;

/** Select between forms that no shop's font has: of Mongolian letters and of symbols. */
const RARE_SELECTORS = String.raw`\u180b-\u180d\u180f\ufe00-\ufe0d`;

/** Select text or emoji presentation; valid once after a symbol that has both, and in a keycap. */
const STRAY_SELECTORS = String.raw`[\ufe0e\ufe0f](?<!\p{Extended_Pictographic}[\ufe0e\ufe0f])(?<![0-9#*]\ufe0f(?=\u20e3))`;

/** All except tab and newline. */
const CONTROLS = String.raw`\u0001-\u0008\u000b-\u001f\u007f-\u009f`;

/**
 * Characters that change the direction of text, have no width, or are drawn as nothing. ZWJ and ZWNJ stay: emoji and Persian
 * need them.
 */
const UNSEEN = String.raw`\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}`;

/** A joiner after another joiner has no effect. */
const STRAY_JOINERS = String.raw`[\u200c\u200d](?<=[\u200c\u200d]{2})`;

const SMUGGLED = `[${BROKEN}${TAGS}${RARE_SELECTORS}]|${STRAY_SELECTORS}`;
const HIDDEN = `[${BROKEN}${TAGS}${RARE_SELECTORS}${CONTROLS}${UNSEEN}]|${STRAY_SELECTORS}|${STRAY_JOINERS}`;

const ALL_BROKEN = new RegExp(`[${BROKEN}]+`, 'gu');
const ALL_SMUGGLED = new RegExp(SMUGGLED, 'gu');
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');
const ANY_HIDDEN = new RegExp(HIDDEN, 'u');

/** Text that is safe for a program: without NUL and lone surrogates. */
export function dropBroken(text: string): string {
  return text.replace(ALL_BROKEN, '');
}

/** Also without tag characters and stray variation selectors, whose only use is to hide something. */
export function dropSmuggled(text: string): string {
  return text.replace(ALL_SMUGGLED, '');
}

/** Text for a reader: also without control characters except tab and newline, and without other invisible characters. */
export function toVisibleText(text: string): string {
  return text.replace(ALL_HIDDEN, '');
}

export function hasHidden(text: string): boolean {
  return ANY_HIDDEN.test(text);
}

/** JSON of the same value, with hidden characters escaped. */
export function toVisibleJson(json: string): string {
  return json.replace(ALL_HIDDEN, (hidden) =>
    Array.from({ length: hidden.length }, (_, index) => toEscape(hidden.charCodeAt(index))).join(''),
  );
}

function toEscape(code_unit: number): string {
  return `\\u${code_unit.toString(16).padStart(4, '0')}`;
}

/** A copy of a JSON value with each string in it changed, including keys. */
export function changeStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => changeStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), changeStrings(item, change)]),
  );
}

/** JSON for a foreign program, which may support neither NUL nor lone surrogates in strings. */
export function toReceivableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return BROKEN_IN_JSON.test(json) ? JSON.stringify(changeStrings(value, dropBroken)) : json;
}

/** As JSON.stringify writes them; a text that only looks like one costs a needless pass. */
const BROKEN_IN_JSON = /\\u(?:0000|d[89a-f])/;
