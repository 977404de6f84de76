import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  ElicitResultSchema,
  InitializeRequestSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
  type JSONRPCRequest,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { Call, Consent, Progress } from '../../core/operation.js';
import { SERVICE_NAME, SERVICE_TITLE, type Service } from '../service.js';
import { createExchangeTransport, type ExchangeTransport } from './exchange_transport.js';
import { INSTRUCTIONS } from './instructions.js';
import { ProtocolError, RPC } from './protocol_error.js';
import type { Toolbox } from './toolbox.js';

/*
 * The revisions with a handshake, 2024-10-07 to 2025-11-25: initialize, then calls within that session. All that differs
 * between the protocol's eras is in this file; another era is another file beside it, over the same toolbox.
 */

const CONSENT_TIMEOUT_MS = 45_000;

/** One client's conversation. What it can do (such as asking its person) was told at its beginning, so none is shared. */
export type Session = { transport: ExchangeTransport; close(): Promise<void> };

export type SessionOptions = {
  toolbox: Toolbox;
  service: Pick<Service, 'log' | 'version' | 'mcp_wait_ms'>;
  caller: Call['caller'];
  face: 'mcp_http' | 'mcp_stdio';
  session_id?: string;
};

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export async function openSession(options: SessionOptions): Promise<Session> {
  const { toolbox, service, session_id } = options;
  const server = new Server(
    { name: SERVICE_NAME, title: SERVICE_TITLE, version: service.version },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      // Nothing here is validated by the SDK: the gate parses inputs, and a question of ours is one yes or no.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  // The fallback and not a handler per method: handlers refuse in the SDK's words, and parse everything once more.
  server.fallbackRequestHandler = async (request, extra) => {
    if (request.method === 'tools/list') return toolbox.list;
    if (request.method !== 'tools/call') {
      throw new ProtocolError(RPC.method_not_found, 'Method not found');
    }
    const { name, arguments: input } = request.params ?? {};
    if (typeof name !== 'string') {
      throw new ProtocolError(RPC.invalid_params, 'tools/call needs params.name, a string.');
    }
    return toolbox.call(name, input, buildCall(options, server, extra));
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's Server is no event target
  server.onerror = (error) => service.log.debug('mcp message not handled', { error });
  const transport = createExchangeTransport(session_id);
  await server.connect(transport);
  return { transport, close: () => server.close() };
}

/** Throws a ProtocolError where initialize says too little; the SDK would answer with its parser's dump. */
export function checkInitialize(request: JSONRPCRequest): void {
  if (InitializeRequestSchema.safeParse(request).success) return;
  throw new ProtocolError(
    RPC.invalid_params,
    'initialize needs params.protocolVersion, params.capabilities and params.clientInfo (name, version).',
  );
}

/** The header may be left out by clients that are older than it. */
export function isSupportedVersion(header: string | undefined): boolean {
  return header === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(header);
}

export const VERSIONS_TEXT = SUPPORTED_PROTOCOL_VERSIONS.join(', ');

function buildCall({ service, caller, face }: SessionOptions, server: Server, extra: Extra): Call {
  const onProgress = buildProgress(extra, service.log);
  const askConsent = buildConsent(server, extra);
  return {
    caller,
    face,
    signal: extra.signal,
    wait_ms: service.mcp_wait_ms,
    ...(onProgress && { onProgress }),
    ...(askConsent && { askConsent }),
  };
}

function buildProgress(extra: Extra, log: Service['log']): ((progress: Progress) => void) | undefined {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = -1;
  return ({ done, total, message }) => {
    // The protocol wants a number that only grows; shops that run side by side may report one twice.
    if (done <= last) return;
    last = done;
    const params = { progressToken, progress: done, total, message };
    extra.sendNotification({ method: 'notifications/progress', params }).catch((error: unknown) => {
      log.debug('progress not sent', { error });
    });
  };
}

function buildConsent(server: Server, extra: Extra): Consent | undefined {
  const elicitation = server.getClientCapabilities()?.elicitation;
  // A client that names only `url` cannot show a form; one that names nothing can, by the older revision.
  if (!elicitation || (elicitation.url && !elicitation.form)) return undefined;
  return async (question) => {
    try {
      const answer = await extra.sendRequest(
        { method: 'elicitation/create', params: { message: question, requestedSchema: YES_OR_NO } },
        ElicitResultSchema,
        { timeout: CONSENT_TIMEOUT_MS, signal: extra.signal },
      );
      return answer.action === 'accept' && answer.content?.['confirm'] === true ? 'accepted' : 'declined';
    } catch {
      return 'unanswered';
    }
  };
}

const YES_OR_NO = {
  type: 'object' as const,
  properties: {
    confirm: { type: 'boolean' as const, title: 'Yes, go ahead', description: 'Tick to agree to the cost.' },
  },
  required: ['confirm'],
};
