import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '../../auth.js';
import { ServiceError } from '../../../core/errors.js';
import { chooseResource } from '../../../core/identity/grants/resource.js';
import type { Caller } from '../../../core/operations/call.js';
import { toFailure } from '../../failure.js';
import { createHostCheck } from '../../http/allowed_hosts.js';
import { isJsonType, readBody } from '../../http/read_body.js';
import { buildChallenge } from '../../oauth/metadata.js';
import type { Service } from '../../service.js';
import { isNewerThanSessions, isStateless } from '../revisions/era.js';
import { createAccountLoad } from './account_load.js';
import { answerLater, type Accepted, type Posted } from './exchange.js';
import { createSessionDoor, type SessionDoor } from './sessions.js';
import { isRequest, readId, MAX_MESSAGE_BYTES, parseIncoming, toMessage } from '../incoming.js';
import type { Methods } from '../methods.js';
import { buildRpcFailure, ProtocolError, RPC } from '../protocol_error.js';
import { checkHeaders } from './request_headers.js';
import { createStatelessRevision } from '../revisions/revision_2026.js';

export const MCP_PATH = '/mcp';
const VERSION_HEADER = 'mcp-protocol-version';

export type McpHttpOptions = { methods: Methods; authenticate: Authenticate; host: string };

type Next = (request: FastifyRequest, reply: FastifyReply, caller: Caller) => Promise<unknown>;

/**
 * Streamable HTTP on /mcp, in its two forms: with sessions, and without. The transport is our own: the SDK's speaks the revisions with
 * sessions alone, and refuses in words of its own. Questions to a client within a session are still the SDK's part (client_requests.ts).
 */
export function addMcp(
  server: FastifyInstance,
  service: Service,
  { methods, authenticate, host }: McpHttpOptions,
): Pick<SessionDoor, 'stopAsking'> {
  const stateless = createStatelessRevision({ methods, service });
  const sessions = createSessionDoor({ methods, service });
  const load = createAccountLoad(service);
  const isAllowedHost = createHostCheck(service.base_url, host);
  server.addHook('onClose', () => sessions.close());

  answer('POST', post);
  answer('DELETE', end);
  answer('GET', refuseGet);
  return sessions;

  /** In the last hook before the framework looks at the body, which costs more than to read it. */
  function answer(method: 'POST' | 'DELETE' | 'GET', next: Next): void {
    server.route({
      method,
      url: MCP_PATH,
      exposeHeadRoute: false,
      onRequest: (request, reply) => handle(request, reply, next),
      handler: (_request, reply) => reply,
    });
  }

  /** Host and Origin first, then the credentials, then the rest. */
  async function handle(request: FastifyRequest, reply: FastifyReply, next: Next): Promise<unknown> {
    if (!isAllowedHost(request.headers)) {
      const message = 'This Host or Origin may not use this server; set BASE_URL to the address that may.';
      return refuse(reply, 403, message);
    }
    let caller: Caller;
    try {
      caller = await authenticate(request, 'mcp');
    } catch (cause) {
      const { status, body, headers } = toFailure(cause, service);
      if (status === 401) {
        const resource = chooseResource(service.grants.resources, request.headers.host);
        headers['www-authenticate'] = buildChallenge(resource, request.headers);
      }
      return reply.code(status).headers(headers).type('application/json').send(JSON.stringify(body));
    }
    try {
      load.take(caller.account_id);
    } catch (cause) {
      return sendFailure(reply, cause, undefined);
    }
    return next(request, reply, caller);
  }

  async function post(request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<unknown> {
    const accepted = readAccept(request.headers.accept);
    if (!accepted.is_json && !accepted.is_stream) {
      return refuse(reply, 406, 'Accept must name application/json and text/event-stream.');
    }
    let value: unknown;
    try {
      const bytes = await read(request);
      load.hold(caller.account_id, bytes.length, reply.raw);
      value = parseIncoming(bytes);
      return await receive(value, { request, reply, caller, accepted });
    } catch (cause) {
      return sendFailure(reply, cause, readId(value));
    }
  }

  async function receive(value: unknown, posted: Posted): Promise<unknown> {
    const header = readVersion(posted.request);
    if (Array.isArray(value) && !isNewerThanSessions(header)) {
      // The first of them has been counted.
      load.take(posted.caller.account_id, Math.max(0, value.length - 1));
      return sessions.receiveBatch(value, posted);
    }
    const message = toMessage(value);
    if (!isStateless(message, header)) return sessions.receive(message, posted);
    return receiveStateless(message, posted);
  }

  function receiveStateless(message: JSONRPCMessage, { request, reply, caller, accepted }: Posted): unknown {
    if (!('method' in message)) {
      throw new ProtocolError(
        RPC.invalid_request,
        'This revision asks nothing, so there is nothing to answer.',
      );
    }
    if (!isRequest(message)) return reply.code(202).send();
    const admitted = stateless.admit(message, (version) => checkHeaders(request.headers, message, version));
    return answerLater(reply, accepted, (exchange) =>
      stateless.receive(admitted, { caller, face: 'mcp_http' }, exchange),
    );
  }

  async function end(request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<unknown> {
    if (isNewerThanSessions(readVersion(request))) return refuseMethod(reply, 'POST');
    try {
      return await sessions.end(request, reply, caller);
    } catch (cause) {
      return sendFailure(reply, cause, undefined);
    }
  }
}

/** @param id of the request, where the failure does not know it */
function sendFailure(reply: FastifyReply, cause: unknown, id: ProtocolError['id']): FastifyReply {
  if (!(cause instanceof ProtocolError)) throw cause;
  if (cause.retry_after_seconds !== undefined) reply.header('retry-after', cause.retry_after_seconds);
  return reply.code(STATUSES[cause.code] ?? 400).send(buildRpcFailure(cause.id ?? id, cause));
}

/** The server pushes nothing outside of requests, so there is no stream to GET. */
async function refuseGet(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  return refuseMethod(reply, isNewerThanSessions(readVersion(request)) ? 'POST' : 'POST, DELETE');
}

/** What the protocol wants instead of 400. */
const STATUSES: Readonly<Record<number, number>> = {
  [RPC.method_not_found]: 404,
  [RPC.session_not_found]: 404,
  [RPC.limited]: 429,
};

async function read(request: FastifyRequest): Promise<Buffer> {
  if (!isJsonType(request.headers['content-type'])) {
    throw new ProtocolError(RPC.refused, 'Content-Type must be application/json.');
  }
  try {
    return await readBody(request.raw, MAX_MESSAGE_BYTES);
  } catch (cause) {
    if (cause instanceof ServiceError && cause.status !== 429)
      throw new ProtocolError(RPC.parse_error, cause.message);
    throw cause;
  }
}

function readVersion({ headers }: FastifyRequest): string | undefined {
  const header = headers[VERSION_HEADER];
  return typeof header === 'string' ? header : undefined;
}

function refuseMethod(reply: FastifyReply, allowed: string): FastifyReply {
  reply.header('allow', allowed);
  return refuse(reply, 405, 'Use POST; there is no stream to GET.');
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send(buildRpcFailure(undefined, { code: RPC.refused, message }));
}

/** Leniently: what is not excluded is accepted. */
function readAccept(header = '*/*'): Accepted {
  const types = header.toLowerCase();
  const has = (type: string) => types.includes(type);
  const is_any = has('*/*');
  return {
    is_json: is_any || has('application/json') || has('application/*'),
    is_stream: is_any || has('text/event-stream') || has('text/*'),
  };
}
