import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  Server,
  type ClientCapabilities,
  type Implementation,
  type ProtocolEra,
  type Result,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import type { Log } from '../../core/ports/index.js';
import { SERVICE_NAME, SERVICE_TITLE, type Service } from '../service.js';
import {
  ANSWER_MS,
  LASTING,
  RefusedQuestion,
  type Later,
  type Method,
  type Params,
  type Question,
  type Reply,
  type RequestContext,
} from './method.js';
import type { Methods } from './methods.js';
import { toProtocolError } from './protocol_error.js';
import { openQuestions } from './questions.js';

/** The parts of a server over either transport. */
export type ServerParts = {
  methods: Methods;
  service: Pick<Service, 'continuations' | 'version'> & { log: Log };
};

/** The client that a server serves. */
export type Peer = {
  /** The protocol revision: `legacy` up to 2025-11-25, `modern` from 2026-07-28. */
  era: ProtocolEra;
  face: RequestContext['face'];
  caller: Later<RequestContext['caller']>;
  /** False for a client that accepts nothing before the result. */
  takes_notices: boolean;
};

/** Longer client names are truncated. */
const MAX_NAME_CHARS = 200;

const CACHE_HINTS = {
  'server/discover': LASTING,
  'tools/list': LASTING,
  'prompts/list': LASTING,
  'resources/list': LASTING,
  'resources/templates/list': LASTING,
};

/**
 * Methods check their own parameters. With the SDK's schemas, wrong ones would result in -32603 and a dump of
 * the violations.
 */
const OPEN: StandardSchemaV1<Params> = {
  '~standard': { version: 1, vendor: 'none', validate: (value) => ({ value: value as Params }) },
};

/** The service validates replies itself. The SDK's default would load Ajv. */
const NO_VALIDATOR = {
  getValidator: () => (input: unknown) => ({
    valid: true as const,
    data: input as never,
    errorMessage: undefined,
  }),
};

/** Creates the SDK's server for one connection over stdio, or for one request over HTTP. */
export function createServer({ methods, service }: ServerParts, peer: Peer): Server {
  const server = new Server(
    { name: SERVICE_NAME, title: SERVICE_TITLE, version: service.version },
    {
      capabilities: methods.capabilities,
      instructions: methods.instructions,
      cacheHints: CACHE_HINTS,
      jsonSchemaValidator: NO_VALIDATOR,
      // Clients that cannot be asked get our own token instead.
      inputRequired: { legacyShim: false },
    },
  );
  for (const [name, result] of methods.fixedResults)
    server.setRequestHandler(name, { params: OPEN }, () => result);
  for (const [name, method] of methods.byName) {
    server.setRequestHandler(name, { params: OPEN }, async (params, sdk) => {
      try {
        return await runMethod(method, params, sdk);
      } catch (cause) {
        // The SDK sends the message of any error to the client.
        throw toProtocolError(cause, service.log);
      }
    });
  }
  return server;

  async function runMethod(method: Method, params: Params, sdk: ServerContext): Promise<Result> {
    const { mcpReq } = sdk;
    const caller = typeof peer.caller === 'function' ? await peer.caller() : peer.caller;
    const context: RequestContext = {
      caller,
      face: peer.face,
      signal: mcpReq.signal,
      ...readClient(sdk),
      notify(name, sent) {
        if (!peer.takes_notices || mcpReq.signal.aborted) return;
        // Rejects if the client has disconnected.
        mcpReq.notify({ method: name, params: { ...sent } }).catch(() => undefined);
      },
      ask: (_key, question) => askNow(question, mcpReq),
    };
    if (peer.era === 'legacy') return method(params, context);

    const questions = await openQuestions({ params, mcpReq }, caller.account_id, service.continuations);
    const [ended] = await Promise.allSettled([runAsync(method, params, { ...context, ask: questions.ask })]);
    // Open questions take precedence, whatever the outcome of the call without their replies.
    const instead = await questions.conclude();
    if (instead) return { ...instead, _meta: ended.status === 'fulfilled' ? ended.value._meta : undefined };
    if (ended.status === 'rejected') throw ended.reason;
    return ended.value;
  }

  /**
   * Reads the client's description of itself: sent with each request, or with initialize, which over HTTP
   * went to another server.
   */
  function readClient({
    mcpReq,
  }: ServerContext): Pick<RequestContext, 'client_capabilities' | 'client_name'> {
    const envelope: Envelope | undefined = mcpReq.envelope;
    const isModern = peer.era === 'modern';
    const capabilities = isModern ? envelope?.[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities();
    const client = isModern ? envelope?.[CLIENT_INFO_META_KEY] : server.getClientVersion();
    return {
      client_capabilities: capabilities ?? {},
      client_name: client?.name.slice(0, MAX_NAME_CHARS),
    };
  }
}

type Envelope = {
  [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
  [CLIENT_INFO_META_KEY]?: Implementation;
};

/** Makes a method that throws synchronously reject like any other. */
async function runAsync(method: Method, params: Params, context: RequestContext): Promise<Result> {
  return method(params, context);
}

/** Asks the client during the call, which the revisions up to 2025-11-25 allow. */
async function askNow(
  { method, params }: Question,
  { send, signal }: ServerContext['mcpReq'],
): Promise<Reply> {
  const asked_at = performance.now();
  try {
    const value = await send({ method, params: { ...params } }, OPEN, { timeout: ANSWER_MS, signal });
    return { value, after_ms: performance.now() - asked_at };
  } catch (cause) {
    // Timeouts and closed connections are SdkErrors.
    throw cause instanceof ProtocolError ? new RefusedQuestion(cause.message) : cause;
  }
}
