import { requestWarnings } from '../../schemas/job.js';
import type { Operation } from '../core/operations/operation.js';
import type { Bounds } from '../core/operations/call.js';
import { convert, type JsonSchema, type ObjectSchema } from './schema_conversion.js';

/** The input's schema, with the bounds of the operation's rules table merged in. */
export function buildInputSchema(operation: Pick<Operation, 'id' | 'input' | 'bounds'>): ObjectSchema {
  return addBounds(operation.id, convert(`${operation.id} input`, operation.input), operation.bounds ?? {});
}

/** The output's schema, as tools/list outlines it. */
export function buildOutputSchema(operation: Pick<Operation, 'id' | 'output'>): ObjectSchema {
  return convert(`${operation.id} output`, operation.output);
}

/**
 * The same, with the fields that the gate may add, for the documents: tools/list would repeat them for every
 * tool.
 */
export function buildAnswerSchema(operation: Pick<Operation, 'id' | 'output'>): ObjectSchema {
  const answer = buildOutputSchema(operation);
  const { properties } = convert('request warnings', requestWarnings);
  return { ...answer, properties: { ...properties, ...answer.properties } };
}

function addBounds(name: string, schema: ObjectSchema, bounds: Bounds): ObjectSchema {
  for (const [path, keywords] of Object.entries(bounds)) {
    const found = findField(schema, path);
    const target = found && findBounded(found);
    if (!target) throw new TypeError(`${name}: the bounds name ${path}, which the input does not have.`);
    Object.assign(target, allowsNull(target) ? allowNull(keywords) : keywords);
  }
  return schema;
}

/** The schema at a path such as `shops[].price`. */
export function findField(schema: ObjectSchema, path: string): JsonSchema | undefined {
  return parsePath(path).reduce<JsonSchema | undefined>(findChild, schema);
}

/** Splits `shops[].price` into `shops`, `[]`, `price`. `*` stands for the values of a record. */
function parsePath(path: string): string[] {
  return path.split('.').flatMap((part) => (part.endsWith('[]') ? [part.slice(0, -2), '[]'] : [part]));
}

function findChild(schema: JsonSchema | undefined, step: string): JsonSchema | undefined {
  if (!schema) return undefined;
  const own = step === '[]' ? schema['items'] : step === '*' ? schema['additionalProperties'] : undefined;
  const properties = schema['properties'] as Record<string, JsonSchema> | undefined;
  const child = own ?? (properties && Object.hasOwn(properties, step) ? properties[step] : undefined);
  if (child !== undefined && typeof child === 'object') return child as JsonSchema;
  const branches = (schema['anyOf'] ?? []) as JsonSchema[];
  return branches.map((branch) => findChild(branch, step)).find((found) => found !== undefined);
}

/** The branch of a union that bounds apply to: the non-null value, or the text that may be a number. */
function findBounded(schema: JsonSchema): JsonSchema {
  const branches = ((schema['anyOf'] ?? []) as JsonSchema[]).filter(({ type }) => type !== 'null');
  const [value, ...others] = branches;
  if (value && others.length === 0) return findBounded(value);
  return branches.find(({ type }) => type === 'string') ?? schema;
}

function allowsNull({ type }: JsonSchema): boolean {
  return Array.isArray(type) && type.includes('null');
}

function allowNull(keywords: Bounds[string]): JsonSchema {
  const values = keywords['enum'];
  return Array.isArray(values) ? { ...keywords, enum: [...(values as unknown[]), null] } : { ...keywords };
}
