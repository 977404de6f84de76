import {
  classifyInboundRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
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
import { createAccountLoad } from './account_load.js';
import { createAnswers, type Admitted } from './answers.js';
import { CANCELLED, isRequest, readId, MAX_MESSAGE_BYTES, parseIncoming, toMessage } from '../incoming.js';
import type { Methods } from '../methods.js';
import { buildRpcFailure, ProtocolError, RPC, toProtocolError } from '../protocol_error.js';
import { checkRequest } from '../request_params.js';
import { respond } from './respond.js';
import type { Peer } from '../server.js';

export const MCP_PATH = '/mcp';

type McpHttpOptions = { methods: Methods; authenticate: Authenticate; host: string };

type Next = (request: FastifyRequest, reply: FastifyReply, caller: Caller) => Promise<unknown>;

/** The response types that the client accepts. */
type Accepted = { is_json: boolean; is_stream: boolean };

/** One POST that was admitted. */
type Posted = { request: FastifyRequest; reply: FastifyReply; caller: Caller; accepted: Accepted };

/**
 * Streamable HTTP on /mcp, without sessions in all revisions. The SDK answers; this route is in front of it,
 * because the SDK checks neither origins nor credentials nor rates, and knows a single size limit for bodies.
 */
export function addMcp(
  server: FastifyInstance,
  service: Service,
  { methods, authenticate, host }: McpHttpOptions,
): void {
  const answerBySdk = createAnswers({ methods, service });
  const running = createRunning();
  const load = createAccountLoad(service);
  const isAllowedHost = createHostCheck(service.base_url, host);

  answer('POST', post);
  answer('DELETE', refuseMethod);
  answer('GET', refuseMethod);

  /** In the last hook before the framework processes the body, which would cost more than reading it here. */
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
    const message = toMessage(value);
    const headers = readHeaders(posted.request);
    const { kind } = classifyInboundRequest({
      httpMethod: 'POST',
      protocolVersionHeader: headers['mcp-protocol-version'],
      mcpMethodHeader: headers['mcp-method'],
      mcpNameHeader: headers['mcp-name'],
      body: message,
    });
    const isLegacy = kind === 'legacy';
    if (isLegacy) checkVersion(message, headers['mcp-protocol-version']);
    if (isRequest(message)) {
      const checked = checkRequest(message);
      return answerLater(posted, { message: checked, era: isLegacy ? 'legacy' : 'modern', headers });
    }
    if ('method' in message) {
      if (!isLegacy) return answerLater(posted, { message, era: 'modern', headers });
      if (message.method === CANCELLED) running.cancel(posted.caller, message.params?.['requestId']);
    }
    // The service asks nothing over HTTP, so a reply has no matching question.
    return posted.reply.code(202).send();
  }

  /** Takes the response over from Fastify, and stops the work if the client disconnects first. */
  async function answerLater(
    { reply, caller, accepted }: Posted,
    { message, era, headers }: Read,
  ): Promise<void> {
    const own_headers = reply.getHeaders() as Record<string, string>;
    reply.hijack();
    const response = reply.raw;
    // The client may have disconnected during the check of its credentials.
    if (response.destroyed) return;
    const canceling = new AbortController();
    const forget = era === 'legacy' && isRequest(message) && running.add(caller, message.id, canceling);
    response.once('close', () => {
      if (forget) forget();
      if (!response.writableFinished) canceling.abort('The client disconnected.');
    });
    const peer: Peer = { era, face: 'mcp_http', caller, takes_notices: accepted.is_stream };
    const answer = await answerBySdk({ message, peer, headers }, canceling.signal).catch((cause: unknown) =>
      Response.json(buildRpcFailure(readId(message), toProtocolError(cause, service.log)), { status: 500 }),
    );
    // Older clients take the HTTP status of an error for a failure of the transport, and 404 for the end of a
    // session.
    const status = era === 'legacy' ? 200 : undefined;
    await respond(response, answer, { headers: own_headers, takes_json: accepted.is_json, status });
  }
}

/** A message, and the parts of the request that its revision reads. */
type Read = Pick<Admitted, 'message' | 'headers'> & Pick<Peer, 'era'>;

/** Throws a ProtocolError. Initialize negotiates the version in its own parameters. */
function checkVersion(message: JSONRPCMessage, version: string | undefined): void {
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return;
  if ('method' in message && message.method === 'initialize') return;
  const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  throw new ProtocolError(
    RPC.refused,
    `This MCP-Protocol-Version is not supported. Older clients can use one of: ${supported}.`,
  );
}

/** @param id of the request, if the failure does not know it */
function sendFailure(reply: FastifyReply, cause: unknown, id: ProtocolError['id']): FastifyReply {
  if (!(cause instanceof ProtocolError)) throw cause;
  if (cause.retry_after_seconds !== undefined) reply.header('retry-after', cause.retry_after_seconds);
  return reply.code(STATUSES[cause.code] ?? 400).send(buildRpcFailure(cause.id ?? id, cause));
}

/** Statuses that the protocol requires instead of 400. */
const STATUSES: Readonly<Record<number, number>> = {
  [RPC.method_not_found]: 404,
  [RPC.limited]: 429,
  // For a well-formed message.
  [RPC.invalid_params]: 200,
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

const HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

type ProtocolHeaders = Partial<Record<(typeof HEADERS)[number], string>>;

function readHeaders({ headers }: FastifyRequest): ProtocolHeaders {
  return Object.fromEntries(
    HEADERS.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
}

/** There are no sessions to end, and the server pushes nothing outside requests. */
async function refuseMethod(_request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  reply.header('allow', 'POST');
  return refuse(reply, 405, 'Use POST. There is no stream to GET, and no session to DELETE.');
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send(buildRpcFailure(undefined, { code: RPC.refused, message }));
}

/** Lenient: accepts everything that the header does not exclude. */
function readAccept(header = '*/*'): Accepted {
  const types = header.toLowerCase();
  const has = (type: string) => types.includes(type);
  const isAny = has('*/*');
  return {
    is_json: isAny || has('application/json') || has('application/*'),
    is_stream: isAny || has('text/event-stream') || has('text/*'),
  };
}

/** Requests that this instance is answering, so that a notification in a separate POST can cancel one. */
type Running = {
  /** Returns a function that removes the request. */
  add(caller: Caller, id: unknown, canceling: AbortController): () => void;
  cancel(caller: Caller, id: unknown): void;
};

function createRunning(): Running {
  const running = new Map<string, Set<AbortController>>();
  return {
    add(caller, id, canceling) {
      const key = toKey(caller, id);
      const known = running.get(key) ?? new Set();
      running.set(key, known.add(canceling));
      return () => {
        known.delete(canceling);
        if (known.size === 0 && running.get(key) === known) running.delete(key);
      };
    },
    cancel(caller, id) {
      const [canceling, ...others] = running.get(toKey(caller, id)) ?? [];
      // Clients count their requests from 0: several clients with the same key may each be running a request
      // with this id.
      if (others.length === 0) canceling?.abort('The client canceled the request.');
    },
  };
}

function toKey({ account_id, credential_id }: Caller, id: unknown): string {
  return JSON.stringify([account_id, credential_id, id]);
}
