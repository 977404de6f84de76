import { Ajv, type ValidateFunction } from 'ajv';
import {
  toJson,
  type DocumentOperation,
  type Json,
  type OpenApi,
  type Parameter,
} from '../published/open_api.js';
import type { SeenRequest } from './scripted_server.js';

/** An operation in the form the document has it. */
export type PublishedOperation = {
  name: string;
  method: string;
  path: string;
  scope: string | null;
  body_type: string | undefined;
  /** Parts of a request that the document does not have, one sentence each. */
  findProblems(request: SeenRequest): Promise<string[]>;
  /** A success that the document allows; `turn` picks among the choices of a field. */
  buildAnswer(turn: number): { status: number; json: unknown };
};

export function readPublishedOperations(document: OpenApi): PublishedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      toPublished(document, path, method.toUpperCase(), operation),
    ),
  );
}

/** The operation of a method and a path; a path without placeholders comes before one with them. */
export function findOperation(
  operations: readonly PublishedOperation[],
  { method, path }: SeenRequest,
): PublishedOperation | undefined {
  return operations
    .filter((operation) => operation.method === method && toPattern(operation.path).test(path))
    .sort((a, b) => countPlaceholders(a.path) - countPlaceholders(b.path))[0];
}

function toPublished(
  { components }: OpenApi,
  path: string,
  method: string,
  operation: DocumentOperation,
): PublishedOperation {
  const [body] = Object.entries(operation.requestBody?.content ?? {});
  return {
    name: operation.operationId,
    method,
    path,
    scope: operation.security?.flatMap(({ oauth2 }) => oauth2 ?? [])[0] ?? null,
    body_type: body?.[0],
    buildAnswer(turn) {
      const [status, response] = Object.entries(operation.responses).find(([code]) => code < '300') ?? [
        '200',
      ];
      const schema = response?.content?.['application/json']?.schema ?? {};
      return { status: Number(status), json: buildInstance(components.schemas, schema, turn) };
    },
    async findProblems(request) {
      return [
        ...checkParameters(operation.parameters ?? [], path, request),
        ...(body ? await checkBody(body[0], body[1].schema, request) : checkNoBody(request)),
      ];
    },
  };
}

function checkParameters(
  parameters: readonly Parameter[],
  path: string,
  { path: sent_path, query }: SeenRequest,
): string[] {
  const in_path = toPattern(path).exec(sent_path)?.groups ?? {};
  const values = (place: 'path' | 'query') => (place === 'path' ? in_path : query);
  const check = (place: 'path' | 'query') => {
    const known = parameters.filter((parameter) => parameter.in === place);
    const required = known.filter((parameter) => parameter.required).map(({ name }) => name);
    const properties = Object.fromEntries(known.map(({ name, schema }) => [name, schema]));
    return validate({ type: 'object', properties, required }, readFields(values(place), properties), place);
  };
  return [...check('path'), ...check('query')];
}

async function checkBody(type: string, schema: Json, request: SeenRequest): Promise<string[]> {
  const sent_type = String(request.headers['content-type']);
  if (!sent_type.startsWith(type)) return [`the body is ${sent_type} instead of ${type}`];
  if (type === 'application/json') return validate(schema, JSON.parse(request.body.toString()), 'body');
  const fields = type === 'multipart/form-data' ? await readParts(request) : readForm(request);
  return validate(schema, readFields(fields, toProperties(schema)), 'body');
}

function checkNoBody({ body }: SeenRequest): string[] {
  return body.length === 0 ? [] : ['there is a body where none is documented'];
}

function readForm({ body }: SeenRequest): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body.toString()));
}

/** A part with a filename becomes the document's text for binary; no other part may have one. */
async function readParts({ headers, body }: SeenRequest): Promise<Record<string, string>> {
  const type = String(headers['content-type']);
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const fields: Record<string, string> = {};
  for (const [name, value] of form) fields[name] = typeof value === 'string' ? value : '(file)';
  return fields;
}

/**
 * Converts texts of a query or a form to the types in their schemas; a text that does not parse as its type
 * stays a text. An empty text is null where a field may be null, because a form has no other way to express
 * it.
 */
function readFields(fields: Readonly<Record<string, string>>, properties: Json): Json {
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, readValue(text, toJson(properties[name]))]),
  );
}

function readValue(text: string, schema: Json): unknown {
  if (text === '' && schema['nullable'] === true && schema['type'] !== 'array') return null;
  switch (schema['type']) {
    case 'integer':
      return /^-?\d+$/.test(text) ? Number(text) : text;
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' || (text === 'false' ? false : text);
    case 'array':
      return text === '' ? [] : text.split(',').map((item) => readValue(item, toJson(schema['items'])));
    default:
      return text;
  }
}

const AJV = new Ajv({ strict: false, allErrors: true });
const COMPILED = new Map<string, ValidateFunction>();

/** Compiling is most of the work, and the same few schemas are needed again and again. */
function compile(schema: Json): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = COMPILED.get(text) ?? AJV.compile(schema);
  COMPILED.set(text, known);
  return known;
}

function validate(schema: Json, value: unknown, place: string): string[] {
  const check = compile(adapt(schema));
  check(value);
  return (check.errors ?? []).map(({ instancePath, message, params }) => {
    const detail = 'additionalProperty' in params ? ` (${String(params['additionalProperty'])})` : '';
    return `${place}${instancePath} ${message}${detail}`;
  });
}

/** OpenAPI 3.0 says nullable where JSON Schema has a null type. Undocumented fields must not be sent. */
function adapt(schema: Json): Json {
  const {
    nullable,
    properties,
    items,
    description: _words,
    format: _format,
    default: _default,
    ...rest
  } = schema;
  const adapted: Json = { ...rest };
  if (items !== undefined) adapted['items'] = adapt(toJson(items));
  if (properties !== undefined) {
    adapted['properties'] = Object.fromEntries(
      Object.entries(toJson(properties)).map(([name, part]) => [name, adapt(toJson(part))]),
    );
    adapted['additionalProperties'] = false;
  }
  return nullable === true ? { anyOf: [{ type: 'null' }, adapted] } : adapted;
}

function toProperties(schema: Json): Json {
  return toJson(schema['properties']);
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

function countPlaceholders(path: string): number {
  return path.split('{').length;
}

/** Deeper than any answer except the tree of categories, which is endless in the document. */
const MAX_DEPTH = 6;

/** Even turns include every optional field; odd ones use null and empty lists wherever they are allowed. */
function buildInstance(schemas: Record<string, Json>, schema: Json, turn: number, depth = 0): unknown {
  const isFull = turn % 2 === 0;
  const { $ref, nullable, type, properties, items, minimum } = schema;
  if (typeof $ref === 'string') {
    const named = schemas[$ref.split('/').at(-1) ?? ''] ?? {};
    return buildInstance(schemas, named, turn, depth);
  }
  if (nullable === true && !isFull) return null;
  const choices = Array.isArray(schema['enum']) ? schema['enum'] : [];
  if (choices.length > 0) return choices[Math.floor(turn / 2) % choices.length];
  for (const part of ['allOf', 'anyOf', 'oneOf']) {
    const [first] = Array.isArray(schema[part]) ? schema[part] : [];
    if (first !== undefined) return buildInstance(schemas, toJson(first), turn, depth);
  }
  switch (type) {
    case 'array':
      return isFull && depth < MAX_DEPTH ? [buildInstance(schemas, toJson(items), turn, depth + 1)] : [];
    case 'integer':
      return typeof minimum === 'number' ? Math.max(1, minimum) : 1;
    case 'number':
      return 1.5;
    case 'boolean':
      return isFull;
    case 'string':
      return 'text';
    default: {
      const fields = Object.entries(toJson(properties));
      return Object.fromEntries(
        fields.map(([name, field]) => [name, buildInstance(schemas, toJson(field), turn, depth + 1)]),
      );
    }
  }
}
