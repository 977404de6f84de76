import type { Operation, Route } from '../../core/operations/operation.js';
import type { JsonSchema, ObjectSchema } from '../schema_conversion.js';

/**
 * Turns `listing_create` and `Request` into `ListingCreateRequest`: the name of the type in generated
 * clients, which have `…Response` types of their own.
 */
export function nameSchema({ id }: Pick<Operation, 'id'>, kind: 'Request' | 'Result'): string {
  return id.replaceAll(/(?:^|_)([a-z])/g, (_whole, letter: string) => letter.toUpperCase()) + kind;
}

function listPathNames({ path }: Pick<Route, 'path'>): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/**
 * Keys of the input that point an assistant's tool to a file; over REST the file itself is a part of the
 * form.
 */
const FILE_KEYS = ['path', 'file', 'filename'];

/**
 * The keys of an input that a REST body has: neither those of the path nor those that only an assistant
 * sends.
 */
export function listBodyNames(route: Route, names: readonly string[]): string[] {
  const left_out = new Set([...listPathNames(route), ...(route.body === 'multipart' ? FILE_KEYS : [])]);
  return names.filter((name) => !left_out.has(name));
}

export function buildRequestSchema(
  route: Route,
  { properties, required = [], ...rest }: ObjectSchema,
): ObjectSchema {
  const names = listBodyNames(route, Object.keys(properties));
  const fields = Object.fromEntries(names.map((name) => [name, properties[name] ?? {}]));
  const needed = required.filter((name) => names.includes(name));
  if (route.body === 'multipart') {
    return { ...rest, properties: { ...fields, file: FILE }, required: [...needed, 'file'] };
  }
  return { ...rest, properties: fields, ...(needed.length > 0 && { required: needed }) };
}

const FILE: JsonSchema = { type: 'string', format: 'binary', description: 'At most 100 MB' };

export function buildParameters(operation: Operation, schema: ObjectSchema): JsonSchema[] {
  const { route, headers, examples } = operation;
  const inPath = listPathNames(route);
  const inQuery = route.body ? [] : Object.keys(schema.properties).filter((name) => !inPath.includes(name));
  const input = (examples[0]?.input ?? {}) as Record<string, unknown>;
  const build = (name: string, place: 'path' | 'query') => {
    const { description, ...rest } = schema.properties[name] ?? {};
    const example = input[name] === undefined ? {} : { example: input[name] };
    // An object in a query is JSON.
    const isJson = rest['type'] === 'object';
    return {
      name,
      in: place,
      required: place === 'path' || (schema.required ?? []).includes(name),
      ...(description === undefined ? {} : { description }),
      ...(isJson
        ? { content: { 'application/json': { schema: rest, ...example } } }
        : { schema: rest, ...example }),
    };
  };
  return [
    ...inPath.map((name) => build(name, 'path')),
    ...inQuery.map((name) => build(name, 'query')),
    ...(schema.properties['idempotency_key'] ? [IDEMPOTENCY_KEY] : []),
    ...(headers?.['cache-control'] === undefined ? [] : [IF_NONE_MATCH]),
  ];
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Same key and body: the same job, never a second listing. As idempotency_key in the body.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of an earlier answer: 304 when nothing has changed since.',
  schema: { type: 'string' },
};
