import type { VariationPropertySchema } from '../../../../schemas/category.js';
import { isSameText } from '../rules/text.js';

/** A property of a category as far as its scales go: sizes of a country, units of a measure. */
export type Scaled = Pick<VariationPropertySchema, 'possible_values' | 'scales'>;

/** A value as the caller wrote it: by its id, else by its name. */
type GivenValue = { value_id: number } | { name: string };

/**
 * The scale that values belong to. `scale_id` is null where they belong to none; `mixed`: no scale has all of them;
 * `several`: more than one has.
 */
export type ScaleChoice =
  { found: 'one'; scale_id: number | null } | { found: 'several' | 'mixed'; scale_ids: number[] };

/**
 * Infers the one scale that the values leave possible. A value that the property does not list is text, which goes with any
 * scale. A property that has scales and lists no values is a measure: there a number means nothing without its unit.
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

/** The listed value of that name; of several, the one of the scale. Values without a scale go with each. */
export function findValue(known: Scaled, name: string, scale_id: number | null) {
  return known.possible_values.find(
    (value) => isSameText(name, value.name) && (value.scale_id === null || value.scale_id === scale_id),
  );
}

/** Empty where the value is no listed one, or goes with each scale. */
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
