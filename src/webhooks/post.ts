import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { createGuardedDispatcher, type GuardedDispatcherOptions, type PoolRequest } from '../media/index.js';

/** Long enough from one delivery to the next while many are due, and far below what receivers keep a connection for. */
const IDLE_MS = 250;
/** Bytes of an answer's body that are read, so that its connection ends well; only the status matters. */
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_ANSWER_MS = 1_000;

type Message = {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Total: from the call until the status of the answer. */
  deadline_ms: number;
};

/**
 * One POST to a receiver, no redirect followed. Rejects with MediaError for an address that must not be reached, with a TimeoutError
 * after the deadline, and with anything for a connection that broke.
 */
export type Post = (
  url: string,
  message: Message,
) => Promise<{ status: number; headers: IncomingHttpHeaders }>;

/** Over the same guarded connect as downloads. */
export function createPost(options: GuardedDispatcherOptions): Post {
  const dispatcher = createGuardedDispatcher(options);
  let opening: ReturnType<typeof dispatcher.openPools> | undefined;

  /** The status counts as soon as it was received, also when the rest of the answer breaks off or never ends. */
  async function post(url: URL, request: PoolRequest, connect_ms: number) {
    const pools = await (opening ??= dispatcher.openPools({ connect_ms, idle_ms: IDLE_MS }));
    const { statusCode: status, headers, body } = await pools.request(url, request);
    // Else an answer that breaks off would be an error that nothing hears.
    body.on('error', () => undefined);
    const signal = AbortSignal.timeout(MAX_ANSWER_MS);
    await body.dump({ limit: MAX_ANSWER_BYTES, signal }).catch(() => undefined);
    // Not before then its connection is free for the next.
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

/** A connection of before has ended without an answer, which says nothing about the receiver. */
function isKeptLost(cause: unknown): boolean {
  if (!(cause instanceof Error) || !('socket' in cause)) return false;
  const { socket } = cause;
  return typeof socket === 'object' && socket !== null && 'bytesRead' in socket && socket.bytesRead !== 0;
}
