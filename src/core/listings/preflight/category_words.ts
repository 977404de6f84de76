import { quoteName } from '../../errors.js';
import type {
  AttributeSchema,
  CategorySchema,
  VariationPropertySchema,
} from '../../../../schemas/category.js';
import { formatChoices, type Choice } from '../../text/choices.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { isSameText } from '../rules/text.js';
import type { ScaleChoice } from '../requests/scales.js';

/** How refusals speak of a category's properties, values and scales. */

export function findAttribute(schema: CategorySchema, key: string): AttributeSchema | undefined {
  return schema.category_attributes.find(({ property_id }) => String(property_id) === key);
}

type Named = Pick<VariationPropertySchema, 'property_id' | 'display_name'>;

/**
 * First the property of that name, then those that share its words, then the ones that a seller names freely, which fit every
 * product.
 */
export function rankByName<Property extends Named>(
  properties: readonly Property[],
  name: string | undefined,
): Property[] {
  const free: readonly number[] = MARKETPLACE_FACTS.custom_property_ids;
  const wanted = listWords(name ?? '');
  const grade = ({ property_id, display_name }: Property): number => {
    if (name !== undefined && isSameText(name, display_name)) return 0;
    const words = listWords(display_name);
    const isShared =
      wanted.length > 0 &&
      (wanted.every((word) => words.includes(word)) || words.every((word) => wanted.includes(word)));
    if (isShared) return 1;
    return free.includes(property_id) ? 2 : 3;
  };
  return properties
    .map((property) => ({ property, at: grade(property) }))
    .sort((a, b) => a.at - b.at)
    .map(({ property }) => property);
}

/** Singular and plural are one. */
function listWords(text: string): string[] {
  const words =
    text
      .slice(0, MAX_CHARS)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return words.map((word) => word.replace(/s$/, ''));
}

const MAX_CHARS = 100;

export function toPropertyChoice({ property_id, display_name }: Named): Choice {
  return { id: property_id, name: display_name };
}

/** Of the scale that was chosen, where one was. */
export function toValueChoices({ possible_values }: AttributeSchema, scale_id?: number): Choice[] {
  return possible_values
    .filter((value) => scale_id === undefined || value.scale_id === null || value.scale_id === scale_id)
    .map(({ value_id, name }) => ({ id: value_id, name }));
}

type Scaled = Pick<VariationPropertySchema, 'display_name' | 'scales'>;

/** All scales of a property, or some of them. */
export function toScaleChoices({ scales }: Scaled, some?: readonly number[]): Choice[] {
  return scales
    .filter(({ scale_id }) => some === undefined || some.includes(scale_id))
    .map(({ scale_id, display_name }) => ({ id: scale_id, name: display_name }));
}

export function describeScales(known: Scaled): string {
  return known.scales.length === 0 ? 'it has no scales' : `use ${formatChoices(toScaleChoices(known))}`;
}

/** Undefined where the property has that scale. */
export function describeWrongScale(known: Scaled, scale_id: number): string | undefined {
  if (known.scales.some((scale) => scale.scale_id === scale_id)) return undefined;
  return `is ${scale_id}, no scale of ${quoteName(known.display_name)}; ${describeScales(known)}`;
}

/** Undefined where the values leave one scale, or need none. */
export function describeMissingScale(known: Scaled, choice: ScaleChoice): string | undefined {
  if (choice.found === 'one') return undefined;
  const scales = formatChoices(toScaleChoices(known, choice.scale_ids));
  return choice.found === 'several'
    ? `is missing: the values of ${quoteName(known.display_name)} can be of several scales; use ${scales}`
    : `is missing: the values of ${quoteName(known.display_name)} are of different scales, ${scales}; use values of one`;
}
