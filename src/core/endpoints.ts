import { ORDER_EVENTS, type Endpoint, type OrderEvent } from '../../schemas/endpoint.js';
import type { Ports } from './core.js';
import { buildValidationError, ServiceError } from './errors.js';
import { MediaError, type EndpointRecord } from './ports/index.js';

/** A rotated secret stays valid this long beside the new one. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

type EndpointChange = { url: string; events?: OrderEvent[] | undefined; rotate_secret?: boolean | undefined };

export type Endpoints = {
  /** Sets the destination, and switches a switched-off one on again. The secret is in the answer only when it is new. */
  set(account_id: string, change: EndpointChange): Promise<Endpoint>;
  /** Throws WEBHOOK_NOT_CONFIGURED when there is none, or it is switched off. */
  getUsable(account_id: string): Promise<EndpointRecord>;
  /** Secrets that sign now, newest first. */
  listSecrets(endpoint: EndpointRecord): string[];
};

export function createEndpoints({ store, media, webhook_sender, clock }: Ports): Endpoints {
  return {
    async set(account_id, { url, events, rotate_secret = false }) {
      checkUrl(url);
      const known = await store.webhooks.findEndpoint(account_id);
      const isSecretNew = !known || rotate_secret;
      const endpoint: EndpointRecord = {
        account_id,
        url: new URL(url).href,
        events: events ? [...new Set(events)] : (known?.events ?? [...ORDER_EVENTS]),
        is_enabled: true,
        secret: isSecretNew ? webhook_sender.createSecret() : known.secret,
        previous_secret: known ? (rotate_secret ? known.secret : known.previous_secret) : null,
        previous_secret_expires_at:
          rotate_secret && known ? inOverlap() : (known?.previous_secret_expires_at ?? null),
      };
      await store.webhooks.saveEndpoint(endpoint);
      return {
        url: endpoint.url,
        events: endpoint.events,
        enabled: true,
        ...(isSecretNew ? { secret: endpoint.secret } : {}),
      };
    },
    async getUsable(account_id) {
      const endpoint = await store.webhooks.findEndpoint(account_id);
      if (!endpoint) throw new ServiceError('WEBHOOK_NOT_CONFIGURED', 'No webhook destination is set.');
      if (!endpoint.is_enabled)
        throw new ServiceError('WEBHOOK_NOT_CONFIGURED', 'The webhook destination is switched off.');
      return endpoint;
    },
    listSecrets({ secret, previous_secret, previous_secret_expires_at }) {
      const isPreviousValid =
        previous_secret !== null && Date.parse(previous_secret_expires_at ?? '') > clock.now().getTime();
      return isPreviousValid ? [secret, previous_secret] : [secret];
    },
  };

  function checkUrl(url: string): void {
    try {
      media.checkUrl(url, 'webhook');
    } catch (cause) {
      if (!(cause instanceof MediaError)) throw cause;
      throw buildValidationError([{ path: 'url', message: cause.message }]);
    }
  }

  function inOverlap(): string {
    return new Date(clock.now().getTime() + OVERLAP_MS).toISOString();
  }
}
