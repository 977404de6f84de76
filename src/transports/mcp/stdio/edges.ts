import type { RequestId } from '@modelcontextprotocol/server';

/** How much of each end of a message is looked at. */
export const EDGE_BYTES = 256;

const ID = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)`;
const NAMES = String.raw`(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*`;
const AT_HEAD = new RegExp(String.raw`^\s*\{\s*${NAMES}${ID}\s*,`);
const AT_TAIL = new RegExp(String.raw`,\s*${ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2.0"\s*)?\}\s*$`);

/**
 * The id of a request that is not parsed, from its two ends: clients write it before the parameters or behind them.
 * Undefined when it stands elsewhere. Without it, a client would wait for the refusal in vain.
 */
export function findIdAtEdges(head: string, tail: string): RequestId | undefined {
  const [, id] = AT_HEAD.exec(head) ?? AT_TAIL.exec(tail) ?? [];
  if (id === undefined) return undefined;
  try {
    return JSON.parse(id) as RequestId;
  } catch {
    return undefined;
  }
}
