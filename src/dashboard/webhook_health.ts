import type { Operations } from './operations.js';
import { findEndpoint } from './pages/webhooks/endpoint.js';
import type { Tone } from './components/notice.js';

export type WebhookHealth = { tone: Tone; word: string; sentence: string };

/** The state of the account's webhooks, as a word and a sentence. */
export async function findWebhookHealth(operations: Operations): Promise<WebhookHealth> {
  const endpoint = await findEndpoint(operations);
  if (!endpoint) {
    return {
      tone: 'idle',
      word: 'Not set up',
      sentence: 'Orders are sent to a program of yours once you give its address.',
    };
  }
  if (!endpoint.enabled) {
    return {
      tone: 'bad',
      word: 'Off',
      sentence: 'The receiver is gone or has failed for days, so nothing is sent.',
    };
  }
  const [all, failed, pending] = await Promise.all([
    operations.call('webhooks_deliveries', { limit: 1 }),
    operations.call('webhooks_deliveries', { status: 'failed', limit: 1 }),
    operations.call('webhooks_deliveries', { status: 'pending', limit: 1 }),
  ]);
  const { host } = new URL(endpoint.url);
  if (all.total === 0) return { tone: 'idle', word: 'Ready', sentence: `Nothing was sent to ${host} yet.` };
  const sentence = `${failed.total} failed, ${pending.total} waiting, to ${host}.`;
  if (endpoint.failing_since !== null) return { tone: 'bad', word: 'Failing', sentence };
  if (all.deliveries[0]?.status === 'failed') return { tone: 'bad', word: 'Last one failed', sentence };
  return { tone: 'ok', word: 'Working', sentence };
}
