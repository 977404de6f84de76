import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../core/errors.js';
import { buildValidationError } from '../../core/issues/issues.js';
import type { Operation } from '../../core/operations/operation.js';
import type { Call } from '../../core/operations/call.js';
import { hasBody, isJsonType, readBody } from '../http/read_body.js';
import { readForm } from '../http/multipart.js';
import type { ObjectSchema } from '../schema_conversion.js';
import { parseJsonBytes } from '../../core/operations/json_text.js';
import type { Service } from '../service.js';
import { readParameters } from './parameters.js';

const MAX_JSON_BYTES = 1024 * 1024;

/**
 * Reads the input of one request. Path parameters take precedence: the path says what the request is about.
 * If the operation has a body, the rest is in the body, and a query is refused. Otherwise the rest is in the
 * query, and keys of a JSON body, which such an operation does not need, count like those of the query.
 * Unknown keys go to the gate, which reports them. A multipart file goes into the call.
 */
export async function readInput(
  operation: Operation,
  schema: ObjectSchema,
  request: FastifyRequest,
  call: Call,
  uploads: Service['uploads'],
): Promise<unknown> {
  const path = readParameters(schema, request.params as Record<string, unknown>);
  const query = request.query as Record<string, unknown>;
  const { body } = operation.route;
  if (body === undefined) {
    return { ...(await readNeedlessBody(request)), ...readParameters(schema, query), ...path };
  }
  refuseQuery(Object.keys(query));
  if (body === 'json') return { ...(await readJsonObject(request)), ...path };
  const { fields, file } = await readForm(request, uploads);
  if (file) call.file = file;
  // Arguments that name a file over MCP do not name one over REST: without the part, the file is missing.
  const { path: local, file: text, ...rest } = fields;
  if (file && (local !== undefined || text !== undefined)) {
    const at = local === undefined ? 'file' : 'path';
    throw buildValidationError([{ code: 'part_beside_file', at, params: {} }]);
  }
  return { ...readParameters(schema, rest), ...path };
}

/** Otherwise nothing would read a dry_run in the address of a listing that goes live. */
function refuseQuery(names: readonly string[]): void {
  if (names.length === 0) return;
  throw buildValidationError(names.map((at) => ({ code: 'key_in_address', at, params: {} })));
}

/**
 * Clients may announce a body and send an empty one, such as those that set a Content-Type on every request.
 */
async function readNeedlessBody(request: FastifyRequest): Promise<Record<string, unknown>> {
  if (!hasBody(request.raw)) return {};
  const bytes = await readBody(request.raw, MAX_JSON_BYTES);
  if (bytes.length === 0) return {};
  checkJsonType(request);
  return parseObject(bytes);
}

async function readJsonObject(request: FastifyRequest): Promise<Record<string, unknown>> {
  if (!hasBody(request.raw)) {
    throw buildValidationError([{ code: 'body_required', at: '', params: {} }]);
  }
  checkJsonType(request);
  const bytes = await readBody(request.raw, MAX_JSON_BYTES);
  if (bytes.length === 0) throw buildValidationError([{ code: 'body_required', at: '', params: {} }]);
  return parseObject(bytes);
}

function checkJsonType(request: FastifyRequest): void {
  if (!isJsonType(request.headers['content-type'])) {
    throw new ServiceError(
      'UNSUPPORTED_CONTENT',
      { code: 'content_type_wrong', params: { expected: 'json' } },
      { hint: 'Send the header Content-Type: application/json.' },
    );
  }
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  const value = parseJsonBytes(bytes);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw buildValidationError([{ code: 'body_not_object', at: '', params: {} }]);
  }
  return value;
}
