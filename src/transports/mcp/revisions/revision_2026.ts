import type { JSONRPCRequest, Result } from '@modelcontextprotocol/sdk/types.js';
import { Cancelling } from '../../cancelling.js';
import { SERVICE_NAME, SERVICE_TITLE, type Service } from '../../service.js';
import { readCapabilities, readClientName, type ClientCapabilities } from './client_capabilities.js';
import { VERSION_KEY } from './era.js';
import type { Exchange } from './exchange.js';
import { isObject } from '../incoming.js';
import type { Methods } from '../methods.js';
import { findMethod, type Later, type Params, type RequestContext } from '../method.js';
import { buildRpcFailure, ProtocolError, RPC, toProtocolError } from '../protocol_error.js';
import { openQuestions } from './questions.js';

/*
 * The revision without a handshake, 2026-07-28: every request says what its client can do, so any process can answer it. The SDK
 * does not speak it. https://modelcontextprotocol.io/specification/2026-07-28
 */

const VERSIONS = ['2026-07-28'];
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';
const SERVER_KEY = 'io.modelcontextprotocol/serverInfo';

/**
 * How long clients may keep what they got. Lists change with a release and are the same for everyone; what is read from an account
 * changes at any time.
 */
const LASTING = { ttlMs: 300_000, cacheScope: 'public' } as const;
const FLEETING = { ttlMs: 0, cacheScope: 'private' } as const;
const FRESHNESS: Readonly<Record<string, { ttlMs: number; cacheScope: 'public' | 'private' }>> = {
  'server/discover': LASTING,
  'tools/list': LASTING,
  'prompts/list': LASTING,
  'resources/templates/list': LASTING,
  'resources/list': LASTING,
  'resources/read': FLEETING,
};

/** A request that may be answered: what it says its client can do. */
export type Admitted = {
  request: JSONRPCRequest;
  client_capabilities: ClientCapabilities;
  client_name: string | undefined;
};

export type StatelessRevision = {
  /**
   * Throws a ProtocolError for what is refused before anything is done.
   * @param checkTransport what the transport says beside the request; it must agree with the version in it
   */
  admit(request: JSONRPCRequest, checkTransport?: (version: string) => void): Admitted;
  /** Answers into the exchange. Returns how to cancel; a cancelled request is answered no more. */
  receive(admitted: Admitted, from: From, exchange: Exchange): () => void;
};

/** Who asks. */
export type From = { caller: Later<RequestContext['caller']>; face: RequestContext['face'] };

type Options = { methods: Methods; service: Pick<Service, 'continuations' | 'log' | 'version'> };

export function createStatelessRevision({ methods, service }: Options): StatelessRevision {
  const meta = {
    [SERVER_KEY]: { name: SERVICE_NAME, title: SERVICE_TITLE, version: service.version },
  };
  // Assigned, since a literal that begins with a spread gets a hidden class of its own in V8, which lives until a full collection.
  const complete = (result: Result, freshness: object | undefined): Result =>
    Object.assign(
      {},
      result,
      { resultType: 'complete', _meta: Object.assign({}, result._meta, meta) },
      freshness,
    );
  const discovery: Result = {
    supportedVersions: VERSIONS,
    capabilities: methods.capabilities,
    instructions: methods.instructions,
  };
  const told = new Map(
    [...methods.told, ['server/discover', discovery] as const].map(([method, result]) => [
      method,
      complete(result, FRESHNESS[method]),
    ]),
  );

  // Asynchronous, so that a method that throws at once is settled like any other.
  async function runMethod(
    { method, params = {} }: JSONRPCRequest,
    context: RequestContext,
  ): Promise<Result> {
    return findMethod(methods.byName, method)(params, context);
  }

  async function answer(request: JSONRPCRequest, context: Omit<RequestContext, 'ask'>): Promise<Result> {
    const questions = await openQuestions(request, context.caller.account_id, service.continuations);
    const asking: RequestContext = Object.assign(context, { ask: questions.ask });
    const running = runMethod(request, asking);
    // What has to be asked is told first, however the call ended without the answer.
    const [ended] = await Promise.allSettled([running]);
    const instead = await questions.conclude();
    if (!instead) return complete(await running, FRESHNESS[request.method]);
    const told_before = ended.status === 'fulfilled' ? ended.value._meta : {};
    return { ...instead, _meta: { ...told_before, ...meta } };
  }

  return {
    admit(request, checkTransport) {
      const { version, client_capabilities, client_name } = readEnvelope(request);
      checkTransport?.(version);
      checkVersion(version);
      if (!told.has(request.method)) findMethod(methods.byName, request.method);
      return { request, client_capabilities, client_name };
    },

    receive({ request, client_capabilities, client_name }, from, exchange) {
      const { id } = request;
      const known = told.get(request.method);
      if (known) {
        exchange.finish({ jsonrpc: '2.0', id, result: known });
        return () => {};
      }
      const cancelling = new Cancelling();
      const finish: Exchange['finish'] = (...answered) => {
        if (!cancelling.isCancelled) exchange.finish(...answered);
      };
      const notify = (method: string, params: Params) => {
        if (!cancelling.isCancelled) exchange.send({ jsonrpc: '2.0', method, params });
      };
      const run = async () => {
        const context = {
          caller: typeof from.caller === 'function' ? await from.caller() : from.caller,
          face: from.face,
          cancelling,
          client_capabilities,
          client_name,
          notify,
        };
        return answer(request, context);
      };
      run().then(
        (result) => finish({ jsonrpc: '2.0', id, result }),
        (error: unknown) => {
          const { code, message, data } = toProtocolError(error, service.log);
          // The older code of this has no place here any more.
          const known = code === RPC.resource_not_found ? RPC.invalid_params : code;
          const failure = buildRpcFailure(id, { code: known, message, data });
          finish(failure, code === RPC.missing_capability ? 400 : 200);
        },
      );
      return () => {
        cancelling.cancel();
        exchange.finish(undefined);
      };
    },
  };
}

function readEnvelope({ params }: JSONRPCRequest): {
  version: string;
  client_capabilities: ClientCapabilities;
  client_name: string | undefined;
} {
  const meta = params?.['_meta'];
  const version = isObject(meta) ? meta[VERSION_KEY] : undefined;
  const capabilities = isObject(meta) ? meta[CAPABILITIES_KEY] : undefined;
  if (typeof version === 'string' && isObject(capabilities)) {
    return {
      version,
      client_capabilities: readCapabilities(capabilities),
      client_name: isObject(meta) ? readClientName(meta[CLIENT_KEY]) : undefined,
    };
  }
  const message = `params._meta needs ${VERSION_KEY}, a string, and ${CAPABILITIES_KEY}, an object.`;
  throw new ProtocolError(RPC.invalid_params, message);
}

function checkVersion(version: string): void {
  if (VERSIONS.includes(version)) return;
  const message = `This protocol version is not supported; supported are ${VERSIONS.join(', ')}.`;
  throw new ProtocolError(RPC.unsupported_version, message, {
    data: { supported: VERSIONS, requested: version },
  });
}
