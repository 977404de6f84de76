import type { Client, Dispatcher } from 'undici';
import { MediaError, type Clock, type WebhookSender } from '../core/ports/index.js';
import { createGuardedDispatcher, type GuardedDispatcherOptions } from '../media/index.js';
import { buildSignature, createSecret } from './sign.js';

const DEADLINE_MS = 15_000;
/** What a receiver answers is of no interest beyond its status; so much is read that its connection ends well. */
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_ANSWER_MS = 1_000;

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
      let client: Client | undefined;
      try {
        const target = dispatcher.checkUrl(url, 'webhook');
        client = await dispatcher.openClient(target, signal);
        const path = target.pathname + target.search;
        const answer = await client.request({ method: 'POST', path, headers, body, signal });
        await readSome(answer.body);
        return toOutcome(answer.statusCode);
      } catch (cause) {
        return { is_success: false, response_status_code: null, error: toErrorClass(cause, signal) };
      } finally {
        await client?.destroy();
      }
    },
  };
}

function toOutcome(status: number): Outcome {
  if (status >= 200 && status < 300) return { is_success: true, response_status_code: status, error: null };
  const error = status >= 300 && status < 400 ? 'redirect_not_followed' : `status_${status}`;
  return { is_success: false, response_status_code: status, error };
}

/** The status has been said; an answer that breaks off or never ends changes nothing of it. */
async function readSome(body: Dispatcher.ResponseData['body']): Promise<void> {
  let size = 0;
  const late = setTimeout(() => body.destroy(), MAX_ANSWER_MS);
  try {
    for await (const chunk of body) {
      size += Buffer.byteLength(chunk);
      if (size > MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The status stands.
  } finally {
    clearTimeout(late);
  }
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
