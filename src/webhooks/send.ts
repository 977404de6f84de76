import { MediaError, type Clock, type SendOutcome, type WebhookSender } from '../core/ports/index.js';
import { readRetryAfter } from '../core/retry_after.js';
import { createGuardedDispatcher, type GuardedDispatcherOptions } from '../media/index.js';
import { createConnections } from './connections.js';
import { createDeadlines, type Deadline } from './deadline.js';
import { post, type Answer, type Request } from './post.js';
import { buildSignature, createSecret } from './sign.js';

const DEADLINE_MS = 15_000;
/** More destinations than this are judged anew now and then. */
const MAX_TARGETS = 1_000;
type Target = { url: URL; origin: string; path: string };

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
  const deadlines = createDeadlines();
  const targets = new Map<string, Target>();

  /** The rules for URLs stay as they are while the process lives, so each is judged once. */
  function toTarget(text: string): Target {
    const known = targets.get(text);
    if (known) return known;
    const url = dispatcher.checkUrl(text, 'webhook');
    const target = { url, origin: url.origin, path: url.pathname + url.search };
    if (targets.size >= MAX_TARGETS) targets.clear();
    targets.set(text, target);
    return target;
  }

  /** On a connection of before, or on a new one where that has ended meanwhile: which says nothing about the receiver. Answers a status. */
  async function postTo(target: Target, request: Request, deadline: Deadline): Promise<Answer> {
    let kept = connections.takeKept(target.origin);
    for (;;) {
      const connection = kept ?? (await connections.open(target.url, deadline.getSignal()));
      const answer = await post(connection.client, request, deadline);
      if (answer.is_whole) connections.giveBack(connection);
      else void connection.client.destroy();
      if (answer.status !== undefined) return answer;
      if (!kept || deadline.is_over) throw answer.cause;
      kept = undefined;
    }
  }

  return {
    createSecret,
    async send({ url, event_id, body, secrets }) {
      const deadline = deadlines.start(deadline_ms);
      const timestamp_s = Math.floor(clock.now().getTime() / 1000);
      try {
        const target = toTarget(url);
        const headers = {
          'content-type': 'application/json',
          'user-agent': user_agent,
          'accept-encoding': 'identity',
          'webhook-id': event_id,
          'webhook-timestamp': String(timestamp_s),
          'webhook-signature': buildSignature(secrets, { id: event_id, timestamp_s, body }),
        };
        const answer = await postTo(target, { path: target.path, headers, body }, deadline);
        return toOutcome(answer, clock.now());
      } catch (cause) {
        return { is_success: false, response_status_code: null, error: toErrorClass(cause, deadline) };
      } finally {
        deadline.clear();
      }
    },
  };
}

function toOutcome({ status = 0, headers }: Answer, now: Date): SendOutcome {
  if (status >= 200 && status < 300) return { is_success: true, response_status_code: status, error: null };
  const error = status >= 300 && status < 400 ? 'redirect_not_followed' : `status_${status}`;
  const { 'retry-after': retry_after, date } = headers;
  const retry_after_ms = readRetryAfter({ retry_after, date }, now);
  return {
    is_success: false,
    response_status_code: status,
    error,
    ...(retry_after_ms !== undefined && { retry_after_ms }),
  };
}

/** A class that a person can act on; never what a port answered. */
function toErrorClass(cause: unknown, deadline: Deadline): string {
  const media = findMediaError(cause);
  if (media) return media.failure;
  return deadline.is_over ? 'timeout' : 'connection_lost';
}

function findMediaError(cause: unknown): MediaError | undefined {
  if (cause instanceof MediaError) return cause;
  return cause instanceof Error && cause.cause !== undefined ? findMediaError(cause.cause) : undefined;
}
