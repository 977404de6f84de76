import type { RequestId } from '@modelcontextprotocol/server';

/** Bytes to search at each end of a message. */
export const EDGE_BYTES = 256;

const ID = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)`;
const NAMES = String.raw`(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*`;
const AT_HEAD = new RegExp(String.raw`^\s*\{\s*${NAMES}${ID}\s*,`);
const AT_TAIL = new RegExp(String.raw`,\s*${ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2.0"\s*)?\}\s*$`);

/**
 * Finds the id of a request that is not parsed in the two ends of its text: clients write the id before or
 * after the parameters. Undefined if it is elsewhere. Without the id, a client would wait for the refusal
 * forever.
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
