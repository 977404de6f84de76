import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/** The way back to whoever sent a request. */
export type Exchange = {
  /** Progress, or a question to the person; before the answer. */
  send(message: JSONRPCNotification | JSONRPCRequest): void;
  /** The answer, and the end. Undefined: the request was cancelled, and nothing is answered. */
  finish(answer: JSONRPCResponse | undefined): void;
};

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
  const open = new Map<RequestId, { exchange: Exchange; client_id: RequestId }>();
  const waiting = new Set<() => void>();
  // From 1: the SDK takes an id of 0 for none when it cancels.
  let lastId = 0;

  const transport: ExchangeTransport = {
    ...(session_id === undefined ? {} : { sessionId: session_id }),
    start: () => Promise.resolve(),

    send(message, options) {
      if ('method' in message) {
        const related = options?.relatedRequestId;
        // What belongs to no request has nowhere to go: this server starts no conversation of its own.
        if (related !== undefined) open.get(related)?.exchange.send(message);
      } else if (message.id !== undefined) {
        end(message.id, message);
      }
      return Promise.resolve();
    },

    close() {
      for (const id of open.keys()) end(id, undefined);
      transport.onclose?.();
      return Promise.resolve();
    },

    receiveRequest(request, exchange) {
      lastId += 1;
      const id = lastId;
      open.set(id, { exchange, client_id: request.id });
      transport.onmessage?.({ ...request, id });
      return () => cancel(id, 'The connection was closed.');
    },

    receiveOther(message) {
      if ('method' in message && message.method === 'notifications/cancelled') {
        const params = message.params as { requestId?: RequestId; reason?: string } | undefined;
        const id = [...open].findLast(([, { client_id }]) => client_id === params?.requestId)?.[0];
        if (id !== undefined) cancel(id, params?.reason ?? 'The client cancelled the request.');
      } else {
        transport.onmessage?.(message);
      }
    },

    countOpen: () => open.size,
    whenIdle: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.add(resolve))),
  };
  return transport;

  function cancel(requestId: RequestId, reason: string): void {
    if (!open.has(requestId)) return;
    const params = { requestId, reason };
    transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    // A cancelled request gets no answer from the SDK, so its end is made here.
    end(requestId, undefined);
  }

  function end(id: RequestId, answer: JSONRPCResponse | undefined): void {
    const entry = open.get(id);
    if (!entry) return;
    open.delete(id);
    entry.exchange.finish(answer && { ...answer, id: entry.client_id });
    if (open.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  }
}
