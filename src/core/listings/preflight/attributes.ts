import type { AttributeSchema, CategorySchema } from '../../../../schemas/category.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { ListingAttribute } from '../../ports/marketplace_listing.js';
import { isPropertyId, type PartialRequest } from '../rules/index.js';
import { isSameText } from '../rules/text.js';
import { findValue, inferScale, type ScaleChoice } from '../requests/scales.js';
import {
  findAttribute,
  listScaleIssues,
  toPropertyChoice,
  toScaleChoices,
  toValueChoices,
} from './category_words.js';

type PartialAttribute = NonNullable<NonNullable<PartialRequest['category_attributes']>[string]>;

/** The attributes to write: ids, readable values and the scale, each derived from the others if missing. */
export function toAttributes(request: PartialRequest, schema: CategorySchema): ListingAttribute[] {
  return Object.entries(request.category_attributes ?? {}).flatMap(([key, given]) => {
    const known = findAttribute(schema, key);
    if (!known || !given) return [];
    const { value_ids = [], values = [] } = given;
    const scale_id = chooseScale(given, known);
    const ids =
      value_ids.length > 0
        ? value_ids
        : values.map((value = '') => findValue(known, value, scale_id)?.value_id);
    const attribute: ListingAttribute = {
      property_id: known.property_id,
      value_ids: ids.filter((id) => typeof id === 'number'),
      values:
        value_ids.length > 0 && values.length === 0
          ? value_ids.map((id) => getName(known, id))
          : values.filter((value) => value !== undefined),
      scale_id: scale_id ?? undefined,
    };
    return [attribute];
  });
}

/** Checks attributes against the category. */
export function checkAttributes(
  { category_attributes = {} }: PartialRequest,
  schema: CategorySchema,
): Issue[] {
  return Object.entries(category_attributes).flatMap(([key, given]): Issue[] => {
    const path = `category_attributes.${key}`;
    const known = findAttribute(schema, key);
    if (!known) {
      if (!isPropertyId(key)) return [];
      const choices = schema.category_attributes.map(toPropertyChoice);
      return [{ code: 'attribute_unknown', at: path, params: { category_id: schema.category_id, choices } }];
    }
    if (!given) return [];
    const issues = [...checkValueIds(given, known, path), ...checkNames(given, known, path)];
    return [
      ...issues,
      ...checkCount(given, known, path),
      // Unknown values have no scale.
      ...(issues.length === 0 || given.scale_id !== undefined ? checkScale(given, known, path) : []),
    ];
  });
}

/** Attributes that the category requires and the request lacks. */
export function checkRequired(
  { category_attributes = {}, variations }: PartialRequest,
  schema: CategorySchema,
): Issue[] {
  const varied = new Set((variations?.properties ?? []).map((property) => property?.property_id));
  return schema.category_attributes
    .filter(
      ({ is_required, property_id }) =>
        is_required && !varied.has(property_id) && !Object.hasOwn(category_attributes, String(property_id)),
    )
    .map((attribute) => ({
      code: 'attribute_required',
      at: `category_attributes.${attribute.property_id}`,
      params: { attribute: attribute.display_name, choices: toValueChoices(attribute) },
    }));
}

function checkValueIds(
  { value_ids = [], values = [], scale_id }: PartialAttribute,
  known: AttributeSchema,
  path: string,
): Issue[] {
  if (known.possible_values.length === 0) return [];
  return value_ids.flatMap((id, index): Issue[] => {
    if (id === undefined) return [];
    const at = `${path}.value_ids[${index}]`;
    const match = known.possible_values.find(({ value_id }) => value_id === id);
    const name = values[index];
    if (!match) {
      const params = { id, attribute: known.display_name, choices: toValueChoices(known, scale_id) };
      return [{ code: 'value_id_unknown', at, params }];
    }
    if (scale_id !== undefined && match.scale_id !== null && match.scale_id !== scale_id) {
      const scales = toScaleChoices(known, [match.scale_id]);
      return [{ code: 'value_of_other_scale', at, params: { id, name: match.name, scales } }];
    }
    if (name === undefined || isSameText(name, match.name)) return [];
    const params = { id, name: match.name };
    return [{ code: 'value_name_wrong', at: `${path}.values[${index}]`, params }];
  });
}

/** Checks names without ids: each must have an id. */
function checkNames(
  { value_ids = [], values = [], scale_id }: PartialAttribute,
  known: AttributeSchema,
  path: string,
): Issue[] {
  if (value_ids.length > 0 || known.possible_values.length === 0) return [];
  const choices = toValueChoices(known, scale_id);
  return values.flatMap((value, index): Issue[] => {
    if (value === undefined || choices.some(({ name = '' }) => isSameText(value, name))) return [];
    const params = { attribute: known.display_name, choices };
    return [{ code: 'value_name_unknown', at: `${path}.values[${index}]`, params }];
  });
}

function checkCount(
  { value_ids = [], values = [] }: PartialAttribute,
  known: AttributeSchema,
  path: string,
): Issue[] {
  const count = Math.max(value_ids.length, values.length);
  const most = known.is_multivalued ? (known.max_values ?? Infinity) : 1;
  if (count <= most) return [];
  return [{ code: 'values_too_many', at: path, params: { count, most, attribute: known.display_name } }];
}

function checkScale(given: PartialAttribute, known: AttributeSchema, path: string): Issue[] {
  return listScaleIssues(known, given.scale_id, () => inferFrom(given, known), `${path}.scale_id`);
}

/** Null for values without a scale. */
function chooseScale(given: PartialAttribute, known: AttributeSchema): number | null {
  if (given.scale_id !== undefined) return given.scale_id;
  const choice = inferFrom(given, known);
  return choice.found === 'one' ? choice.scale_id : null;
}

function inferFrom({ value_ids = [], values = [] }: PartialAttribute, known: AttributeSchema): ScaleChoice {
  const ids = value_ids.filter((id) => id !== undefined).map((value_id) => ({ value_id }));
  const names = values.filter((value) => value !== undefined).map((name) => ({ name }));
  const isById = ids.length > 0 && known.possible_values.length > 0;
  return inferScale(known, isById ? ids : names);
}

function getName(known: AttributeSchema, value_id: number | undefined): string {
  return known.possible_values.find((candidate) => candidate.value_id === value_id)?.name ?? String(value_id);
}
