import { ERRORS } from '../../core/errors.js';
import { SHARED_ERRORS, type Operation } from '../../core/operation.js';
import { errorBody, ERROR_CODES } from '../../../schemas/error.js';
import {
  convert,
  buildInputSchema,
  buildOutputSchema,
  type JsonSchema,
  type ObjectSchema,
} from '../json_schema.js';
import { buildExample } from '../pages/curl.js';
import { RATE_HEADERS } from '../rate_headers.js';
import { API_PREFIX } from '../rest/rest.js';

/** The version of the interface, which the path carries too; not the version of this program. */
const API_VERSION = '1.0.0';

/** OpenAPI 3.1.1, made from the operations. */
export function buildOpenApi(operations: readonly Operation[], base_url: string): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    const { path, method } = operation.route;
    paths[API_PREFIX + path] = {
      ...paths[API_PREFIX + path],
      [method.toLowerCase()]: buildOperation(operation),
    };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Marketplace Listing Service API',
      version: API_VERSION,
      description: 'Listing builder, store cache, search and webhook deliveries behind one key.',
    },
    servers: [{ url: base_url }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ ApiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-Service-API-Key' },
        Bearer: { type: 'http', scheme: 'bearer', description: 'An OAuth 2.1 access token' },
      },
      headers: Object.fromEntries(Object.keys(RATE_HEADERS).map((name) => [name, RATE_HEADER])),
      schemas: { Error: convert('error', errorBody), ErrorCode: { type: 'string', enum: ERROR_CODES } },
    },
  };
}

const RATE_HEADER = { schema: { type: 'integer', minimum: 0 }, description: 'Calls, per account' };

function buildOperation(operation: Operation): JsonSchema {
  const { id, tag, title, description, auth, route } = operation;
  const schema = buildInputSchema(operation);
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inQuery = route.body ? [] : Object.keys(schema.properties).filter((name) => !names.includes(name));
  return {
    operationId: id,
    tags: [tag],
    summary: title,
    description,
    ...(auth === 'key_or_token' ? { security: [{ ApiKey: [] }, { Bearer: [] }] } : {}),
    parameters: [
      ...names.map((name) => buildParameter(schema, name, 'path')),
      ...inQuery.map((name) => buildParameter(schema, name, 'query')),
      ...(schema.properties['idempotency_key'] ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(route.body ? { requestBody: buildBody(route.body, schema, names) } : {}),
    responses: { ...buildSuccess(operation), ...buildFailures(operation) },
  };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Same key and body: the same job, never a second listing. As idempotency_key in the body.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function buildParameter(schema: ObjectSchema, name: string, place: 'path' | 'query'): JsonSchema {
  const { description, ...rest } = schema.properties[name] ?? {};
  return {
    name,
    in: place,
    required: place === 'path' || (schema.required ?? []).includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  };
}

function buildBody(kind: 'json' | 'multipart', schema: ObjectSchema, inPath: readonly string[]): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(schema.properties).filter(([name]) => !inPath.includes(name)),
  );
  const required = (schema.required ?? []).filter((name) => !inPath.includes(name));
  const body: ObjectSchema = { ...schema, properties, required };
  if (kind === 'json') {
    return { required: true, content: { 'application/json': { schema: body, example: buildExample(body) } } };
  }
  // Over REST the file itself is a part; how an assistant sends one instead does not concern a form.
  const { path: _path, filename: _filename, ...fields } = properties;
  const file = { type: 'string', format: 'binary', description: 'At most 100 MB' };
  const form = { type: 'object', properties: { ...fields, file }, required: ['file'] };
  return { required: true, content: { 'multipart/form-data': { schema: form } } };
}

function buildSuccess(operation: Operation): Record<string, JsonSchema> {
  const headers = Object.fromEntries(
    Object.keys(RATE_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const content = { 'application/json': { schema: buildOutputSchema(operation) } };
  const success = { description: operation.title, headers, content };
  // The status depends on what came out: a saved draft is a 201, a finished job a 200.
  return operation.status ? { '200': success, '201': success } : { '200': success };
}

function buildFailures({ errors }: Operation): Record<string, JsonSchema> {
  const codes = [...new Set([...SHARED_ERRORS, ...errors])];
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => ERRORS[code].status === status);
      const failure = {
        description: own.join(', '),
        ...(status === 429 ? { headers: { 'Retry-After': RETRY_AFTER } } : {}),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      };
      return [String(status), failure];
    }),
  );
}

const RETRY_AFTER = { required: true, schema: { type: 'integer', minimum: 1 }, description: 'Seconds' };
