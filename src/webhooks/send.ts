import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { MediaError, type Clock, type SendOutcome, type WebhookSender } from '../core/ports/index.js';
import { readRetryAfter } from '../core/retry_after.js';
import { createGuardedDispatcher, type GuardedDispatcherOptions, type PoolRequest } from '../media/index.js';
import { buildSignature, createSecret } from './sign.js';

const DEADLINE_MS = 15_000;
/** Long enough from one delivery to the next while many are due, and far below what receivers keep a connection for. */
const IDLE_MS = 250;
/** What a receiver answers is of no interest beyond its status; so much is read that its connection ends well. */
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_ANSWER_MS = 1_000;

export type WebhookSenderOptions = GuardedDispatcherOptions & {
  user_agent: string;
  clock: Clock;
  /** Total time for one attempt. */
  deadline_ms?: number;
};

/** Standard Webhooks over the same guarded connect as downloads. Redirects are not followed, and only 2xx is success. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { clock, user_agent, deadline_ms = DEADLINE_MS } = options;
  const dispatcher = createGuardedDispatcher(options);
  let opening: ReturnType<typeof dispatcher.openPools> | undefined;

  /** The status stands once it was said: an answer that breaks off or never ends changes nothing of it. */
  async function post(url: URL, request: PoolRequest) {
    const pools = await (opening ??= dispatcher.openPools({ connect_ms: deadline_ms, idle_ms: IDLE_MS }));
    const { statusCode: status, headers, body } = await pools.request(url, request);
    // Else an answer that breaks off would be an error that nothing hears.
    body.on('error', () => undefined);
    const signal = AbortSignal.timeout(MAX_ANSWER_MS);
    await body.dump({ limit: MAX_ANSWER_BYTES, signal }).catch(() => undefined);
    // Not before then its connection is free for the next.
    await nextTurn();
    return { status, headers };
  }

  return {
    createSecret,
    async send({ url, event_id, body, secrets }) {
      const signal = AbortSignal.timeout(deadline_ms);
      const timestamp_s = Math.floor(clock.now().getTime() / 1000);
      const headers = {
        'content-type': 'application/json',
        'user-agent': user_agent,
        'accept-encoding': 'identity',
        'webhook-id': event_id,
        'webhook-timestamp': String(timestamp_s),
        'webhook-signature': buildSignature(secrets, { id: event_id, timestamp_s, body }),
      };
      try {
        const target = dispatcher.checkUrl(url, 'webhook');
        const request: PoolRequest = { method: 'POST', headers, body, signal };
        const answer = await post(target, request).catch((cause: unknown) => {
          if (!isKeptLost(cause)) throw cause;
          return post(target, request);
        });
        return toOutcome(answer, clock.now());
      } catch (cause) {
        return { is_success: false, response_status_code: null, error: toErrorClass(cause) };
      }
    },
  };
}

/** A connection of before has ended without an answer, which says nothing about the receiver. */
function isKeptLost(cause: unknown): boolean {
  if (!(cause instanceof Error) || !('socket' in cause)) return false;
  const { socket } = cause;
  return typeof socket === 'object' && socket !== null && 'bytesRead' in socket && socket.bytesRead !== 0;
}

type Answer = { status: number; headers: Dispatcher.ResponseData['headers'] };

function toOutcome({ status, headers }: Answer, now: Date): SendOutcome {
  if (status >= 200 && status < 300) return { is_success: true, response_status_code: status, error: null };
  const error = status >= 300 && status < 400 ? 'redirect_not_followed' : `status_${status}`;
  const [retry_after] = [headers['retry-after']].flat();
  const [date] = [headers.date].flat();
  const retry_after_ms = readRetryAfter({ retry_after, date }, now);
  return {
    is_success: false,
    response_status_code: status,
    error,
    ...(retry_after_ms !== undefined && { retry_after_ms }),
  };
}

/** A class that a person can act on; never what a port answered. */
function toErrorClass(cause: unknown): string {
  if (cause instanceof MediaError) return cause.failure;
  if (!(cause instanceof Error)) return 'connection_lost';
  if (cause.name === 'TimeoutError') return 'timeout';
  return cause.cause === undefined ? 'connection_lost' : toErrorClass(cause.cause);
}
