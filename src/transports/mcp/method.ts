import type { CacheHint, ClientCapabilities, Result } from '@modelcontextprotocol/server';
import type { Call } from '../../core/operations/call.js';

/** Throws a ProtocolError where the protocol has been broken. */
export type Method = (params: Params, context: RequestContext) => Result | Promise<Result>;

export type Params = Readonly<Record<string, unknown>>;

/** How to come by what only a service that runs has. */
export type Later<Value> = Value | (() => Promise<Value>);

/** The client of a request, as the protocol's revision knows it, and the way to send it messages. */
export type RequestContext = {
  caller: Call['caller'];
  face: 'mcp_http' | 'mcp_stdio';
  /** Aborted when the client cancels the request or disconnects. */
  signal: AbortSignal;
  client_capabilities: ClientCapabilities;
  /** The name that the client gave itself. */
  client_name: string | undefined;
  /** On the way of this request's answer, before it. */
  notify(method: string, params: Params): void;
  /**
   * Puts a request of ours to the client. Rejects when there is no answer (in time); what was begun has to end then without having
   * changed anything, because some revisions ask in the answer and are called once more.
   * @param key names the question among those of one call
   */
  ask(key: string, question: Question): Promise<Reply>;
};

/** The client's reply to a question. `after_ms`: how long it took. */
export type Reply = { value: unknown; after_ms: number };

export type Question = { method: string; params: Params };

/** The client answered a question with an error, or takes none on this connection. */
export class RefusedQuestion extends Error {}

/** How long a person is waited for. */
export const ANSWER_MS = 45_000;

/** For answers that change only with a release and are the same for everyone. */
export const LASTING = { ttlMs: 300_000, cacheScope: 'public' } as const satisfies CacheHint;
