import { createHmac } from 'node:crypto';
import type { SandboxPorts } from './ports.js';
import { readSettings } from './settings.js';
import type { Settings } from './settings.js';
import type { Database } from './store/database.js';
import {
  deleteMessage,
  findNextDue,
  findSubscription,
  postponeMessage,
  takeDueMessage,
} from './store/webhook_messages.js';
import type { Subscription, WebhookMessage } from './store/webhook_messages.js';

/** The marketplace's own retry delays (at once, 5 s, 5 min, ... 10 h), a hundred times faster. */
const PAUSES_MS = [0, 50, 3_000, 18_000, 72_000, 180_000, 360_000, 360_000];
const DEADLINE_MS = 10_000;
const API = 'https://api.etsy.com/v3/application';

/** Sends the announced messages, signed. Any process of the sandbox can do it. */
export type Messenger = {
  /** Call it when something may be due. */
  poke(): void;
  /** Sends the messages that are due, once; `waiting`: some were not accepted. */
  sendNow(): Promise<'sent' | 'waiting' | 'unwanted'>;
  close(): Promise<void>;
};

export function createMessenger(db: Database, ports: SandboxPorts, options: Partial<Settings>): Messenger {
  const closing = new AbortController();
  let waiting: AbortController | undefined;
  let sending: Promise<void> | undefined;
  let isPoked = false;

  async function sendDue(): Promise<void> {
    while (!closing.signal.aborted) {
      const now = ports.nowMs();
      const subscription = findSubscription(db);
      const message = subscription && takeDueMessage(db, now, now + DEADLINE_MS);
      if (!message) break;
      await deliver(subscription, message);
    }
    const next = closing.signal.aborted ? undefined : findNextDue(db);
    if (next !== undefined) waitUntil(next);
  }

  async function deliver(subscription: Subscription, message: WebhookMessage): Promise<void> {
    const { webhook_copies } = readSettings(db, options);
    let isTaken = false;
    for (let copy = 0; copy < webhook_copies; copy += 1) isTaken = await send(subscription, message);
    if (closing.signal.aborted) return;
    const pause_ms = PAUSES_MS[message.attempts];
    if (isTaken || pause_ms === undefined) deleteMessage(db, message.message_id);
    else postponeMessage(db, message.message_id, ports.nowMs() + pause_ms);
  }

  async function send({ url, secret }: Subscription, message: WebhookMessage): Promise<boolean> {
    const { message_id, event_type, shop_id, resource } = message;
    const body = JSON.stringify({ event_type, resource_url: `${API}/${resource}`, shop_id });
    const timestamp = String(Math.floor(ports.nowMs() / 1000));
    const signature = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
      .update(`${message_id}.${timestamp}.${body}`)
      .digest('base64');
    const headers = {
      'content-type': 'application/json',
      'webhook-id': message_id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    const status = await ports
      .post(url, { headers, body, deadline_ms: DEADLINE_MS }, closing.signal)
      .catch(() => undefined);
    return status !== undefined && status >= 200 && status < 300;
  }

  /** Waits until then, or until something may be due earlier. */
  function waitUntil(due_ms: number): void {
    waiting = new AbortController();
    ports.sleep(Math.max(0, due_ms - ports.nowMs()), waiting.signal).then(poke, () => undefined);
  }

  function poke(): void {
    waiting?.abort();
    isPoked = true;
    sending ??= (async () => {
      while (isPoked) {
        isPoked = false;
        await sendDue();
      }
      sending = undefined;
    })();
  }

  return {
    poke,
    async sendNow() {
      if (!findSubscription(db)) return 'unwanted';
      poke();
      await sending;
      return findNextDue(db) === undefined ? 'sent' : 'waiting';
    },
    async close() {
      closing.abort();
      waiting?.abort();
      await sending;
    },
  };
}
