import type { CategorySchema } from '../../../../schemas/category.js';
import { formatChoices } from '../../text/choices.js';
import type { Issue } from '../../errors.js';
import { isPropertyId, type PartialRequest } from '../rules/index.js';
import {
  describeScales,
  findAttribute,
  rankByName,
  toPropertyChoice,
  toValueChoices,
} from './category_words.js';

/** The valid choices for an issue, as the end of a sentence; undefined where the issue is about something else. */
type Describe = (issue: Issue, request: PartialRequest, schema: CategorySchema) => string | undefined;

/** Issues about ids of properties, values and scales are found without the category: here the category's choices are added. */
export function withPropertyChoices(
  issues: readonly Issue[],
  request: PartialRequest,
  schema: CategorySchema | undefined,
): Issue[] {
  if (!schema) return [...issues];
  const describe = (issue: Issue) => {
    const found = DESCRIBE.map((one) => one(issue, request, schema)).find((words) => words !== undefined);
    return found === undefined ? issue : { ...issue, message: `${issue.message}; ${found}` };
  };
  return issues.map(describe);
}

const DESCRIBE: readonly Describe[] = [describeAttributes, describeAttributeIds, describeVariationProperty];

/** For a key that is no id: what the key may mean comes first. */
function describeAttributes(
  { path }: Issue,
  { category_attributes = {} }: PartialRequest,
  schema: CategorySchema,
): string | undefined {
  const key = Object.keys(category_attributes).find(
    (one) => !isPropertyId(one) && path === `category_attributes.${one}`,
  );
  if (key === undefined) return undefined;
  const known = rankByName(schema.category_attributes, key).map(toPropertyChoice);
  return `category ${schema.category_id} has ${formatChoices(known)}`;
}

/** For names in place of ids: the ids with their names. */
function describeAttributeIds(
  { path }: Issue,
  { category_attributes = {} }: PartialRequest,
  schema: CategorySchema,
): string | undefined {
  const [, key = '', field, position] =
    /^category_attributes\.(\d+)\.(scale_id|value_ids)(?:\[(\d+)\])?$/.exec(path) ?? [];
  const known = findAttribute(schema, key);
  const given = category_attributes[key];
  if (!known || !given) return undefined;
  if (field === 'scale_id') return given.scale_id === undefined ? describeScales(known) : undefined;
  const isGiven =
    position === undefined
      ? given.value_ids !== undefined
      : given.value_ids?.[Number(position)] !== undefined;
  return isGiven ? undefined : `use ${formatChoices(toValueChoices(known))}`;
}

function describeVariationProperty(
  { path, given }: Issue,
  { variations }: PartialRequest,
  schema: CategorySchema,
): string | undefined {
  const [, position, field] = /^variations\.properties\[(\d+)\]\.(property_id|scale_id)$/.exec(path) ?? [];
  const property = variations?.properties?.[Number(position)];
  if (!property || field === undefined) return undefined;
  if (field === 'property_id') {
    if (property.property_id !== undefined) return undefined;
    const known = rankByName(schema.variation_properties, toName(given) ?? property.name);
    return `category ${schema.category_id} has ${formatChoices(known.map(toPropertyChoice))}`;
  }
  const known = schema.variation_properties.find(({ property_id }) => property_id === property.property_id);
  return known && property.scale_id === undefined ? describeScales(known) : undefined;
}

/** `Ring size` in place of its id. */
function toName(given: unknown): string | undefined {
  return typeof given === 'string' && /\p{L}/u.test(given) ? given : undefined;
}
