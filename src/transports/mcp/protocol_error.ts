import type { RequestId } from '@modelcontextprotocol/server';
import type { Log } from '../../core/ports/index.js';

/** JSON-RPC's codes, and three from elsewhere: -32005 is EIP-1474's, -32022 MCP's. */
export const RPC = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal: -32603,
  refused: -32000,
  limited: -32005,
  unsupported_version: -32022,
} as const;

/** A failure of the protocol, not of an operation. The SDK sends its code, message and data. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;
  /**
   * The `data` that the protocol requires in addition to the message: supported versions, required
   * capabilities.
   */
  readonly data: unknown;
  /** The id of the request, if the code that catches this cannot know it. */
  readonly id: RequestId | undefined;
  /** Whole seconds, if a retry makes sense. */
  readonly retry_after_seconds: number | undefined;

  constructor(
    code: number,
    message: string,
    {
      id,
      data,
      retry_after_seconds,
    }: { id?: RequestId | undefined; data?: unknown; retry_after_seconds?: number | undefined } = {},
  ) {
    super(message);
    this.code = code;
    this.data = data;
    this.id = id;
    this.retry_after_seconds = retry_after_seconds;
  }
}

/** Any failure that is not a ProtocolError is a fault of ours: it is logged, and the client sees no details. */
export function toProtocolError(cause: unknown, log: Log): ProtocolError {
  if (cause instanceof ProtocolError) return cause;
  log.error('mcp method failed', { error: cause });
  return new ProtocolError(RPC.internal, 'Something went wrong inside the service.');
}

export type RpcFailure = {
  jsonrpc: '2.0';
  id?: RequestId;
  error: { code: number; message: string; data?: unknown };
};

/** @param id omitted if the request could not be read that far; the protocol's schema allows no null there */
export function buildRpcFailure(
  id: RequestId | undefined,
  { code, message, data }: { code: number; message: string; data?: unknown },
): RpcFailure {
  return {
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) },
  };
}
