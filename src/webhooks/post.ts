import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { createGuardedDispatcher, type GuardedDispatcherOptions, type PoolRequest } from '../media/index.js';

/** Long enough between deliveries while many are due, and far shorter than receivers keep a connection open. */
const IDLE_MS = 250;
/** Bytes of a response body that are read, so that its connection can be reused; only the status matters. */
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_ANSWER_MS = 1_000;

type Message = {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** In total: from the call until the status of the response. */
  deadline_ms: number;
};

/**
 * Sends one POST to a receiver without following redirects. Rejects with MediaError for an address that must
 * not be reached, with a TimeoutError after the deadline, and with any other error for a broken connection.
 */
export type Post = (
  url: string,
  message: Message,
) => Promise<{ status: number; headers: IncomingHttpHeaders }>;

/** Uses the same guarded connect as downloads. */
export function createPost(options: GuardedDispatcherOptions): Post {
  const dispatcher = createGuardedDispatcher(options);
  let opening: ReturnType<typeof dispatcher.openPools> | undefined;

  /** The status counts as soon as it is received, even if the rest of the response is cut off or never ends. */
  async function post(url: URL, request: PoolRequest, connect_ms: number) {
    const pools = await (opening ??= dispatcher.openPools({ connect_ms, idle_ms: IDLE_MS }));
    const { statusCode: status, headers, body } = await pools.request(url, request);
    // Otherwise a response that is cut off would raise an unhandled error.
    body.on('error', () => undefined);
    const signal = AbortSignal.timeout(MAX_ANSWER_MS);
    await body.dump({ limit: MAX_ANSWER_BYTES, signal }).catch(() => undefined);
    // The connection is free for the next delivery only after this turn.
    await nextTurn();
    return { status, headers };
  }

  return async (url, { headers, body, deadline_ms }) => {
    // A socket lives in real time, so this timer is the platform's and not the clock port's.
    const signal = AbortSignal.timeout(deadline_ms);
    const target = dispatcher.checkUrl(url, 'webhook');
    const request: PoolRequest = { method: 'POST', headers, body, signal };
    return post(target, request, deadline_ms).catch((cause: unknown) => {
      if (!isKeptLost(cause)) throw cause;
      return post(target, request, deadline_ms);
    });
  };
}

/** A kept-alive connection closed without a response, which says nothing about the receiver. */
function isKeptLost(cause: unknown): boolean {
  if (!(cause instanceof Error) || !('socket' in cause)) return false;
  const { socket } = cause;
  return typeof socket === 'object' && socket !== null && 'bytesRead' in socket && socket.bytesRead !== 0;
}
