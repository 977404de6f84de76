import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import type { Call, Operation } from '../../core/operation.js';
import type { Service } from '../service.js';
import { ProtocolError, RPC } from './protocol_error.js';
import { buildTool, toCallToolResult } from './tool.js';

/** The operations as tools, the same for every connection and every revision of the protocol. */
export type Toolbox = {
  /** In a fixed order; always this one object, so that its text is made once. */
  list: ListToolsResult;
  /** Throws a ProtocolError for a tool that does not exist; whatever goes wrong inside one is its result. */
  call(name: string, input: unknown, call: Call): Promise<CallToolResult>;
};

export function createToolbox({ operations, invoke }: Pick<Service, 'operations' | 'invoke'>): Toolbox {
  const byName = new Map<string, Operation>(operations.map((operation) => [operation.id, operation]));
  return {
    list: { tools: operations.map(buildTool) },
    async call(name, input, call) {
      const operation = byName.get(name);
      if (!operation) throw new ProtocolError(RPC.invalid_params, `Unknown tool: ${name.slice(0, 64)}`);
      return toCallToolResult(await invoke(operation, { value: input ?? {} }, call));
    },
  };
}
