import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '../auth.js';
import { ServiceError } from '../../core/errors.js';
import type { Caller } from '../../core/operation.js';
import { toFailure } from '../failure.js';
import { createHostCheck } from '../http/allowed_hosts.js';
import { isJsonType, readBody } from '../http/read_body.js';
import type { Service } from '../service.js';
import { createHttpExchange } from './http_exchange.js';
import { isInitialize, isRequest, MAX_MESSAGE_BYTES, parseMessage } from './incoming.js';
import { keepText } from './message_text.js';
import { buildRpcFailure, ProtocolError, RPC } from './protocol_error.js';
import { checkInitialize, isSupportedVersion, openSession, VERSIONS_TEXT } from './revision_2025.js';
import { createSessions, type KeptSession } from './sessions.js';
import { createToolbox } from './toolbox.js';

const PATH = '/mcp';
const SESSION_HEADER = 'mcp-session-id';

/** What went wrong before a message reached a session: the protocol's own statuses, 403, 405 and 406 among them. */
type Refusal = { status: number; code: number; message: string };

export type McpHttpOptions = { authenticate: Authenticate; host: string };

/** Streamable HTTP on /mcp. */
export function addMcp(
  server: FastifyInstance,
  service: Service,
  { authenticate, host }: McpHttpOptions,
): void {
  const toolbox = createToolbox(service);
  keepText(toolbox.list);
  const sessions = createSessions(service.clock);
  const isAllowedHost = createHostCheck(service.base_url, host);
  server.addHook('onClose', () => sessions.closeAll());

  server.post(PATH, (request, reply) => handle(request, reply, post));
  server.delete(PATH, (request, reply) => handle(request, reply, end));
  server.get(PATH, { exposeHeadRoute: false }, (request, reply) => handle(request, reply, refuseMethod));

  /** Host and Origin first, then the credentials, then the rest. */
  async function handle(
    request: FastifyRequest,
    reply: FastifyReply,
    next: (request: FastifyRequest, reply: FastifyReply, caller: Caller) => Promise<unknown>,
  ): Promise<unknown> {
    if (!isAllowedHost(request.headers)) {
      const message = 'This Host or Origin may not use this server; set BASE_URL to the address that may.';
      return refuse(reply, { status: 403, code: RPC.refused, message });
    }
    let caller: Caller;
    try {
      caller = await authenticate({ headers: request.headers, address: request.ip }, 'mcp');
    } catch (cause) {
      const { status, body, headers } = toFailure(cause, service);
      return reply.code(status).headers(headers).type('application/json').send(JSON.stringify(body));
    }
    return next(request, reply, caller);
  }

  async function post(request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<unknown> {
    const accepted = readAccept(request.headers.accept);
    if (!accepted.isJson && !accepted.isStream) {
      const message = 'Accept must name application/json and text/event-stream.';
      return refuse(reply, { status: 406, code: RPC.refused, message });
    }
    let message: JSONRPCMessage | undefined;
    try {
      message = await read(request);
      // The era is chosen here: what carries a protocol version of 2026 or later in its _meta, or asks for server/discover,
      // belongs to a revision without sessions. None is served yet.
      const session = await findOrOpen(message, request, reply, caller);
      if ('status' in session) return refuse(reply, session);
      if (isRequest(message)) return answer(message, session, accepted, reply);
      session.transport.receiveOther(message);
      return reply.code(202).send();
    } catch (cause) {
      if (!(cause instanceof ProtocolError)) throw cause;
      const id = message && isRequest(message) ? message.id : cause.id;
      return reply.code(400).send(buildRpcFailure(id, cause.code, cause.message));
    }
  }

  async function findOrOpen(
    message: JSONRPCMessage,
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
  ): Promise<KeptSession | Refusal> {
    if (!isRequest(message) || !isInitialize(message)) return find(request, caller);
    checkInitialize(message);
    const session_id = randomUUID();
    const opened = await openSession({ toolbox, service, caller, face: 'mcp_http', session_id });
    reply.header(SESSION_HEADER, session_id);
    return sessions.add(session_id, caller, opened);
  }

  function find({ headers }: FastifyRequest, caller: Caller): KeptSession | Refusal {
    const session_id = headers[SESSION_HEADER];
    if (typeof session_id !== 'string') {
      const message = 'The Mcp-Session-Id header is missing: begin with initialize.';
      return { status: 400, code: RPC.refused, message };
    }
    const version = headers['mcp-protocol-version'];
    if (!isSupportedVersion(typeof version === 'string' ? version : undefined)) {
      const message = `This MCP-Protocol-Version is not supported; supported are ${VERSIONS_TEXT}.`;
      return { status: 400, code: RPC.refused, message };
    }
    const session = sessions.find(session_id, caller);
    const message = 'Session not found: begin again with initialize.';
    return session ?? { status: 404, code: RPC.session_not_found, message };
  }

  async function end(request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<unknown> {
    const session = find(request, caller);
    if ('status' in session) return refuse(reply, session);
    await sessions.end(session.session_id);
    return reply.code(200).send();
  }
}

function answer(
  message: Parameters<KeptSession['transport']['receiveRequest']>[0],
  session: KeptSession,
  accepted: { isJson: boolean; isStream: boolean },
  reply: FastifyReply,
): FastifyReply {
  const headers = reply.getHeaders() as Record<string, string>;
  reply.hijack();
  const response = reply.raw;
  const exchange = createHttpExchange(response, headers, accepted);
  const cancel = session.transport.receiveRequest(message, exchange);
  response.once('close', () => {
    if (!response.writableFinished) cancel();
  });
  return reply;
}

async function read(request: FastifyRequest): Promise<JSONRPCMessage> {
  if (!isJsonType(request.headers['content-type'])) {
    throw new ProtocolError(RPC.refused, 'Content-Type must be application/json.');
  }
  try {
    return parseMessage(await readBody(request.raw, MAX_MESSAGE_BYTES));
  } catch (cause) {
    if (cause instanceof ServiceError) throw new ProtocolError(RPC.parse_error, cause.message);
    throw cause;
  }
}

/** The server pushes nothing outside of requests, so there is no stream to GET. */
async function refuseMethod(_request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  reply.header('allow', 'POST, DELETE');
  return refuse(reply, { status: 405, code: RPC.refused, message: 'Use POST; there is no stream to GET.' });
}

function refuse(reply: FastifyReply, { status, code, message }: Refusal): FastifyReply {
  return reply.code(status).send(buildRpcFailure(null, code, message));
}

/** Leniently: what is not excluded is accepted. */
function readAccept(header = '*/*'): { isJson: boolean; isStream: boolean } {
  const has = (type: string) => header.toLowerCase().includes(type);
  const isAny = has('*/*');
  return {
    isJson: isAny || has('application/json') || has('application/*'),
    isStream: isAny || has('text/event-stream') || has('text/*'),
  };
}
