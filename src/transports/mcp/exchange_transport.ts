import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { Exchange } from './exchange.js';
import { createOpenRequests } from './open_requests.js';

export type ExchangeTransport = Transport & {
  /** A request, and where its answer goes. Returns how to cancel it. */
  receiveRequest(request: JSONRPCRequest, exchange: Exchange): () => void;
  /** A notification, or the answer to a question of ours. */
  receiveOther(message: Exclude<JSONRPCMessage, JSONRPCRequest>): void;
  /** Requests that have no answer yet. */
  countOpen(): number;
  /** Resolves when nothing is open. */
  whenIdle(): Promise<void>;
};

/**
 * The SDK's Transport, for stdio and for one session over HTTP. Ids are replaced on the way in and put back on the way out,
 * because two requests with one id would otherwise take each other's answers.
 */
export function createExchangeTransport(session_id?: string): ExchangeTransport {
  const open = createOpenRequests<Exchange>();

  const transport: ExchangeTransport = {
    ...(session_id === undefined ? {} : { sessionId: session_id }),
    start: () => Promise.resolve(),

    send(message, options) {
      if (!('method' in message)) {
        if (message.id !== undefined) end(message.id, message);
        return Promise.resolve();
      }
      const related = options?.relatedRequestId;
      // What belongs to no request has nowhere to go: this server starts no conversation of its own.
      const is_sent = related !== undefined && open.get(related)?.entry.send(message);
      if (is_sent || !('id' in message)) return Promise.resolve();
      return Promise.reject(new Error('The client takes no stream, so it cannot be asked.'));
    },

    close() {
      for (const id of open.ids()) end(id, undefined);
      transport.onclose?.();
      return Promise.resolve();
    },

    receiveRequest(request, exchange) {
      const id = open.add(request.id, exchange);
      transport.onmessage?.({ ...request, id });
      return () => cancel(id, 'The connection was closed.');
    },

    receiveOther(message) {
      if ('method' in message && message.method === 'notifications/cancelled') {
        const params = message.params as { requestId?: RequestId; reason?: string } | undefined;
        const id = open.find(params?.requestId);
        if (id !== undefined) cancel(id, params?.reason ?? 'The client cancelled the request.');
      } else {
        transport.onmessage?.(message);
      }
    },

    countOpen: open.count,
    whenIdle: open.whenIdle,
  };
  return transport;

  function cancel(requestId: RequestId, reason: string): void {
    if (!open.get(requestId)) return;
    const params = { requestId, reason };
    transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    // A cancelled request gets no answer from the SDK, so its end is made here.
    end(requestId, undefined);
  }

  function end(id: RequestId, answer: JSONRPCResponse | undefined): void {
    const opened = open.remove(id);
    opened?.entry.finish(answer && { ...answer, id: opened.client_id });
  }
}
