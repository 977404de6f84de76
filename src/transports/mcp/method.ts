import type { CacheHint, ClientCapabilities, Result } from '@modelcontextprotocol/server';
import type { Call } from '../../core/operations/call.js';

/** Throws a ProtocolError if the protocol is violated. */
export type Method = (params: Params, context: RequestContext) => Result | Promise<Result>;

export type Params = Readonly<Record<string, unknown>>;

/** A value that may only be available once the service is running. */
export type Later<Value> = Value | (() => Promise<Value>);

/** The client of a request, as the protocol's revision describes it, and the way to send it messages. */
export type RequestContext = {
  caller: Call['caller'];
  face: 'mcp_http' | 'mcp_stdio';
  /** Aborted when the client cancels the request or disconnects. */
  signal: AbortSignal;
  client_capabilities: ClientCapabilities;
  /** The name that the client gave itself. */
  client_name: string | undefined;
  /** Sends a notification before the response, on the same stream. */
  notify(method: string, params: Params): void;
  /**
   * Sends a question to the client. Rejects if no reply arrives (in time); work already begun must then stop
   * without having changed anything, because some revisions return the question as the response and repeat
   * the call.
   * @param key identifies the question within one call
   */
  ask(key: string, question: Question): Promise<Reply>;
};

/** The client's reply to a question. `after_ms`: how long the client took. */
export type Reply = { value: unknown; after_ms: number };

export type Question = { method: string; params: Params };

/** The client answered a question with an error, or takes no questions on this connection. */
export class RefusedQuestion extends Error {}

/** How long to wait for a person. */
export const ANSWER_MS = 45_000;

/** For responses that change only with a release and are the same for everyone. */
export const LASTING = { ttlMs: 300_000, cacheScope: 'public' } as const satisfies CacheHint;
