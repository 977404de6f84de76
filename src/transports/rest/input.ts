import type { FastifyRequest } from 'fastify';
import { buildValidationError, ServiceError } from '../../core/errors.js';
import type { Call, Operation } from '../../core/operation.js';
import { hasBody, isJsonType, readBody } from '../http/read_body.js';
import { readForm } from '../http/multipart.js';
import type { ObjectSchema } from '../schema_conversion.js';
import { parseJsonBytes } from '../json_text.js';
import type { Service } from '../service.js';
import { readParameters } from './parameters.js';

const MAX_JSON_BYTES = 1024 * 1024;

/**
 * The input of one request, from path and query or path and body. A key of the body that repeats a path parameter is
 * ignored: the path says what the request is about. A multipart file goes into the call.
 */
export async function readInput(
  operation: Operation,
  schema: ObjectSchema,
  request: FastifyRequest,
  call: Call,
  uploads: Service['uploads'],
): Promise<unknown> {
  const path = readParameters(schema, request.params as Record<string, unknown>);
  const { body } = operation.route;
  if (body === 'json') return { ...(await readJsonObject(request)), ...path };
  if (body === undefined) {
    return { ...readParameters(schema, request.query as Record<string, unknown>), ...path };
  }
  const { fields, file } = await readForm(request, uploads);
  if (file) call.file = file;
  // The file comes as a part; what names it in an assistant's arguments means nothing here.
  const { path: _path, file: _file, ...rest } = fields;
  return { ...readParameters(schema, rest), ...path };
}

async function readJsonObject(request: FastifyRequest): Promise<Record<string, unknown>> {
  if (!hasBody(request.raw)) {
    throw buildValidationError([{ path: '', message: 'A JSON body is required.' }]);
  }
  if (!isJsonType(request.headers['content-type'])) {
    throw new ServiceError('UNSUPPORTED_CONTENT', 'The Content-Type must be application/json in UTF-8.', {
      hint: 'Send the header Content-Type: application/json.',
    });
  }
  const bytes = await readBody(request.raw, MAX_JSON_BYTES);
  if (bytes.length === 0) throw buildValidationError([{ path: '', message: 'A JSON body is required.' }]);
  const value = parseJsonBytes(bytes);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw buildValidationError([{ path: '', message: 'The body must be a JSON object.' }]);
  }
  return value;
}
