import type { JSONRPCMessage, JSONRPCRequest, Result } from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../../../core/ports/index.js';
import { Cancelling } from '../../cancelling.js';
import { SERVICE_NAME, SERVICE_TITLE, type Service } from '../../service.js';
import type { ClientRequests } from './client_requests.js';
import type { Exchange } from './exchange.js';
import { readCapabilities, readClientName, type ClientCapabilities } from './client_capabilities.js';
import { CANCELLED, isObject } from '../incoming.js';
import type { Methods } from '../methods.js';
import { findMethod, type Later, type Question, type Reply, type RequestContext } from '../method.js';
import { createOpenRequests, type Opened } from './open_requests.js';
import { buildRpcFailure, ProtocolError, RPC, toProtocolError } from '../protocol_error.js';

/*
 * The revisions with a handshake, 2024-10-07 to 2025-11-25: initialize, then calls within that session. This code answers them
 * itself, since most sessions need no more; the SDK is loaded only for sessions in which the service asks the client.
 */

/** Newest first. The same as the SDK's. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/** The last to have batches was 2025-03-26. */
const LAST_WITH_BATCHES = '2025-03-26';

export const VERSIONS_TEXT = VERSIONS.join(', ');

/** The session of one client. It holds what that client said it can do (such as asking its person), so none is shared. */
export type Session = {
  /**
   * Takes a request, and where its answer goes. Returns how to cancel it.
   * @param from credentials of this request, and its time, for transports where each request has its own: a cancellation that is
   * older than the request is for another one. Left out, those of the session.
   */
  receiveRequest(request: JSONRPCRequest, exchange: Exchange, from?: RequestSource): () => void;
  /**
   * Takes a notification, or the answer to a question of the service. False when it is about a request that this instance does not
   * work on.
   * @param left_at when the message arrived, if another instance received it
   */
  receiveOther(message: OtherMessage, left_at?: string): Promise<boolean>;
  /** Requests that have no answer yet. */
  countOpen(): number;
  /** Resolves when nothing is open. */
  whenIdle(): Promise<void>;
  /** Whether the revision agreed on has batches. */
  takesBatches(): boolean;
  /** What the client was asked counts as not answered. */
  stopAsking(): Promise<void>;
  close(): Promise<void>;
};

export type OtherMessage = Exclude<JSONRPCMessage, JSONRPCRequest>;

/** Whose request it is, and when it came. */
export type RequestSource = { caller: SessionOptions['caller']; found_at?: string };

/** What is kept of the client's initialize. */
export type Client = { version: string; capabilities: ClientCapabilities; name?: string | undefined };

/** A request that is being answered. */
type Answering = { exchange: Exchange; cancelling: Cancelling; found_at: string };

export type SessionOptions = {
  methods: Methods;
  service: Pick<Service, 'version'> & { log: Log };
  caller: Later<RequestContext['caller']>;
  face: RequestContext['face'];
  /** Given when the session was begun by another instance; else it begins here. */
  client?: Client;
};

export function openSession({
  methods,
  service,
  caller: opener,
  face,
  client = { version: VERSIONS[0], capabilities: {} },
}: SessionOptions): Session {
  const open = createOpenRequests<Answering>();
  let asking: Promise<ClientRequests> | undefined;

  const session: Session = {
    receiveRequest(request, exchange, { caller, found_at = '' } = { caller: opener }) {
      const result = request.method === 'initialize' ? initialize(request) : findFixedResult(request.method);
      if (result) {
        exchange.finish({ jsonrpc: '2.0', id: request.id, result });
        return () => {};
      }
      const cancelling = new Cancelling();
      const opened = open.add(request.id, { exchange, cancelling, found_at });
      void answer(request, opened, caller);
      return () => cancel(opened, 'The connection was closed.');
    },

    async receiveOther(message, left_at) {
      if (!('method' in message)) return (await asking)?.receive(message) ?? false;
      if (message.method !== CANCELLED) return true;
      const opened = open.find(message.params?.['requestId']);
      // Clients reuse ids: a cancellation that arrived before the request is for an earlier one.
      if (!opened || (left_at !== undefined && left_at < opened.entry.found_at)) return false;
      const reason = message.params?.['reason'];
      cancel(opened, typeof reason === 'string' ? reason : 'The client cancelled the request.');
      return true;
    },

    countOpen: open.count,
    whenIdle: open.whenIdle,
    takesBatches: () => takesBatches(client),
    async stopAsking() {
      await (await asking?.catch(() => undefined))?.close();
    },
    async close() {
      for (const opened of open.list()) cancel(opened, 'The connection was closed.');
      await session.stopAsking();
    },
  };
  return session;

  function initialize(request: JSONRPCRequest): Result {
    client = readClient(request);
    return buildInitializeResult(client, { methods, service });
  }

  function findFixedResult(method: string): Result | undefined {
    return method === 'ping' ? {} : methods.told.get(method);
  }

  async function answer(
    request: JSONRPCRequest,
    opened: Opened<Answering>,
    caller: SessionOptions['caller'],
  ): Promise<void> {
    const { exchange, cancelling } = opened.entry;
    const finish: Exchange['finish'] = (message) => {
      // A request that was cancelled is no longer open, and gets no answer.
      if (open.remove(opened)) exchange.finish(message);
    };
    try {
      const context: RequestContext = {
        caller: typeof caller === 'function' ? await caller() : caller,
        face,
        cancelling,
        client_capabilities: client.capabilities,
        client_name: client.name,
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

  /** Asks the client while the call waits, over the connection that the answer will take. */
  async function ask(question: Question, exchange: Exchange, signal: AbortSignal): Promise<Reply> {
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

/** Reads the parts of initialize that are kept for the session; a client may send much more. */
export function readClient({ params = {} }: JSONRPCRequest): Client {
  const asked = params['protocolVersion'];
  const version = VERSIONS.find((known) => known === asked) ?? VERSIONS[0];
  const { capabilities, clientInfo } = params;
  return { version, capabilities: readCapabilities(capabilities), name: readClientName(clientInfo) };
}

export function takesBatches({ version }: Client): boolean {
  return version <= LAST_WITH_BATCHES;
}

/** The answer to initialize. */
export function buildInitializeResult(
  { version }: Client,
  { methods, service }: Pick<SessionOptions, 'methods' | 'service'>,
): Result {
  return {
    protocolVersion: version,
    capabilities: methods.capabilities,
    serverInfo: { name: SERVICE_NAME, title: SERVICE_TITLE, version: service.version },
    instructions: methods.instructions,
  };
}

/** Checks the parameters of initialize. Throws a ProtocolError when one is missing. */
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
