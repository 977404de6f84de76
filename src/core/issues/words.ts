import type { Fact, Note, Path } from '../../../schemas/issue.js';
import { quoteForeign } from '../text/foreign.js';
import { toFieldWords } from './field_words.js';

/** The words of a fact inside another one, for the same reader. */
export type Say = (fact: Fact & { at?: Path; notes?: readonly Note[] }) => string;

/**
 * The words of each code. `program`: for programs and assistants, the end of a line that begins with the path; a whole
 * sentence if there is no path. `seller`: a whole line, which names no operation, field or setting.
 */
export type Words<Params> = {
  [Code in keyof Params]: {
    program: (params: Params[Code], at: Path, say: Say) => string;
    seller: (params: Params[Code], at: Path, say: Say) => string;
  };
};

/** A label and sentences: `Photo 1, alt text: This has 600 characters. Use at most 500`. */
export function sayOf(at: Path, text: string): string {
  return at === '' ? capitalize(text) : `${capitalize(toFieldWords(at))}: ${capitalize(text)}`;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A marketplace state in words for sellers: `sold out`. */
export function toState(state: string): string {
  return state.replaceAll('_', ' ');
}

export function endSentence(text: string): string {
  return /[.!?…]["”]?$/.test(text) ? text : `${text}.`;
}

const MOST_VALUE_CHARS = 140;

/** A value of a field in words for sellers. */
export function toValueWords(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.map(toValueWords).join(', ') || 'nothing';
  return typeof value === 'string' ? quoteForeign(value, MOST_VALUE_CHARS) : JSON.stringify(value);
}
