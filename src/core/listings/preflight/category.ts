import type { CategorySchema } from '../../../../schemas/category.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { PartialRequest } from '../rules/index.js';
import { inferScale } from '../requests/scales.js';
import { checkAttributes, checkRequired } from './attributes.js';
import { listScaleIssues, rankByName, toPropertyChoice } from './category_words.js';

/**
 * Checks attributes and variations against the category. Requires the category's required attributes only for state
 * active.
 */
export function checkCategory(request: PartialRequest, schema: CategorySchema): Issue[] {
  return [
    ...checkAttributes(request, schema),
    ...(request.state === 'active' ? checkRequired(request, schema) : []),
    ...checkVariationProperties(request, schema),
  ];
}

function checkVariationProperties({ variations }: PartialRequest, schema: CategorySchema): Issue[] {
  return (variations?.properties ?? []).flatMap((property, index): Issue[] => {
    if (property?.property_id === undefined) return [];
    const path = `variations.properties[${index}]`;
    const known = schema.variation_properties.find(({ property_id }) => property_id === property.property_id);
    if (!known) {
      const choices = rankByName(schema.variation_properties, property.name).map(toPropertyChoice);
      const params = { id: property.property_id, category_id: schema.category_id, choices };
      return [{ code: 'option_unknown', at: `${path}.property_id`, params }];
    }
    const values = (property.values ?? []).filter((value) => value !== undefined);
    const infer = () =>
      inferScale(
        known,
        values.map((name) => ({ name })),
      );
    return listScaleIssues(known, property.scale_id, infer, `${path}.scale_id`);
  });
}
