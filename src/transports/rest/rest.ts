import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import type { AnswerFile, Call } from '../../core/operations/call.js';
import type { Outcome } from '../../core/operations/invoke.js';
import type { Operation } from '../../core/operations/operation.js';
import type { Authenticate } from '../auth.js';
import { buildFailure, buildNotFound } from '../failure.js';
import { buildInputSchema } from '../json_schema.js';
import { addFormRoutes } from '../http/multipart.js';
import { toRateNumbers } from '../rate_headers.js';
import type { Service } from '../service.js';
import { readInput } from './input.js';

export const API_PREFIX = '/api/v1';

/**
 * Adds every operation under its route. This module knows no operation in particular: everything it needs is
 * in their definitions.
 */
export function addRest(server: FastifyInstance, service: Service, authenticate: Authenticate): void {
  for (const operation of service.operations) {
    const add = (scope: FastifyInstance) => addOperation(scope, service, operation, authenticate);
    if (operation.route.body === 'multipart') addFormRoutes(server, add);
    else add(server);
  }
  addMissingMethods(server, service.operations);
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * Answers 404 if a path without parameters is requested with a method that it does not have, and names the
 * routes that exist. Without this, `GET /listings/create` would be taken for the listing with the id
 * `create`.
 */
function addMissingMethods(server: FastifyInstance, operations: readonly Operation[]): void {
  const paths = new Set(operations.map(({ route }) => route.path).filter((path) => !path.includes('{')));
  for (const path of paths) {
    const near = operations.filter(({ route }) => route.path === path || route.path.startsWith(`${path}/`));
    const instead = near.map(({ route }) => `${route.method} ${API_PREFIX}${route.path}`);
    const own = new Set(near.filter(({ route }) => route.path === path).map(({ route }) => route.method));
    const method = METHODS.filter((one) => !own.has(one));
    server.route({
      method,
      url: toRouterPath(path),
      handler: (request) => {
        throw buildNotFound(request.method, API_PREFIX + path, instead);
      },
    });
  }
}

/** Converts `/stores/{shop_id}/sync` to the router's syntax. */
function toRouterPath(path: string): string {
  return API_PREFIX + path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function addOperation(
  server: FastifyInstance,
  service: Service,
  operation: Operation,
  authenticate: Authenticate,
): void {
  const schema = buildInputSchema(operation);
  server.route({
    method: operation.route.method,
    url: toRouterPath(operation.route.path),
    handler: async (request, reply) => {
      const caller = await authenticate(request, operation.auth);
      const idempotency_key = request.headers['idempotency-key'];
      const call: Call = {
        caller,
        face: 'rest',
        signal: watchConnection(reply),
        ...(typeof idempotency_key === 'string' && { idempotency_key }),
      };
      const read = () => readInput(operation, schema, request, call, service.uploads);
      try {
        return send(operation, await service.invoke(operation, { read }, call), request, reply);
      } finally {
        if (call.file) await service.uploads.discard(call.file);
      }
    },
  });
}

function send(
  operation: Operation,
  outcome: Outcome,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (outcome.limits) reply.headers(toRateNumbers(outcome.limits));
  if (!outcome.ok) {
    const { status, body, headers } = buildFailure(outcome.error, outcome.retry_after_seconds);
    return reply.code(status).headers(headers).type('application/json').send(JSON.stringify(body));
  }
  if (outcome.file) return sendFile(outcome.file, outcome.output, reply);
  const text = JSON.stringify(outcome.output);
  reply.code(outcome.status).headers(operation.headers ?? {});
  if (operation.headers?.['cache-control'] !== undefined) {
    const etag = buildEtag(text);
    reply.header('etag', etag);
    if (isMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
  }
  return reply.type('application/json').send(text);
}

/** The file has no place for warnings. */
export function sendFile(
  { bytes, content_type, filename }: AnswerFile,
  output: unknown,
  reply: FastifyReply,
): FastifyReply {
  const { warnings = [] } = output as { warnings?: readonly unknown[] };
  if (warnings.length > 0) reply.header('x-service-warnings', toAscii(JSON.stringify(warnings)));
  return reply
    .header('content-disposition', `attachment; filename="${filename}"`)
    .type(content_type)
    .send(bytes);
}

function toAscii(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Aborted if the caller disconnects before the response. */
function watchConnection(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.on('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('The caller closed the connection.'));
  });
  return controller.signal;
}

function buildEtag(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/**
 * Whether the header names the ETag. The comparison is weak, as If-None-Match requires: the prefix W/ is
 * ignored.
 */
function isMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .map((part) => part.trim().replace(/^W\//, ''))
    .some((part) => part === '*' || part === etag);
}
