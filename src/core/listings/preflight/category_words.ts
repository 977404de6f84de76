import type { Issue } from '../../../../schemas/issue.js';
import type { Choice } from '../../../../schemas/issues/facts.js';
import type {
  AttributeSchema,
  CategorySchema,
  VariationPropertySchema,
} from '../../../../schemas/category.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { isSameText } from '../rules/text.js';
import type { ScaleChoice } from '../requests/scales.js';

/** The choices of a category: its properties, values and scales. */

export function findAttribute(schema: CategorySchema, key: string): AttributeSchema | undefined {
  return schema.category_attributes.find(({ property_id }) => String(property_id) === key);
}

type Named = Pick<VariationPropertySchema, 'property_id' | 'display_name'>;

/**
 * Ranks the property with that name first, then those that share its words, then those a seller names freely, which
 * fit every product.
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

/** Treats singular and plural as the same. */
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

/** The values of the chosen scale, if any. */
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

/** Empty if the property has the scale, or the scale can be inferred from the values. */
export function listScaleIssues(
  known: Scaled,
  scale_id: number | undefined,
  infer: () => ScaleChoice,
  at: string,
): Issue[] {
  const property = known.display_name;
  if (scale_id !== undefined) {
    if (known.scales.some((scale) => scale.scale_id === scale_id)) return [];
    return [{ code: 'scale_unknown', at, params: { id: scale_id, property, scales: toScaleChoices(known) } }];
  }
  const choice = infer();
  if (choice.found === 'one') return [];
  const code = choice.found === 'several' ? 'scale_missing' : 'scales_mixed';
  return [{ code, at, params: { property, scales: toScaleChoices(known, choice.scale_ids) } }];
}
