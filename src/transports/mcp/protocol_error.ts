/** JSON-RPC's and the protocol's own codes. */
export const RPC = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  refused: -32000,
  session_not_found: -32001,
} as const;

/** A failure of the protocol, not of an operation. The SDK's own class would put "MCP error" before every message. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;
  /** Of the request that failed, as far as it could be read: without it a client waits for its answer in vain. */
  readonly id: string | number | null;

  constructor(code: number, message: string, id: string | number | null = null) {
    super(message);
    this.code = code;
    this.id = id;
  }
}

export type RpcFailure = {
  jsonrpc: '2.0';
  id: string | number | null;
  error: { code: number; message: string };
};

export function buildRpcFailure(id: string | number | null, code: number, message: string): RpcFailure {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
