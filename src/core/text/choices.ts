import { cleanForeign, quoteForeign } from '../errors.js';

/** Something that can be chosen by its id, or by its name where it has none. The name may be foreign text. */
export type Choice = { id: number | string | null; name?: string | undefined };

/** More would hide the problem that the list is part of, and a shop may have a thousand sections. */
const MOST = 10;

const MAX_CHARS = 80;

/** Values to choose from, which may hold spaces and commas: `"Sea green", "Ash" and 3 more`. Undefined where there are none. */
export function formatValues(values: readonly (string | undefined)[]): string | undefined {
  const given = values.filter((value) => value !== undefined);
  return given.length === 0 ? undefined : formatChoices(given.map((name) => ({ id: null, name })));
}

/**
 * `12 (Mugs), 15 (Bowls) and 31 more`, for an error about an id; `none` where there is nothing to choose.
 * @param total how many there are, where only the first were read
 */
export function formatChoices(choices: readonly Choice[], total = choices.length): string {
  if (choices.length === 0) return 'none';
  const shown = choices
    .slice(0, MOST)
    .map(({ id, name }) =>
      id === null ? quoteForeign(name ?? '', MAX_CHARS) : name ? `${id} (${cleanForeign(name)})` : `${id}`,
    );
  const rest = total - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}
