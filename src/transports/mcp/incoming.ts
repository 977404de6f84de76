import {
  JSONRPCMessageSchema,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { ServiceError } from '../../core/errors.js';
import { parseJsonBytes } from '../json_text.js';
import { ProtocolError, RPC } from './protocol_error.js';

/** Room for a file of 5 MB in base64. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** Bytes to one message. Throws a ProtocolError. */
export function parseMessage(bytes: Uint8Array): JSONRPCMessage {
  const value = parseJson(bytes);
  if (Array.isArray(value)) {
    throw new ProtocolError(RPC.invalid_request, 'Batches are not taken: send one message at a time.');
  }
  const parsed = JSONRPCMessageSchema.safeParse(value);
  if (!parsed.success) throw new ProtocolError(RPC.invalid_request, 'This is not a JSON-RPC 2.0 message.');
  return parsed.data;
}

export function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}

export function isInitialize(request: JSONRPCRequest): boolean {
  return request.method === 'initialize';
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return parseJsonBytes(bytes);
  } catch (cause) {
    if (cause instanceof ServiceError) throw new ProtocolError(RPC.parse_error, cause.message, findId(bytes));
    throw cause;
  }
}

/** The id of a message that breaks our limits and is JSON all the same. */
function findId(bytes: Uint8Array): string | number | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    const id = value !== null && typeof value === 'object' && 'id' in value ? value.id : null;
    return typeof id === 'string' || typeof id === 'number' ? id : null;
  } catch {
    return null;
  }
}
