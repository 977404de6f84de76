import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../core/operations/call.js';
import type { Service } from '../../service.js';
import { checkBatch, receiveBatch } from '../revisions/batch.js';
import { answerLater, type Posted } from './exchange.js';
import { isRequest } from '../incoming.js';
import type { Methods } from '../methods.js';
import { ProtocolError, RPC } from '../protocol_error.js';
import {
  checkInitialize,
  isInitialize,
  isSupportedVersion,
  openSession,
  VERSIONS_TEXT,
} from '../revisions/revision_2025.js';
import { createSessions, type KeptSession } from '../revisions/sessions.js';

const SESSION_HEADER = 'mcp-session-id';

/** Where the revisions with sessions come in over HTTP. All of it throws a ProtocolError. */
export type SessionDoor = {
  receive(message: JSONRPCMessage, posted: Posted): unknown;
  receiveBatch(values: unknown[], posted: Posted): unknown;
  /** DELETE. */
  end(request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<unknown>;
  closeAll(): Promise<void>;
};

export function createSessionDoor(options: { methods: Methods; service: Service }): SessionDoor {
  const sessions = createSessions(options.service.clock);

  return {
    receive(message, { request, reply, caller, accepted }) {
      const session = findOrOpen(message, request, reply, caller);
      if (isRequest(message)) {
        return answerLater(reply, accepted, (exchange) => session.receiveRequest(message, exchange, caller));
      }
      session.receiveOther(message);
      return reply.code(202).send();
    },
    receiveBatch(values, { request, reply, caller, accepted }) {
      const session = find(request, caller);
      checkBatch(values, session);
      return answerLater(reply, accepted, (exchange) => receiveBatch(values, session, exchange, caller));
    },
    async end(request, reply, caller) {
      await sessions.end(find(request, caller).session_id);
      return reply.code(200).send();
    },
    closeAll: () => sessions.closeAll(),
  };

  function findOrOpen(
    message: JSONRPCMessage,
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
  ): KeptSession {
    if (!isRequest(message) || !isInitialize(message)) return find(request, caller);
    checkInitialize(message);
    const session_id = randomUUID();
    const opened = openSession({ ...options, caller, face: 'mcp_http' });
    reply.header(SESSION_HEADER, session_id);
    return sessions.add(session_id, caller, opened);
  }

  function find({ headers }: FastifyRequest, caller: Caller): KeptSession {
    const session_id = headers[SESSION_HEADER];
    if (typeof session_id !== 'string') {
      throw new ProtocolError(RPC.refused, 'The Mcp-Session-Id header is missing: begin with initialize.');
    }
    const version = headers['mcp-protocol-version'];
    if (!isSupportedVersion(typeof version === 'string' ? version : undefined)) {
      const message = `This MCP-Protocol-Version is not supported; supported are ${VERSIONS_TEXT}.`;
      throw new ProtocolError(RPC.refused, message);
    }
    const session = sessions.find(session_id, caller);
    if (session) return session;
    throw new ProtocolError(RPC.session_not_found, 'Session not found: begin again with initialize.');
  }
}
