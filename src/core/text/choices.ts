import type { Choice } from '../../../schemas/issues/facts.js';
import { quoteName } from './foreign.js';

/** More would hide the problem that the list is part of, and a shop may have a thousand sections. */
const MOST = 10;

/**
 * Values to choose from, which may contain spaces and commas: `"Sea green", "Ash" and 3 more`. Undefined if there are none.
 */
export function formatValues(values: readonly (string | undefined)[]): string | undefined {
  const given = values.filter((value) => value !== undefined);
  return given.length === 0 ? undefined : formatNames(given);
}

/** Foreign names: `"photo.jpg", "sewing.pdf" and 3 more`. */
export function formatNames(names: readonly string[]): string {
  return formatChoices(names.map((name) => ({ id: null, name })));
}

const ENGLISH = {
  conjunction: new Intl.ListFormat('en'),
  disjunction: new Intl.ListFormat('en', { type: 'disjunction' }),
};

/** Joins words as `a, b, and c`, or with `or`. Quote foreign words first. */
export function joinWords(words: readonly string[], by: keyof typeof ENGLISH = 'conjunction'): string {
  return ENGLISH[by].format(words);
}

/** Paths of fields; a path that contains foreign text, such as the name of a property, is quoted. */
export function formatFields(paths: readonly string[]): string {
  return paths.map((path) => (PLAIN_PATH.test(path) ? path : quoteName(path))).join(', ');
}

const PLAIN_PATH = /^[\w.[\]]{1,80}$/;

/**
 * `12 ("Mugs"), 15 ("Bowls") and 31 more`, for an error about an id; `none` if there is nothing to choose from.
 * @param total the total number, if only the first were read
 */
export function formatChoices(choices: readonly Choice[], total = choices.length): string {
  if (choices.length === 0) return 'none';
  const shown = choices
    .slice(0, MOST)
    .map(({ id, name }) =>
      id === null ? quoteName(name ?? '') : name ? `${id} (${quoteName(name)})` : `${id}`,
    );
  const rest = total - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}
