import type { CategorySchema, VariationPropertySchema } from '../../../../schemas/category.js';
import type { Note } from '../../../../schemas/issue.js';
import { addNotes, type FoundIssue } from '../../issues/issues.js';
import { isPropertyId, type PartialRequest } from '../rules/index.js';
import {
  findAttribute,
  rankByName,
  toPropertyChoice,
  toScaleChoices,
  toValueChoices,
} from './category_words.js';

/** The valid choices for an issue; undefined if the issue is about something else. */
type FindChoices = (issue: FoundIssue, request: PartialRequest, schema: CategorySchema) => Note | undefined;

/**
 * Adds the category's choices to issues about ids of properties, values and scales, which are found without the
 * category.
 */
export function withPropertyChoices(
  issues: readonly FoundIssue[],
  request: PartialRequest,
  schema: CategorySchema | undefined,
): FoundIssue[] {
  if (!schema) return [...issues];
  return issues.map((issue) => {
    const notes = FINDERS.flatMap((find) => find(issue, request, schema) ?? []);
    return addNotes(issue, ...notes.slice(0, 1));
  });
}

const FINDERS: readonly FindChoices[] = [findAttributes, findAttributeIds, findVariationProperty];

/** For a key that is not an id: the properties it may mean come first. */
function findAttributes(
  { at }: FoundIssue,
  { category_attributes = {} }: PartialRequest,
  schema: CategorySchema,
): Note | undefined {
  const key = Object.keys(category_attributes).find(
    (one) => !isPropertyId(one) && at === `category_attributes.${one}`,
  );
  if (key === undefined) return undefined;
  const choices = rankByName(schema.category_attributes, key).map(toPropertyChoice);
  return { code: 'category_has', params: { category_id: schema.category_id, choices } };
}

/** For names given instead of ids: the ids with their names. */
function findAttributeIds(
  { at }: FoundIssue,
  { category_attributes = {} }: PartialRequest,
  schema: CategorySchema,
): Note | undefined {
  const [, key = '', field, position] =
    /^category_attributes\.(\d+)\.(scale_id|value_ids)(?:\[(\d+)\])?$/.exec(at) ?? [];
  const known = findAttribute(schema, key);
  const given = category_attributes[key];
  if (!known || !given) return undefined;
  if (field === 'scale_id') return given.scale_id === undefined ? toScaleNote(known) : undefined;
  const isGiven =
    position === undefined
      ? given.value_ids !== undefined
      : given.value_ids?.[Number(position)] !== undefined;
  return isGiven ? undefined : { code: 'use_one_of', params: { choices: toValueChoices(known) } };
}

function findVariationProperty(
  { at, given }: FoundIssue,
  { variations }: PartialRequest,
  schema: CategorySchema,
): Note | undefined {
  const [, position, field] = /^variations\.properties\[(\d+)\]\.(property_id|scale_id)$/.exec(at) ?? [];
  const property = variations?.properties?.[Number(position)];
  if (!property || field === undefined) return undefined;
  if (field === 'property_id') {
    if (property.property_id !== undefined) return undefined;
    const known = rankByName(schema.variation_properties, toName(given) ?? property.name);
    const choices = known.map(toPropertyChoice);
    return { code: 'category_has', params: { category_id: schema.category_id, choices } };
  }
  const known = schema.variation_properties.find(({ property_id }) => property_id === property.property_id);
  return known && property.scale_id === undefined ? toScaleNote(known) : undefined;
}

function toScaleNote(known: Pick<VariationPropertySchema, 'display_name' | 'scales'>): Note {
  const choices = toScaleChoices(known);
  return choices.length === 0
    ? { code: 'has_no_scales', params: {} }
    : { code: 'use_one_of', params: { choices } };
}

/** `Ring size`, given instead of its id. */
function toName(given: unknown): string | undefined {
  return typeof given === 'string' && /\p{L}/u.test(given) ? given : undefined;
}
