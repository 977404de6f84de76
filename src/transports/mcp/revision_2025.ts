import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  InitializeRequestSchema,
  ResultSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
  type JSONRPCRequest,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { SERVICE_NAME, SERVICE_TITLE, type Service } from '../service.js';
import { createExchangeTransport, type ExchangeTransport } from './exchange_transport.js';
import { ANSWER_MS, runMethod, type Methods, type RequestContext } from './methods.js';
import { ProtocolError, RPC } from './protocol_error.js';

/*
 * The revisions with a handshake, 2024-10-07 to 2025-11-25: initialize, then calls within that session.
 */

/** One client's conversation. What it can do (such as asking its person) was told at its beginning, so none is shared. */
export type Session = Pick<
  ExchangeTransport,
  'receiveRequest' | 'receiveOther' | 'countOpen' | 'whenIdle'
> & {
  /** Whether the revision agreed on has batches. */
  takesBatches(): boolean;
  close(): Promise<void>;
};

export type SessionOptions = {
  methods: Methods;
  service: Pick<Service, 'log' | 'version'>;
  caller: RequestContext['caller'];
  face: RequestContext['face'];
  session_id?: string;
};

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export async function openSession(options: SessionOptions): Promise<Session> {
  const { methods, service, session_id } = options;
  const server = new Server(
    { name: SERVICE_NAME, title: SERVICE_TITLE, version: service.version },
    {
      capabilities: methods.capabilities,
      instructions: methods.instructions,
      // Nothing here is validated by the SDK: the gate parses inputs, and a question of ours is one yes or no.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  // The fallback and not a handler per method: handlers refuse in the SDK's words, and parse everything once more.
  server.fallbackRequestHandler = (request, extra) =>
    runMethod(methods, request, buildContext(options, server, extra), service.log);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's Server is no event target
  server.onerror = (error) => service.log.debug('mcp message not handled', { error });
  const transport = createExchangeTransport(session_id);
  await server.connect(transport);
  let version: unknown;
  return {
    receiveRequest(request, exchange) {
      if (request.method === 'initialize') version = request.params?.['protocolVersion'];
      return transport.receiveRequest(request, exchange);
    },
    receiveOther: transport.receiveOther,
    countOpen: transport.countOpen,
    whenIdle: transport.whenIdle,
    takesBatches: () => typeof version === 'string' && VERSIONS_WITH_BATCHES.has(version),
    close: () => server.close(),
  };
}

/** Throws a ProtocolError where initialize says too little; the SDK would answer with its parser's dump. */
export function checkInitialize(request: JSONRPCRequest): void {
  if (InitializeRequestSchema.safeParse(request).success) return;
  throw new ProtocolError(
    RPC.invalid_params,
    'initialize needs params.protocolVersion, params.capabilities and params.clientInfo (name, version).',
  );
}

export function isInitialize(request: JSONRPCRequest): boolean {
  return request.method === 'initialize';
}

/** The header may be left out by clients that are older than it. */
export function isSupportedVersion(header: string | undefined): boolean {
  return header === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(header);
}

export const VERSIONS_TEXT = SUPPORTED_PROTOCOL_VERSIONS.join(', ');

/** The last to have them was 2025-03-26. */
const VERSIONS_WITH_BATCHES = new Set(
  SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version <= '2025-03-26'),
);

function buildContext(
  { service, caller, face }: SessionOptions,
  server: Server,
  extra: Extra,
): RequestContext {
  const { signal } = extra;
  return {
    caller,
    face,
    signal,
    client_capabilities: server.getClientCapabilities() ?? {},
    notify(method, params) {
      extra.sendNotification({ method, params } as ServerNotification).catch((error: unknown) => {
        service.log.debug('mcp notification not sent', { method, error });
      });
    },
    // While the call waits, on the way that its answer will take.
    ask: (_key, { method, params }) =>
      extra.sendRequest({ method, params } as ServerRequest, ResultSchema, { timeout: ANSWER_MS, signal }),
  };
}
