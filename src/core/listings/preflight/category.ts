import type { AttributeSchema, CategorySchema } from '../../../../schemas/category.js';
import { formatChoices, type Choice } from '../../choices.js';
import type { Issue } from '../../errors.js';
import type { ListingAttribute } from '../../ports/marketplace_listing.js';
import { MARKETPLACE_FACTS } from '../marketplace_facts.js';
import { isPropertyId, type PartialRequest } from '../rules/index.js';

type PartialAttribute = NonNullable<NonNullable<PartialRequest['category_attributes']>[string]>;

/** Attributes and variations against what the category takes. Required attributes are asked for only when going live. */
export function checkCategory(request: PartialRequest, schema: CategorySchema): Issue[] {
  return [
    ...checkAttributes(request, schema),
    ...(request.state === 'active' ? checkRequired(request, schema) : []),
    ...checkVariationProperties(request, schema),
  ];
}

/** Who asks for property ids knows no category: here is added what the category has, what the key may mean first. */
export function withPropertyChoices(
  issues: readonly Issue[],
  request: PartialRequest,
  schema: CategorySchema | undefined,
): Issue[] {
  if (!schema) return [...issues];
  const names = new Map(
    Object.keys(request.category_attributes ?? {})
      .filter((key) => !isPropertyId(key))
      .map((key) => [`category_attributes.${key}`, key]),
  );
  return issues.map((issue) => {
    const key = names.get(issue.path);
    const [, position] = /^variations\.properties\[(\d+)\]\.property_id$/.exec(issue.path) ?? [];
    const isAsked =
      position !== undefined && request.variations?.properties?.[Number(position)]?.property_id === undefined;
    if (key === undefined && !isAsked) return issue;
    const properties =
      key === undefined ? listFreeFirst(schema) : listNamedFirst(schema.category_attributes, key);
    const known = formatChoices(properties.map(toPropertyChoice));
    return { ...issue, message: `${issue.message}; category ${schema.category_id} has ${known}` };
  });
}

/** What the attribute writes send: ids and readable values, each found from the other where one is missing. */
export function toAttributes(request: PartialRequest, schema: CategorySchema): ListingAttribute[] {
  return Object.entries(request.category_attributes ?? {}).flatMap(([key, given]) => {
    const known = findAttribute(schema, key);
    if (!known || !given) return [];
    const { value_ids = [], values = [], scale_id } = given;
    const ids =
      value_ids.length > 0 ? value_ids : values.map((value) => findByName(known, value, scale_id)?.value_id);
    const attribute: ListingAttribute = {
      property_id: known.property_id,
      value_ids: ids.filter((id) => typeof id === 'number'),
      values:
        value_ids.length > 0 && values.length === 0
          ? value_ids.map((id) => getName(known, id))
          : listStrings(values),
      scale_id,
    };
    return [attribute];
  });
}

function checkAttributes({ category_attributes = {} }: PartialRequest, schema: CategorySchema): Issue[] {
  return Object.entries(category_attributes).flatMap(([key, given]) => {
    const path = `category_attributes.${key}`;
    const known = findAttribute(schema, key);
    if (!known) {
      const message = `is no attribute of category ${schema.category_id}; it has ${formatChoices(schema.category_attributes.map(toPropertyChoice))}`;
      return isPropertyId(key) ? [{ path, message }] : [];
    }
    return given ? checkAttribute(given, known, path) : [];
  });
}

function checkAttribute(
  { value_ids = [], values = [], scale_id }: PartialAttribute,
  known: AttributeSchema,
  path: string,
): Issue[] {
  const issues: Issue[] = [];
  const isListed = known.possible_values.length > 0;
  const choices = formatChoices(toValueChoices(known, scale_id));
  value_ids.forEach((id, index) => {
    if (id === undefined || !isListed) return;
    const at = `${path}.value_ids[${index}]`;
    const match = known.possible_values.find(({ value_id }) => value_id === id);
    const name = values[index];
    if (!match) {
      issues.push({ path: at, message: `is ${id}, no value of ${known.display_name}; use ${choices}` });
    } else if (scale_id !== undefined && match.scale_id !== null && match.scale_id !== scale_id) {
      const of = formatChoices(toScaleChoices(known).filter((scale) => scale.id === match.scale_id));
      issues.push({ path: at, message: `is ${id} (${match.name}), a value of scale ${of}` });
    } else if (name !== undefined && !isSameText(name, match.name)) {
      issues.push({
        path: `${path}.values[${index}]`,
        message: `is not "${match.name}", which ${id} stands for`,
      });
    }
  });
  if (value_ids.length === 0) {
    values.forEach((value, index) => {
      if (value !== undefined && isListed && !findByName(known, value, scale_id)) {
        issues.push({
          path: `${path}.values[${index}]`,
          message: `is no value of ${known.display_name}; use ${choices}`,
        });
      }
    });
  }
  const count = Math.max(value_ids.length, values.length);
  const most = known.is_multivalued ? (known.max_values ?? Infinity) : 1;
  if (count > most)
    issues.push({ path, message: `has ${count} values; ${known.display_name} takes at most ${most}` });
  if (scale_id !== undefined && !known.scales.some((scale) => scale.scale_id === scale_id)) {
    issues.push({
      path: `${path}.scale_id`,
      message: `is ${scale_id}, no scale of ${known.display_name}; ${describeScales(known)}`,
    });
  }
  return issues;
}

function checkRequired(
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
      path: `category_attributes.${attribute.property_id}`,
      message: `is required for state active: ${attribute.display_name}; listing_schema lists its values${suggestValues(attribute)}`,
    }));
}

function checkVariationProperties({ variations }: PartialRequest, schema: CategorySchema): Issue[] {
  return (variations?.properties ?? []).flatMap((property, index) => {
    if (property?.property_id === undefined) return [];
    const path = `variations.properties[${index}]`;
    const known = schema.variation_properties.find(({ property_id }) => property_id === property.property_id);
    if (!known) {
      const names = formatChoices(listFreeFirst(schema).map(toPropertyChoice));
      return [
        {
          path: `${path}.property_id`,
          message: `is ${property.property_id}, no variation property of category ${schema.category_id}; it has ${names}`,
        },
      ];
    }
    const { scale_id } = property;
    if (scale_id === undefined || known.scales.some((scale) => scale.scale_id === scale_id)) return [];
    return [
      {
        path: `${path}.scale_id`,
        message: `is ${scale_id}, no scale of ${known.display_name}; ${describeScales(known)}`,
      },
    ];
  });
}

/** The ones that a seller names freely fit every product. */
function listFreeFirst({ variation_properties: properties }: CategorySchema) {
  const free = new Set<number>(MARKETPLACE_FACTS.custom_property_ids);
  const isFree = ({ property_id }: { property_id: number }) => free.has(property_id);
  return [...properties.filter(isFree), ...properties.filter((property) => !isFree(property))];
}

function listNamedFirst(attributes: readonly AttributeSchema[], name: string): AttributeSchema[] {
  const isNamed = ({ display_name }: AttributeSchema) => isSameText(display_name, name);
  return [...attributes.filter(isNamed), ...attributes.filter((attribute) => !isNamed(attribute))];
}

function findAttribute(schema: CategorySchema, key: string): AttributeSchema | undefined {
  return schema.category_attributes.find(({ property_id }) => String(property_id) === key);
}

function findByName(known: AttributeSchema, value: string | undefined, scale_id: number | undefined) {
  return known.possible_values.find(
    (candidate) =>
      value !== undefined &&
      isSameText(value, candidate.name) &&
      (scale_id === undefined || candidate.scale_id === null || candidate.scale_id === scale_id),
  );
}

function isSameText(a: string, b: string): boolean {
  return a.normalize('NFC').trim().toLowerCase() === b.normalize('NFC').trim().toLowerCase();
}

function getName(known: AttributeSchema, value_id: number | undefined): string {
  return known.possible_values.find((candidate) => candidate.value_id === value_id)?.name ?? String(value_id);
}

function listStrings(values: readonly (string | undefined)[]): string[] {
  return values.filter((value) => value !== undefined);
}

function suggestValues(attribute: AttributeSchema): string {
  const values = toValueChoices(attribute);
  return values.length > 0 ? `: ${formatChoices(values)}` : '';
}

function toPropertyChoice({
  property_id,
  display_name,
}: {
  property_id: number;
  display_name: string;
}): Choice {
  return { id: property_id, name: display_name };
}

/** Of the scale that was chosen, where one was. */
function toValueChoices({ possible_values }: AttributeSchema, scale_id?: number): Choice[] {
  return possible_values
    .filter((value) => scale_id === undefined || value.scale_id === null || value.scale_id === scale_id)
    .map(({ value_id, name }) => ({ id: value_id, name }));
}

type Scaled = { scales: readonly { scale_id: number; display_name: string }[] };

function toScaleChoices({ scales }: Scaled): Choice[] {
  return scales.map(({ scale_id, display_name }) => ({ id: scale_id, name: display_name }));
}

function describeScales(known: Scaled): string {
  return known.scales.length === 0 ? 'it has no scales' : `use ${formatChoices(toScaleChoices(known))}`;
}
