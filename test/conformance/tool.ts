import type { Result } from '@modelcontextprotocol/server';
import type { Params, RequestContext } from '../../src/transports/mcp/method.js';

/** A tool that the conformance suite calls by its name. */
export type FixtureTool = {
  inputSchema?: object;
  /** @param params all of the request's params, including `_meta` */
  run(input: Params, context: RequestContext, params: Params): Result | Promise<Result>;
};

export function toText(text: string): Result {
  return { content: [{ type: 'text', text }] };
}
