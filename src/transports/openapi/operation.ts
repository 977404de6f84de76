import { ERRORS, ServiceError, toErrorBody } from '../../core/errors.js';
import { listErrors, type Operation } from '../../core/operations/operation.js';
import type { ErrorBody, ErrorCode } from '../../../schemas/error.js';
import { ERRORS_EXPLAINED } from '../errors_explained.js';
import type { JsonSchema, ObjectSchema } from '../schema_conversion.js';
import { RATE_HEADERS } from '../rate_headers.js';
import { buildParameters, listBodyNames, nameSchema } from './request.js';
import { buildSecurity } from './security.js';

type Examples = Record<string, { summary: string; value: unknown }>;

export function buildOperation(operation: Operation, schema: ObjectSchema, base_url: string): JsonSchema {
  const { id, tag, title, description, route } = operation;
  const parameters = buildParameters(operation, schema);
  return {
    operationId: id,
    tags: [tag],
    summary: title,
    description,
    ...buildSecurity(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: buildBody(operation) }),
    responses: { ...buildSuccess(operation), ...buildFailures(operation, base_url) },
  };
}

function buildBody(operation: Operation): JsonSchema {
  const { route, examples } = operation;
  const schema = { $ref: `#/components/schemas/${nameSchema(operation, 'Request')}` };
  if (route.body === 'multipart') return { required: true, content: { 'multipart/form-data': { schema } } };
  const bodies = examples.map(({ summary, input }) => {
    const fields = input as Record<string, unknown>;
    const names = listBodyNames(route, Object.keys(fields));
    return { summary, value: Object.fromEntries(names.map((name) => [name, fields[name]])) };
  });
  return { required: true, content: { 'application/json': { schema, examples: number(bodies) } } };
}

/** The status depends on the outcome: a saved draft is a 201, a finished job a 200. */
function buildSuccess(operation: Operation): Record<string, JsonSchema> {
  const { examples, status, headers = {}, title, file } = operation;
  const schema = { $ref: `#/components/schemas/${nameSchema(operation, 'Result')}` };
  const isCacheable = headers['cache-control'] !== undefined;
  const build = (own: number) => {
    const answers = examples
      .filter(({ output }) => (status?.(output) ?? 200) === own)
      .map(({ summary, output }) => ({ summary, value: output }));
    return {
      description: title,
      headers: { ...RATE_REFS, ...(isCacheable && CACHE_HEADERS) },
      content: file
        ? Object.fromEntries(
            file.types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
          )
        : { 'application/json': { schema, ...(answers.length > 0 && { examples: number(answers) }) } },
    };
  };
  const statuses = new Set([200, ...(status ? examples.map(({ output }) => status(output)) : [])]);
  return {
    ...Object.fromEntries([...statuses].map((own) => [String(own), build(own)])),
    ...(isCacheable && { '304': { description: 'As it was', headers: { ETag: CACHE_HEADERS.ETag } } }),
  };
}

const RATE_REFS = Object.fromEntries(
  Object.keys(RATE_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const CACHE_HEADERS = {
  ETag: { description: 'Changes when the answer does', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long the answer holds', schema: { type: 'string' } },
};

function buildFailures(operation: Operation, base_url: string): Record<string, JsonSchema> {
  const codes = listErrors(operation);
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => ERRORS[code].status === status);
      const examples: Examples = Object.fromEntries(
        own.map((code) => [
          code,
          { summary: ERRORS_EXPLAINED[code].when, value: buildErrorExample(code, base_url) },
        ]),
      );
      const failure = {
        description: own.join(', '),
        ...(status === 429 && { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } }),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' }, examples } },
      };
      return [String(status), failure];
    }),
  );
}

export function buildErrorExample(code: ErrorCode, base_url: string): ErrorBody {
  return toErrorBody(new ServiceError(code, ERRORS_EXPLAINED[code].example), `${base_url}/docs`);
}

/** OpenAPI names its examples; ours are numbered. */
function number(examples: readonly { summary: string; value: unknown }[]): Examples {
  return Object.fromEntries(examples.map((example, index) => [`example_${index + 1}`, example]));
}
