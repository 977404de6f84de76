import {
  MediaError,
  type Clock,
  type Randomness,
  type SendOutcome,
  type WebhookSender,
} from '../core/ports/index.js';
import { readRetryAfter } from '../core/retry_after.js';
import type { GuardedDispatcherOptions } from '../media/index.js';
import { createPost, type Post } from './post.js';
import { buildSignature, createSecret } from './sign.js';

const DEADLINE_MS = 15_000;

export type WebhookSenderOptions = GuardedDispatcherOptions & {
  user_agent: string;
  clock: Clock;
  randomness: Randomness;
  /** Total time for one attempt. */
  deadline_ms?: number;
  /** How receivers are reached; guarded connections if omitted. */
  post?: Post | undefined;
};

/** Follows Standard Webhooks. Redirects are not followed, and only 2xx is success. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { clock, randomness, user_agent, deadline_ms = DEADLINE_MS } = options;
  const post = options.post ?? createPost(options);

  return {
    createSecret: () => createSecret(randomness),
    async send({ url, event_id, body, secrets }) {
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
        return toOutcome(await post(url, { headers, body, deadline_ms }), clock.now());
      } catch (cause) {
        return { is_success: false, response_status_code: null, error: toErrorClass(cause) };
      }
    },
  };
}

function toOutcome({ status, headers }: Awaited<ReturnType<Post>>, now: Date): SendOutcome {
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

/** An error class that a person can act on; never the response of the port. */
function toErrorClass(cause: unknown): string {
  if (cause instanceof MediaError) return cause.failure;
  if (!(cause instanceof Error)) return 'connection_lost';
  if (cause.name === 'TimeoutError') return 'timeout';
  return cause.cause === undefined ? 'connection_lost' : toErrorClass(cause.cause);
}
