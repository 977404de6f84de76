import { operations } from '../../tools/index.js';
import type { Operation } from '../core/operations/operation.js';
import { buildTool } from '../transports/mcp/tools/tool.js';

/** An operation as it is offered, without the code that runs it. */
type OfferedTool = Pick<Operation, 'id' | 'tag' | 'effect'> & { tool: ReturnType<typeof buildTool> };

/**
 * All of them, in order. The build replaces this module with the finished list, so that a start loads no
 * schemas for it.
 */
export const OFFERED_TOOLS: readonly OfferedTool[] = operations.map((operation) => {
  const { id, tag, effect } = operation;
  return { id, tag, effect, tool: buildTool(operation) };
});
