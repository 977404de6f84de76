import type { JSONRPCMessage, JSONRPCRequest, Result } from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../../../core/ports/index.js';
import { Cancelling } from '../../cancelling.js';
import { SERVICE_NAME, SERVICE_TITLE, type Service } from '../../service.js';
import type { ClientRequests } from './client_requests.js';
import type { Exchange } from './exchange.js';
import { readCapabilities, type ClientCapabilities } from './client_capabilities.js';
import { isObject } from '../incoming.js';
import type { Methods } from '../methods.js';
import { findMethod, type Later, type Question, type RequestContext } from '../method.js';
import { createOpenRequests, type Opened } from './open_requests.js';
import { buildRpcFailure, ProtocolError, RPC, toProtocolError } from '../protocol_error.js';

/*
 * The revisions with a handshake, 2024-10-07 to 2025-11-25: initialize, then calls within that session. Answered here, since most
 * conversations are nothing else; the SDK is loaded for those in which we ask the client.
 */

/** Newest first. The same as the SDK's. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/** The last to have batches was 2025-03-26. */
const LAST_WITH_BATCHES = '2025-03-26';

export const VERSIONS_TEXT = VERSIONS.join(', ');

/** One client's conversation. What it can do (such as asking its person) was told at its beginning, so none is shared. */
export type Session = {
  /**
   * A request, and where its answer goes. Returns how to cancel it.
   * @param caller where each request has its own credentials; else the one of the session
   */
  receiveRequest(request: JSONRPCRequest, exchange: Exchange, caller?: SessionOptions['caller']): () => void;
  /** A notification, or the answer to a question of ours. */
  receiveOther(message: Exclude<JSONRPCMessage, JSONRPCRequest>): void;
  /** Requests that have no answer yet. */
  countOpen(): number;
  /** Resolves when nothing is open. */
  whenIdle(): Promise<void>;
  /** Whether the revision agreed on has batches. */
  takesBatches(): boolean;
  close(): Promise<void>;
};

/** A request that is being answered. */
type Answering = { exchange: Exchange; cancelling: Cancelling };

export type SessionOptions = {
  methods: Methods;
  service: Pick<Service, 'version'> & { log: Log };
  caller: Later<RequestContext['caller']>;
  face: RequestContext['face'];
};

export function openSession({ methods, service, caller: opener, face }: SessionOptions): Session {
  const open = createOpenRequests<Answering>();
  /** All that is kept of what the client says of itself, which may be much, and for half an hour. */
  let client: { version: string; capabilities: ClientCapabilities } = {
    version: VERSIONS[0],
    capabilities: {},
  };
  let asking: Promise<ClientRequests> | undefined;

  const session: Session = {
    receiveRequest(request, exchange, caller = opener) {
      const told = request.method === 'initialize' ? meet(request) : tell(request.method);
      if (told) {
        exchange.finish({ jsonrpc: '2.0', id: request.id, result: told });
        return () => {};
      }
      const cancelling = new Cancelling();
      const opened = open.add(request.id, { exchange, cancelling });
      void answer(request, opened, caller);
      return () => cancel(opened, 'The connection was closed.');
    },

    receiveOther(message) {
      if (!('method' in message)) {
        void asking?.then((requests) => requests.receive(message));
      } else if (message.method === 'notifications/cancelled') {
        const opened = open.find(message.params?.['requestId']);
        const reason = message.params?.['reason'];
        if (opened) cancel(opened, typeof reason === 'string' ? reason : 'The client cancelled the request.');
      }
    },

    countOpen: open.count,
    whenIdle: open.whenIdle,
    takesBatches: () => client.version <= LAST_WITH_BATCHES,
    async close() {
      for (const opened of open.list()) cancel(opened, 'The connection was closed.');
      await (await asking?.catch(() => undefined))?.close();
    },
  };
  return session;

  function meet({ params = {} }: JSONRPCRequest): Result {
    const asked = params['protocolVersion'];
    const version = VERSIONS.find((known) => known === asked) ?? VERSIONS[0];
    client = { version, capabilities: readCapabilities(params['capabilities']) };
    return {
      protocolVersion: version,
      capabilities: methods.capabilities,
      serverInfo: { name: SERVICE_NAME, title: SERVICE_TITLE, version: service.version },
      instructions: methods.instructions,
    };
  }

  function tell(method: string): Result | undefined {
    return method === 'ping' ? {} : methods.told.get(method);
  }

  async function answer(
    request: JSONRPCRequest,
    opened: Opened<Answering>,
    caller: SessionOptions['caller'],
  ): Promise<void> {
    const { exchange, cancelling } = opened.entry;
    const finish: Exchange['finish'] = (message) => {
      // A cancelled request is answered no more.
      if (open.remove(opened)) exchange.finish(message);
    };
    try {
      const context: RequestContext = {
        caller: typeof caller === 'function' ? await caller() : caller,
        face,
        cancelling,
        client_capabilities: client.capabilities,
        notify(method, params) {
          if (open.has(opened)) exchange.send({ jsonrpc: '2.0', method, params });
        },
        ask: (_key, question) => ask(question, exchange, cancelling.signal),
      };
      const result = await findMethod(methods.byName, request.method)(request.params ?? {}, context);
      finish({ jsonrpc: '2.0', id: request.id, result });
    } catch (cause) {
      finish(buildRpcFailure(request.id, toProtocolError(cause, service.log)));
    }
  }

  /** While the call waits, on the way that its answer will take. */
  async function ask(question: Question, exchange: Exchange, signal: AbortSignal): Promise<unknown> {
    asking ??= import('./client_requests.js').then(({ openClientRequests }) =>
      openClientRequests({ methods, service, client }),
    );
    return (await asking).ask(question, exchange, signal);
  }

  function cancel(opened: Opened<Answering>, reason: string): void {
    if (!open.remove(opened)) return;
    opened.entry.cancelling.cancel(new Error(reason));
    opened.entry.exchange.finish(undefined);
  }
}

/** Throws a ProtocolError where initialize says too little. */
export function checkInitialize({ params = {} }: JSONRPCRequest): void {
  const { protocolVersion, capabilities, clientInfo } = params;
  const has_name = isObject(clientInfo) && ['name', 'version'].every((key) => isText(clientInfo[key]));
  if (isText(protocolVersion) && isObject(capabilities) && has_name) return;
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
  return header === undefined || isKnown(header);
}

function isKnown(version: string): boolean {
  return VERSIONS.some((known) => known === version);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
