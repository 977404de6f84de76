import type { Result } from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../../core/ports/index.js';
import type { Methods, Params, RequestContext } from './methods.js';
import { ProtocolError, RPC } from './protocol_error.js';

/** How long a person is waited for. */
export const ANSWER_MS = 45_000;

/** Throws what toProtocolError takes. */
export async function runMethod(
  { byName }: Pick<Methods, 'byName'>,
  { method, params = {} }: { method: string; params?: Params | undefined },
  context: RequestContext,
): Promise<Result> {
  const run = byName.get(method);
  if (!run) throw new ProtocolError(RPC.method_not_found, 'Method not found');
  return run(params, context);
}

/** What is nobody's doing but ours goes to the log, and shows nothing. */
export function toProtocolError(cause: unknown, log: Log): ProtocolError {
  if (cause instanceof ProtocolError) return cause;
  log.error('mcp method failed', { error: cause });
  return new ProtocolError(RPC.internal, 'Something went wrong inside the service.');
}
