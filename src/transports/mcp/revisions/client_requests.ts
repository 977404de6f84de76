import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  McpError,
  ResultSchema,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../../../core/ports/index.js';
import { SERVICE_NAME, type Service } from '../../service.js';
import type { ClientCapabilities } from './client_capabilities.js';
import type { Exchange } from './exchange.js';
import { CANCELLED } from '../incoming.js';
import type { Methods } from '../methods.js';
import { ANSWER_MS, RefusedQuestion, type Question, type Reply } from '../method.js';

/** Our own requests to the client of one conversation, such as asking its person. */
export type ClientRequests = {
  /** Rejects when there is no answer in time, and with a RefusedQuestion when the client refuses to be asked. */
  ask(question: Question, exchange: Exchange, signal: AbortSignal): Promise<Reply>;
  /** An answer of the client. False when it answers nothing that was asked here. */
  receive(message: JSONRPCMessage): boolean;
  /** What was asked rejects. */
  close(): Promise<void>;
};

export type ClientRequestsOptions = {
  methods: Pick<Methods, 'capabilities'>;
  service: Pick<Service, 'version'> & { log: Log };
  /** What is known of it, and the revision agreed on. */
  client: { version: string; capabilities: ClientCapabilities };
};

/** The SDK's part of a conversation: numbering, timeouts, cancelling and the check of answers. */
export async function openClientRequests({
  methods,
  service,
  client,
}: ClientRequestsOptions): Promise<ClientRequests> {
  const server = new Server(
    { name: SERVICE_NAME, version: service.version },
    {
      capabilities: methods.capabilities,
      // A question of ours is one yes or no, which the operation reads itself.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's Server is no event target
  server.onerror = (error) => service.log.debug('mcp message not handled', { error });

  const ways = new Map<string | number, Exchange>();
  let last_way = 0;
  // The SDK counts questions from 0, in each instance that asks within one session.
  const name = `${randomUUID()}/`;
  const transport: Transport = {
    start: () => Promise.resolve(),
    send(message, options) {
      const related = options?.relatedRequestId;
      // The one message without a way is the answer to the introduction, which the client has had.
      if (
        related === undefined ||
        !('method' in message) ||
        ways.get(related)?.send(addName(message, name))
      ) {
        return Promise.resolve();
      }
      return Promise.reject(new RefusedQuestion('The client takes no stream, so it cannot be asked.'));
    },
    async close() {
      // Without it, what was asked would be waited for.
      transport.onclose?.();
    },
  };
  await server.connect(transport);
  const introduction = {
    protocolVersion: client.version,
    capabilities: client.capabilities,
    clientInfo: { name: 'client', version: '0' },
  };
  transport.onmessage?.({ jsonrpc: '2.0', id: 0, method: 'initialize', params: introduction });
  transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/initialized' });

  return {
    async ask({ method, params }, exchange, signal) {
      last_way += 1;
      const way = last_way;
      ways.set(way, exchange);
      try {
        const options = { timeout: ANSWER_MS, signal, relatedRequestId: way };
        const asked_at = performance.now();
        const value = await server.request({ method, params }, ResultSchema, options);
        return { value, after_ms: performance.now() - asked_at };
      } catch (cause) {
        const isRefusal = cause instanceof McpError && !NO_ANSWER.has(cause.code);
        throw isRefusal ? new RefusedQuestion(cause.message) : cause;
      } finally {
        ways.delete(way);
      }
    },
    receive(message) {
      const id = 'id' in message ? message.id : undefined;
      if (typeof id !== 'string' || !id.startsWith(name)) return false;
      transport.onmessage?.({ ...message, id: Number(id.slice(name.length)) });
      return true;
    },
    close: () => server.close(),
  };
}

/** Codes with which the SDK gives up waiting. All other codes come from the client. */
const NO_ANSWER: ReadonlySet<number> = new Set([ErrorCode.RequestTimeout, ErrorCode.ConnectionClosed]);

/** To a question of ours, and to what says that it is no longer asked. */
function addName<Message extends JSONRPCNotification | JSONRPCRequest>(
  message: Message,
  name: string,
): Message {
  if ('id' in message) return { ...message, id: `${name}${message.id}` };
  const params = { ...message.params, requestId: `${name}${String(message.params?.['requestId'])}` };
  return message.method === CANCELLED ? { ...message, params } : message;
}
