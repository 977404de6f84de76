import type { VariationPropertySchema } from '../../../../schemas/category.js';
import { isSameText } from '../rules/text.js';

/** The scales of a category's property: sizes of a country, units of a measure. */
export type Scaled = Pick<VariationPropertySchema, 'possible_values' | 'scales'>;

/** A value as written by the caller: by id, otherwise by name. */
type GivenValue = { value_id: number } | { name: string };

/**
 * The scale of the values. `scale_id` is null if they have none. `mixed`: no scale has all of them. `several`: more
 * than one does.
 */
export type ScaleChoice =
  { found: 'one'; scale_id: number | null } | { found: 'several' | 'mixed'; scale_ids: number[] };

/**
 * Infers the only scale that fits all values. A value the property does not list is text, and fits any scale. A
 * property that has scales and lists no values is a measure: its numbers mean nothing without a unit.
 */
export function inferScale(known: Scaled, values: readonly GivenValue[]): ScaleChoice {
  const possible = values.map((value) => listScalesOf(known, value)).filter((scales) => scales.length > 0);
  if (possible.length === 0) {
    return isMeasure(known) && values.some(isNumber)
      ? toChoice(known.scales.map(({ scale_id }) => scale_id))
      : { found: 'one', scale_id: null };
  }
  const common = possible.reduce((all, scales) => all.filter((scale_id) => scales.includes(scale_id)));
  return common.length > 0
    ? toChoice(common)
    : { found: 'mixed', scale_ids: [...new Set(possible.map(([scale_id]) => scale_id as number))] };
}

/**
 * The listed value with that name; if there are several, that of the scale. Values without a scale fit every scale.
 */
export function findValue(known: Scaled, name: string, scale_id: number | null) {
  return known.possible_values.find(
    (value) => isSameText(name, value.name) && (value.scale_id === null || value.scale_id === scale_id),
  );
}

/** Empty if the value is not a listed one, or fits every scale. */
function listScalesOf({ possible_values }: Scaled, given: GivenValue): number[] {
  const alike = possible_values.filter((value) =>
    'value_id' in given ? value.value_id === given.value_id : isSameText(given.name, value.name),
  );
  if (alike.some(({ scale_id }) => scale_id === null)) return [];
  return alike.flatMap(({ scale_id }) => scale_id ?? []);
}

function toChoice(scale_ids: number[]): ScaleChoice {
  const [first = null, ...others] = new Set(scale_ids);
  return others.length === 0
    ? { found: 'one', scale_id: first }
    : { found: 'several', scale_ids: [...new Set(scale_ids)] };
}

function isMeasure({ possible_values, scales }: Scaled): boolean {
  return possible_values.length === 0 && scales.length > 0;
}

/** `8`, `2.5`, `5 1/2`, `20 x 30`. */
function isNumber(given: GivenValue): boolean {
  return 'name' in given && /\d/.test(given.name) && /^[\d\s.,/x×¼½¾]+$/i.test(given.name);
}
