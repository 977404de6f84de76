import { MediaError, type Clock, type WebhookSender } from '../core/ports/index.js';
import { createGuardedDispatcher, type GuardedDispatcherOptions } from '../media/index.js';
import { createConnections, type Connection } from './connections.js';
import { post, type Answer, type Request } from './post.js';
import { buildSignature, createSecret } from './sign.js';

const DEADLINE_MS = 15_000;
type Outcome = Awaited<ReturnType<WebhookSender['send']>>;

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
  const connections = createConnections(dispatcher);

  /** On a connection of before, or on a new one where that has ended meanwhile: which says nothing about the receiver. */
  async function postTo(target: URL, request: Request, signal: AbortSignal): Promise<Answer> {
    const kept = await connections.take(target, signal);
    try {
      return await postOver(kept, request, signal);
    } catch (cause) {
      if (!kept.is_used || signal.aborted) throw cause;
      return postOver(await connections.open(target, signal), request, signal);
    }
  }

  return {
    createSecret,
    async send({ url, event_id, body, secrets }) {
      const deadline = new AbortController();
      const late = setTimeout(() => deadline.abort(), deadline_ms);
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
        const path = target.pathname + target.search;
        const { status } = await postTo(target, { path, headers, body }, deadline.signal);
        return toOutcome(status);
      } catch (cause) {
        return { is_success: false, response_status_code: null, error: toErrorClass(cause, deadline.signal) };
      } finally {
        clearTimeout(late);
      }
    },
  };
}

async function postOver(connection: Connection, request: Request, signal: AbortSignal): Promise<Answer> {
  let is_whole = false;
  try {
    const answer = await post(connection.client, request, signal);
    is_whole = answer.is_whole;
    return answer;
  } finally {
    if (is_whole) connection.giveBack();
    else void connection.client.destroy();
  }
}

function toOutcome(status: number): Outcome {
  if (status >= 200 && status < 300) return { is_success: true, response_status_code: status, error: null };
  const error = status >= 300 && status < 400 ? 'redirect_not_followed' : `status_${status}`;
  return { is_success: false, response_status_code: status, error };
}

/** A class that a person can act on; never what a port answered. */
function toErrorClass(cause: unknown, signal: AbortSignal): string {
  const media = findMediaError(cause);
  if (media) return media.failure;
  return signal.aborted ? 'timeout' : 'connection_lost';
}

function findMediaError(cause: unknown): MediaError | undefined {
  if (cause instanceof MediaError) return cause;
  return cause instanceof Error && cause.cause !== undefined ? findMediaError(cause.cause) : undefined;
}
