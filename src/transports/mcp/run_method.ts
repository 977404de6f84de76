import type { Result } from '@modelcontextprotocol/sdk/types.js';
import type { Awaitable } from '../../core/awaitable.js';
import type { Log } from '../../core/ports/index.js';
import type { Later, Methods, Params, RequestContext } from './methods.js';
import { ProtocolError, RPC } from './protocol_error.js';

/** How long a person is waited for. */
export const ANSWER_MS = 45_000;

/** Throws, at once or later, what toProtocolError takes. */
export function runMethod(
  { byName }: Pick<Methods, 'byName'>,
  { method, params = {} }: { method: string; params?: Params | undefined },
  context: RequestContext,
): Awaitable<Result> {
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

/** At once where it is known: each promise on the way of a call takes its time. */
export function getCaller(caller: Later<RequestContext['caller']>): Awaitable<RequestContext['caller']> {
  return typeof caller === 'function' ? caller() : caller;
}
