import {
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
  type ClientCapabilities,
  type InitializeRequest,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server';
import { isObject, MAX_TOKEN_CHARS } from './incoming.js';
import type { Params } from './method.js';
import { ProtocolError, RPC } from './protocol_error.js';

/**
 * Checks the parameters of a request and picks those that the service reads, because the SDK answers
 * parameters that its schemas reject with a dump of the violations. Throws a ProtocolError.
 */
export function checkRequest(request: JSONRPCRequest): JSONRPCRequest {
  const { method, params = {} } = request;
  checkEchoed(params);
  checkReplies(params);
  switch (method) {
    case 'initialize':
      if (!isLegacy(request)) throw buildNotFound();
      return { ...request, params: pickIntroduction(params) };
    case 'tools/call':
      return { ...request, params: pickCall(params) };
    // The SDK's HTTP handler would keep the connection open, although the service's lists never change.
    case 'subscriptions/listen':
      if (!isLegacy(request)) throw buildNotFound();
      return request;
    default:
      return request;
  }
}

/** The revisions without a handshake, which the SDK does not export. */
const MODERN_VERSIONS = ['2026-07-28'];

/**
 * Checks the version in a request over stdio: the SDK checks only that of the first one. Throws a
 * ProtocolError.
 */
export function checkVersion({ params: { _meta } = {} }: JSONRPCRequest): void {
  const requested = _meta?.[PROTOCOL_VERSION_META_KEY];
  if (!isText(requested) || MODERN_VERSIONS.includes(requested)) return;
  throw new ProtocolError(RPC.unsupported_version, `Unsupported protocol version: ${requested}`, {
    data: { supported: MODERN_VERSIONS, requested },
  });
}

function buildNotFound(): ProtocolError {
  return new ProtocolError(RPC.method_not_found, 'Method not found');
}

/** The SDK quotes these in its error messages, some of them twice. */
function checkEchoed({ name, uri, _meta }: Params): void {
  const version = isObject(_meta) ? _meta[PROTOCOL_VERSION_META_KEY] : undefined;
  if ([name, uri, version].every((text) => !isText(text) || text.length <= MAX_TOKEN_CHARS)) return;
  const message = `params.name, params.uri and the protocol version have at most ${MAX_TOKEN_CHARS} characters each.`;
  throw new ProtocolError(RPC.invalid_params, message);
}

function checkReplies({ inputResponses, requestState }: Params): void {
  if (requestState !== undefined && !isText(requestState)) {
    throw new ProtocolError(RPC.invalid_params, 'requestState must be a string.');
  }
  if (inputResponses === undefined) return;
  if (isObject(inputResponses) && Object.values(inputResponses).every(isObject)) return;
  const message = 'inputResponses must be an object with an object for each question.';
  throw new ProtocolError(RPC.invalid_params, message);
}

/** False for a request that carries the envelope of 2026-07-28. */
function isLegacy(body: JSONRPCRequest): boolean {
  return classifyInboundRequest({ httpMethod: 'POST', body }).kind === 'legacy';
}

function pickIntroduction({
  protocolVersion,
  capabilities,
  clientInfo,
}: Params): InitializeRequest['params'] {
  const { name, version } = isObject(clientInfo) ? clientInfo : {};
  if (!isText(protocolVersion) || !isObject(capabilities) || !isText(name) || !isText(version)) {
    const message =
      'initialize needs params.protocolVersion, params.capabilities and params.clientInfo (name, version).';
    throw new ProtocolError(RPC.invalid_params, message);
  }
  return {
    protocolVersion,
    capabilities: pickCapabilities(capabilities),
    clientInfo: { name, version },
  };
}

function pickCapabilities({ elicitation }: Params): ClientCapabilities {
  if (!isObject(elicitation)) return {};
  const { form, url } = elicitation;
  return {
    elicitation: {
      ...(isObject(form) && { form: {} }),
      ...(isObject(url) && { url: {} }),
    },
  };
}

function pickCall({ name, arguments: input, task: _task, ...rest }: Params): JSONRPCRequest['params'] {
  if (!isText(name)) {
    throw new ProtocolError(RPC.invalid_params, 'tools/call needs params.name, a string.');
  }
  if (input === undefined || input === null) return { ...rest, name };
  if (isObject(input)) return { ...rest, name, arguments: input };
  throw new ProtocolError(RPC.invalid_params, 'params.arguments of tools/call must be an object.');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
