import type { ServerResponse } from 'node:http';
import { ServiceError, toErrorBody } from '../../../core/errors.js';
import { createWindowLimit } from '../../../core/identity/window_limit.js';
import type { Service } from '../../service.js';
import { ProtocolError, RPC } from '../protocol_error.js';

const WINDOW_MS = 10_000;
/**
 * Several assistants that start at once, and a person who types while the client asks for suggestions at each
 * key, need far fewer.
 */
const LEAST_PER_WINDOW = 1_000;
/** Multiple of the number of operations that the account may call. */
const TIMES_THE_CALLS = 10;
/** Smaller messages are limited by their number. */
const COUNTED_BYTES = 16 * 1024;
/** For messages that wait for their response: eight files, each as large as a message may be. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/**
 * Limits the messages of any kind that one account may send to /mcp. Operations have a limit of their own,
 * which counts nothing else; this one counts every message, so that none is free: initialize,
 * completion/complete, prompts/get, a tool that does not exist, and a body that is not a message. Over stdio
 * nothing is counted: the only client there is the parent process.
 */
type AccountLoad = {
  /** Counts messages before they are read. Throws a ProtocolError that says when to retry. */
  take(account_id: string, messages?: number): void;
  /** Counts the bytes of a large message until its response has been sent. Throws like `take`. */
  hold(account_id: string, size_bytes: number, response: ServerResponse): void;
};

export function createAccountLoad({
  clock,
  rate_limits,
  docs_url,
}: Pick<Service, 'clock' | 'rate_limits' | 'docs_url'>): AccountLoad {
  const max = Math.max(LEAST_PER_WINDOW, rate_limits.per_second * (WINDOW_MS / 1000) * TIMES_THE_CALLS);
  const messages = createWindowLimit(clock, {
    max,
    window_ms: WINDOW_MS,
    problem: { code: 'messages_too_many', params: { most: max, seconds: WINDOW_MS / 1000 } },
  });
  const held_bytes = new Map<string, number>();

  return {
    take(account_id, count = 1) {
      try {
        messages.refuse(account_id);
      } catch (cause) {
        throw toLimited(cause, docs_url);
      }
      messages.record(account_id, count);
    },
    hold(account_id, size_bytes, response) {
      if (size_bytes < COUNTED_BYTES || response.destroyed) return;
      const held = (held_bytes.get(account_id) ?? 0) + size_bytes;
      if (held > MAX_HELD_BYTES) {
        const problem = { code: 'messages_too_large', params: { most_bytes: MAX_HELD_BYTES } } as const;
        throw toLimited(new ServiceError('RATE_LIMIT_SECOND', problem), docs_url);
      }
      held_bytes.set(account_id, held);
      response.once('close', () => {
        const left = (held_bytes.get(account_id) ?? 0) - size_bytes;
        if (left > 0) held_bytes.set(account_id, left);
        else held_bytes.delete(account_id);
      });
    },
  };
}

function toLimited(cause: unknown, docs_url: string): unknown {
  if (!(cause instanceof ServiceError)) return cause;
  const { retry_after_seconds } = cause;
  return new ProtocolError(RPC.limited, `${cause.message} ${cause.hint}`, {
    data: { ...toErrorBody(cause, docs_url), retry_after_seconds },
    retry_after_seconds,
  });
}
