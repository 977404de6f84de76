import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/server';
import { ServiceError } from '../../core/errors.js';
import { parseJsonBytes } from '../../core/operations/json_text.js';
import { EDGE_BYTES, findIdAtEdges } from './stdio/edges.js';
import { ProtocolError, RPC } from './protocol_error.js';

/** Room for a file of 5 MB in base64. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** Maximum size in bytes of a message without a file. */
const MOST_BYTES = 1024 * 1024;
/** Maximum size in bytes of the message with which a client introduces itself. */
const MOST_INTRODUCTION_BYTES = 64 * 1024;

/**
 * Far more than a UUID needs. The service sends back values that a client chooses, some of them with each
 * progress notification.
 */
export const MAX_TOKEN_CHARS = 1_000;

/** The notification that cancels a request. */
export const CANCELLED = 'notifications/cancelled';

/** Parses bytes as JSON, within the bounds of a message. Throws a ProtocolError. */
export function parseIncoming(bytes: Buffer): unknown {
  const value = parse(bytes);
  const most_bytes = getMostBytes(value);
  if (bytes.length <= most_bytes) return value;
  const subject = isIntroduction(value) ? 'initialize' : 'A message other than file_upload';
  const message = `${subject} may have ${most_bytes / 1024} KiB; this has ${Math.ceil(bytes.length / 1024)} KiB.`;
  throw new ProtocolError(RPC.invalid_request, message, { id: readId(value) });
}

function parse(bytes: Buffer): unknown {
  try {
    return parseJsonBytes(bytes);
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    // It may be JSON that exceeds our limits, and parsing it to find its id would cost the work that they
    // save.
    const head = bytes.toString('utf8', 0, EDGE_BYTES);
    const id = findIdAtEdges(head, bytes.subarray(-EDGE_BYTES).toString('utf8'));
    throw new ProtocolError(RPC.parse_error, cause.message, { id });
  }
}

function getMostBytes(value: unknown): number {
  if (isIntroduction(value)) return MOST_INTRODUCTION_BYTES;
  return isUpload(value) ? MAX_MESSAGE_BYTES : MOST_BYTES;
}

function isIntroduction(value: unknown): boolean {
  return isObject(value) && value['method'] === 'initialize';
}

function isUpload(value: unknown): boolean {
  const params = isObject(value) && value['method'] === 'tools/call' ? value['params'] : undefined;
  return isObject(params) && params['name'] === 'file_upload';
}

/**
 * Reads one message: a request, a notification, or the reply to a question. Keeps only the keys of JSON-RPC
 * and drops `_meta` entries of the wrong type, because the SDK does not answer messages that its schemas
 * reject. Throws a ProtocolError.
 */
export function toMessage(value: unknown): JSONRPCMessage {
  if (Array.isArray(value)) {
    throw new ProtocolError(RPC.invalid_request, 'Batches are not supported. Send one message at a time.');
  }
  if (isObject(value) && value['jsonrpc'] === '2.0') {
    if (isCall(value)) return pickCall(value);
    if (isAnswer(value)) return pickAnswer(value);
  }
  throw new ProtocolError(RPC.invalid_request, 'This is not a JSON-RPC 2.0 message.');
}

export function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type CallKeys = { id?: RequestId; method: string; params?: Record<string, unknown> };

function isCall(value: Record<string, unknown>): value is CallKeys {
  const { method, id, params } = value;
  const hasKnownForm = typeof method === 'string' && (id === undefined || isRequestId(id));
  return hasKnownForm && method.length <= MAX_TOKEN_CHARS && (params === undefined || isObject(params));
}

function pickCall({ id, method, params }: CallKeys): JSONRPCMessage {
  const { _meta, ...rest } = params ?? {};
  const picked = { ...rest, ...(isObject(_meta) && { _meta: pickMeta(_meta) }) };
  return { jsonrpc: '2.0', ...(id !== undefined && { id }), method, ...(params && { params: picked }) };
}

function pickMeta({ progressToken, 'io.modelcontextprotocol/related-task': _task, ...rest }: Params): Params {
  const isToken = typeof progressToken === 'string' || Number.isSafeInteger(progressToken);
  return isToken ? { ...rest, progressToken } : rest;
}

type Params = Record<string, unknown>;

type AnswerKeys = { id: RequestId } & ({ result: Params } | { error: { code: number; message: string } });

function isAnswer(value: Record<string, unknown>): value is AnswerKeys {
  const { method, id, result, error } = value;
  return method === undefined && isRequestId(id) && (isObject(result) || isRpcError(error));
}

function pickAnswer(answer: AnswerKeys): JSONRPCMessage {
  if ('result' in answer) {
    const { _meta, ...result } = answer.result;
    return { jsonrpc: '2.0', id: answer.id, result };
  }
  const { code, message } = answer.error;
  return { jsonrpc: '2.0', id: answer.id, error: { code, message } };
}

function isRpcError(error: unknown): boolean {
  return isObject(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string';
}

/** A number beyond the range in which JSON parsers are exact would be answered under a different id. */
function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' ? id.length <= MAX_TOKEN_CHARS : Number.isSafeInteger(id);
}

/**
 * Reads the id of any request, even an invalid one: without it, a client would wait for the response forever.
 */
export function readId(value: unknown): RequestId | undefined {
  return isObject(value) && typeof value['method'] === 'string' && isRequestId(value['id'])
    ? value['id']
    : undefined;
}
