import type { JsonSchema, ObjectSchema } from '../../schema_conversion.js';

/**
 * An output schema short enough to be sent with every tools/list: the answer's fields and those of the entries of its lists;
 * deeper fields by type alone, and no `required` lists. Every answer that fits the whole schema, which the
 * OpenAPI document has, fits this one.
 * @param named the only fields that it names
 */
export function outlineOutput({ properties }: ObjectSchema, named?: readonly string[]): ObjectSchema {
  // A named field is an answer of another operation too, whose outline has its type.
  if (named) return { type: 'object', properties: pickFields(properties, named) };
  return { type: 'object', properties: mapValues(properties, outlineField) };
}

function pickFields(properties: Record<string, JsonSchema>, named: readonly string[]) {
  return Object.fromEntries(named.map((name) => [name, outlineDeep(properties[name] ?? {})]));
}

function outlineField(schema: JsonSchema): JsonSchema {
  const { items } = schema;
  if (!isSchema(items)) return outlineDeep(schema);
  const { properties, ...entry } = items;
  const outlined = isSchema(properties)
    ? { type: 'object', properties: mapValues(properties as Record<string, JsonSchema>, outlineDeep) }
    : outlineDeep(entry);
  return { ...pick(schema), items: outlined };
}

function outlineDeep(schema: JsonSchema): JsonSchema {
  const { type, anyOf, items } = schema;
  if (type === 'object') return pick(schema);
  // Some clients refuse every tool when one list does not say what is in it.
  if (type === 'array') return { ...pick(schema), items: pickType(items) };
  if (!Array.isArray(anyOf)) return schema;
  const branches = anyOf.map((branch) => outlineDeep(branch as JsonSchema));
  const isPlain = branches.every((branch) => Object.keys(branch).join() === 'type');
  return {
    ...pick(schema),
    ...(isPlain ? { type: branches.map((branch) => branch['type']) } : { anyOf: branches }),
  };
}

function pick({ type, description }: JsonSchema): JsonSchema {
  return { ...(type !== undefined && { type }), ...(description !== undefined && { description }) };
}

function pickType(items: unknown): JsonSchema {
  const { type, items: inner } = isSchema(items) ? items : {};
  return { type, ...(type === 'array' && { items: pickType(inner) }) };
}

function mapValues(all: Record<string, JsonSchema>, change: (schema: JsonSchema) => JsonSchema) {
  return Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, change(schema)]));
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
