import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../core/operations/call.js';
import type { ConversationRef } from '../../../core/ports/index.js';
import type { Service } from '../../service.js';
import { checkBatch, receiveBatch } from '../revisions/batch.js';
import { answerLater, type Posted } from './exchange.js';
import { isRequest } from '../incoming.js';
import type { Methods } from '../methods.js';
import { createOpenSessions, type OpenSessions } from './open_sessions.js';
import { ProtocolError, RPC } from '../protocol_error.js';
import {
  checkInitialize,
  isInitialize,
  isSupportedVersion,
  readClient,
  takesBatches,
  VERSIONS_TEXT,
  buildInitializeResult,
  type Client,
} from '../revisions/revision_2025.js';

const SESSION_HEADER = 'mcp-session-id';

/** Where the revisions with sessions come in over HTTP. All of it throws a ProtocolError. */
export type SessionDoor = {
  receive(message: JSONRPCMessage, posted: Posted): Promise<unknown>;
  receiveBatch(values: unknown[], posted: Posted): Promise<unknown>;
  /** DELETE. */
  end(request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<unknown>;
  stopAsking: OpenSessions['stopAsking'];
  close(): Promise<void>;
};

type Found = { ref: ConversationRef; client: Client; found_at: string };

/** A session is in the store, so that each request of it may come to another instance; here is what of it is being answered. */
export function createSessionDoor(options: { methods: Methods; service: Service }): SessionDoor {
  const { conversations, log } = options.service;
  const open = createOpenSessions(options);

  return {
    async receive(message, posted) {
      const { request, reply, caller, accepted } = posted;
      if (isRequest(message) && isInitialize(message)) {
        checkInitialize(message);
        const client = readClient(message);
        reply.header(SESSION_HEADER, await conversations.begin(caller.account_id, client));
        const answer = {
          jsonrpc: '2.0',
          id: message.id,
          result: buildInitializeResult(client, options),
        } as const;
        return answerLater(reply, accepted, (exchange) => {
          exchange.finish(answer);
          return () => undefined;
        });
      }
      const found = await find(request, caller);
      if (!isRequest(message)) {
        await open.receiveOther(found.ref, message);
        return reply.code(202).send();
      }
      return answerLater(reply, accepted, (exchange) =>
        open.work(found, caller, (session) =>
          session.receiveRequest(message, exchange, { caller, found_at: found.found_at }),
        ),
      );
    },
    async receiveBatch(values, { request, reply, caller, accepted }) {
      const found = await find(request, caller);
      const { ref, found_at } = found;
      checkBatch(values, takesBatches(found.client));
      return answerLater(reply, accepted, (exchange) =>
        open.work(found, caller, (session) =>
          receiveBatch(values, {
            session,
            exchange,
            from: { caller, found_at },
            receiveOther(message) {
              open.receiveOther(ref, message).catch((error: unknown) => {
                log.debug('mcp message not handled', { error });
              });
            },
          }),
        ),
      );
    },
    async end(request, reply, caller) {
      const { ref } = await find(request, caller);
      await conversations.end(ref);
      await open.end(ref);
      return reply.code(200).send();
    },
    stopAsking: open.stopAsking,
    close: () => open.close(),
  };

  async function find({ headers }: FastifyRequest, { account_id }: Caller): Promise<Found> {
    const conversation_id = headers[SESSION_HEADER];
    if (typeof conversation_id !== 'string') {
      throw new ProtocolError(RPC.refused, 'The Mcp-Session-Id header is missing: begin with initialize.');
    }
    const version = headers['mcp-protocol-version'];
    if (!isSupportedVersion(typeof version === 'string' ? version : undefined)) {
      const message = `This MCP-Protocol-Version is not supported; supported are ${VERSIONS_TEXT}.`;
      throw new ProtocolError(RPC.refused, message);
    }
    const ref = { account_id, conversation_id };
    const found = await conversations.find(ref);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as it was begun with, above
    if (found) return { ref, client: found.facts as Client, found_at: found.found_at };
    throw new ProtocolError(RPC.session_not_found, 'Session not found: begin again with initialize.');
  }
}
