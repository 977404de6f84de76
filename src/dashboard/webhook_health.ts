import type { Desk } from './desk.js';
import { findEndpoint } from './pages/webhooks/endpoint.js';
import type { Tone } from './components/notice.js';

export type WebhookHealth = { tone: Tone; word: string; sentence: string };

/** How the account's webhooks are, in a word and a sentence. */
export async function findWebhookHealth(desk: Desk): Promise<WebhookHealth> {
  const endpoint = await findEndpoint(desk);
  if (!endpoint) {
    return {
      tone: 'idle',
      word: 'Not set up',
      sentence: 'Orders are told to a program once it has an address for them.',
    };
  }
  if (!endpoint.enabled) {
    return {
      tone: 'bad',
      word: 'Off',
      sentence: 'Its receiver is gone or has failed for days: nothing is sent any more.',
    };
  }
  const [failed, pending] = await Promise.all(
    (['failed', 'pending'] as const).map((status) => desk.call('webhooks_deliveries', { status, limit: 1 })),
  );
  const sentence = `${failed?.total ?? 0} failed, ${pending?.total ?? 0} waiting, to ${new URL(endpoint.url).host}.`;
  if (endpoint.failing_since !== null) return { tone: 'bad', word: 'Failing', sentence };
  return { tone: 'ok', word: 'Working', sentence };
}
