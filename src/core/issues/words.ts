import type { Path } from '../../../schemas/issue.js';
import { toFieldWords } from './field_words.js';

/**
 * The words of each code. `program`: for programs and assistants, the end of a line that begins with the path; a whole sentence where
 * there is no path. `seller`: a whole line, which names no operation, field or setting.
 */
export type Words<Params> = {
  [Code in keyof Params]: {
    program: (params: Params[Code], at: Path) => string;
    seller: (params: Params[Code], at: Path) => string;
  };
};

/** `Photo 1, description: 600 characters; at most 500`. */
export function sayOf(at: Path, text: string): string {
  return at === '' ? capitalize(text) : `${capitalize(toFieldWords(at))}: ${text}`;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
