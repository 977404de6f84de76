import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { ServiceError } from '../../core/errors.js';
import { parseJsonBytes } from '../json_text.js';
import { ProtocolError, RPC } from './protocol_error.js';

/** Room for a file of 5 MB in base64. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** Bytes to JSON, which may be a message or a batch of them. Throws a ProtocolError. */
export function parseIncoming(bytes: Uint8Array): unknown {
  try {
    return parseJsonBytes(bytes);
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    throw new ProtocolError(RPC.parse_error, cause.message, { id: findId(bytes) });
  }
}

/**
 * JSON to one message: a request, a notification, or the answer to a question of ours. By hand, since a schema library takes longer
 * for it than everything else on the way of a small call. Throws a ProtocolError.
 */
export function toMessage(value: unknown): JSONRPCMessage {
  if (isObject(value) && value['jsonrpc'] === '2.0' && (isCall(value) || isAnswer(value))) {
    return value as JSONRPCMessage;
  }
  throw new ProtocolError(RPC.invalid_request, 'This is not a JSON-RPC 2.0 message.');
}

export function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCall({ method, id, params }: Record<string, unknown>): boolean {
  const has_known_form = typeof method === 'string' && (id === undefined || isRequestId(id));
  return has_known_form && (params === undefined || isObject(params));
}

function isAnswer({ method, id, result, error }: Record<string, unknown>): boolean {
  return method === undefined && isRequestId(id) && (isObject(result) || isRpcError(error));
}

function isRpcError(error: unknown): boolean {
  return isObject(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string';
}

/** A number beyond what JSON parsers keep apart would be answered under another. */
function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

/** Of a request, however wrong it is otherwise: without its id a client waits for the answer in vain. */
export function readId(value: unknown): RequestId | undefined {
  return isObject(value) && typeof value['method'] === 'string' && isRequestId(value['id'])
    ? value['id']
    : undefined;
}

/** Of a request that breaks our limits and is JSON all the same. */
function findId(bytes: Uint8Array): RequestId | undefined {
  try {
    return readId(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return undefined;
  }
}
