import type { CategorySchema } from '../../../../schemas/category.js';
import { formatChoices } from '../../text/choices.js';
import type { Issue } from '../../errors.js';
import type { PartialRequest } from '../rules/index.js';
import { inferScale } from '../requests/scales.js';
import { checkAttributes, checkRequired } from './attributes.js';
import { describeMissingScale, describeWrongScale, rankByName, toPropertyChoice } from './category_words.js';

/** Attributes and variations against what the category takes. Required attributes are asked for only when going live. */
export function checkCategory(request: PartialRequest, schema: CategorySchema): Issue[] {
  return [
    ...checkAttributes(request, schema),
    ...(request.state === 'active' ? checkRequired(request, schema) : []),
    ...checkVariationProperties(request, schema),
  ];
}

function checkVariationProperties({ variations }: PartialRequest, schema: CategorySchema): Issue[] {
  return (variations?.properties ?? []).flatMap((property, index) => {
    if (property?.property_id === undefined) return [];
    const path = `variations.properties[${index}]`;
    const known = schema.variation_properties.find(({ property_id }) => property_id === property.property_id);
    if (!known) {
      const choices = rankByName(schema.variation_properties, property.name);
      return [
        {
          path: `${path}.property_id`,
          message: `is ${property.property_id}, no variation property of category ${schema.category_id}; it has ${formatChoices(choices.map(toPropertyChoice))}`,
        },
      ];
    }
    const values = (property.values ?? []).filter((value) => value !== undefined);
    const message =
      property.scale_id === undefined
        ? describeMissingScale(
            known,
            inferScale(
              known,
              values.map((name) => ({ name })),
            ),
          )
        : describeWrongScale(known, property.scale_id);
    return message === undefined ? [] : [{ path: `${path}.scale_id`, message }];
  });
}
