import { cleanForeign } from './errors.js';

/** Something that can be chosen by its id. The name may be foreign text. */
export type Choice = { id: number | string | null; name?: string | undefined };

/** More would hide the problem that the list is part of, and a shop may have a thousand sections. */
const MOST = 10;

/**
 * `12 (Mugs), 15 (Bowls) and 31 more`, for an error about an id; `none` where there is nothing to choose.
 * @param total how many there are, where only the first were read
 */
export function formatChoices(choices: readonly Choice[], total = choices.length): string {
  if (choices.length === 0) return 'none';
  const shown = choices
    .slice(0, MOST)
    .map(({ id, name }) => (name ? `${id} (${cleanForeign(name)})` : `${id}`));
  const rest = total - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}
