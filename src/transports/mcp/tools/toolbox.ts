import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Operation } from '../../../core/operations/operation.js';
import type { Call } from '../../../core/operations/call.js';
import { hasSameWords, isOneTypoAway, toPlain } from '../../../core/operations/unknown_keys/near_miss.js';
import type { Service } from '../../service.js';
import { ProtocolError, RPC } from '../protocol_error.js';
import { toCallToolResult } from './tool.js';

/** Throws a ProtocolError if the tool does not exist; an error inside a tool is its result. */
type CallTool = (name: string, input: unknown, call: Call) => Promise<CallToolResult>;

/** The offered operations as tools, the same for every connection and every revision of the protocol. */
export function createToolbox({
  operations,
  tools,
  invoke,
  is_read_only,
}: Pick<Service, 'operations' | 'tools' | 'invoke' | 'is_read_only'>): CallTool {
  // A tool that a read-only server hides can still be called: the gate refuses it and says why.
  const hidden = is_read_only ? operations.filter(({ effect }) => effect !== 'read') : [];
  const byName = new Map<string, Operation>([...hidden, ...tools].map((each) => [each.id, each]));
  return async (name, input, call) => {
    const operation = byName.get(name);
    if (!operation) throw new ProtocolError(RPC.invalid_params, describeUnknown(name, tools));
    return toCallToolResult(await invoke(operation, { value: input ?? {} }, call), operation);
  };
}

/** Names the tools with similar names: `create_listing` for `listing_create`. */
function describeUnknown(name: string, tools: readonly Operation[]): string {
  const plain = toPlain(name);
  const near = tools
    .filter(({ id }) => isOneTypoAway(plain, id) || hasSameWords(plain, id))
    .map(({ id }) => id);
  const unknown = `Unknown tool: ${name.slice(0, 64)}`;
  return near.length > 0 ? `${unknown}. Did you mean ${near.join(' or ')}?` : unknown;
}
