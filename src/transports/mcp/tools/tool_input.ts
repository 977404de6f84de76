import type { Operation } from '../../../core/operations/operation.js';
import { buildInputSchema, findField } from '../../json_schema.js';
import type { JsonSchema, ObjectSchema } from '../../schema_conversion.js';

/**
 * An input's schema as tools/list shows it: in the subset of JSON Schema that all clients accept, with the
 * names and types of the members for outlined fields. It is wider than the exact schema, which the OpenAPI
 * document shows and the gate checks: the gate still accepts null wherever that schema does.
 */
export function buildToolInput(
  operation: Pick<Operation, 'id' | 'input' | 'bounds' | 'outlined'>,
): ObjectSchema {
  // The root of an input is always an object.
  const schema = accept(buildInputSchema(operation)) as ObjectSchema;
  const { input = [], bare = [] } = operation.outlined ?? {};
  for (const path of [...input, ...bare]) {
    const whole = findField(schema, path);
    if (!whole) throw new TypeError(`${operation.id}: there is no field ${path} to outline.`);
    // Inside an entry, the members of a list would be one level deeper than clients accept.
    const outlined = outline(
      path.includes('.') || bare.includes(path) ? { ...whole, properties: {} } : whole,
    );
    for (const key of Object.keys(whole)) delete whole[key];
    Object.assign(whole, outlined);
  }
  return schema;
}

function outline({ type, description, properties = {}, items }: JsonSchema): JsonSchema {
  const members = Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, member]) => [name, pickType(member)] as const,
  );
  return {
    ...pickType({ type, items }),
    ...(members.length > 0 && { properties: Object.fromEntries(members) }),
    ...(description !== undefined && { description }),
  };
}

function pickType({ type, items }: JsonSchema): JsonSchema {
  return isSchema(items) ? { type, items: pickType(items) } : { type };
}

/** A single type everywhere: no null, no anyOf, no exclusive bounds, and no `additionalProperties: true`. */
function accept(schema: JsonSchema): JsonSchema {
  const { anyOf, additionalProperties, exclusiveMinimum, exclusiveMaximum, ...rest } = chooseBranch(schema);
  const accepted: JsonSchema = {};
  for (const [keyword, value] of Object.entries(rest)) accepted[keyword] = acceptKeyword(keyword, value);
  if (isSchema(additionalProperties)) accepted['additionalProperties'] = accept(additionalProperties);
  const step = rest['type'] === 'integer' ? 1 : 0;
  if (typeof exclusiveMinimum === 'number') accepted['minimum'] ??= exclusiveMinimum + step;
  if (typeof exclusiveMaximum === 'number') accepted['maximum'] ??= exclusiveMaximum - step;
  return accepted;
}

function acceptKeyword(keyword: string, value: unknown): unknown {
  if (keyword === 'type' && Array.isArray(value)) return value.find((type) => type !== 'null');
  if (keyword === 'enum' && Array.isArray(value)) return value.filter((each) => each !== null);
  if (keyword === 'items' && isSchema(value)) return accept(value);
  if (keyword !== 'properties') return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, JsonSchema>).map(([name, each]) => [name, accept(each)]),
  );
}

/**
 * Chooses the first alternative that is not null. Keeps the keywords around the alternatives, such as the
 * description.
 */
function chooseBranch({ anyOf, ...around }: JsonSchema): JsonSchema {
  if (!Array.isArray(anyOf)) return around;
  const branch = (anyOf as JsonSchema[]).find(({ type }) => type !== 'null') ?? {};
  return chooseBranch({ ...branch, ...around });
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
