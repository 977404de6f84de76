import {
  ORDER_EVENTS,
  type Endpoint,
  type EndpointDetail,
  type EventType,
} from '../../../schemas/endpoint.js';
import type { Ports } from '../ports/index.js';
import { WELL } from './deliveries/health.js';
import { ServiceError } from '../errors.js';
import { buildValidationError } from '../issues/issues.js';
import { MediaError, type EndpointRecord } from '../ports/index.js';

/** How long a rotated secret stays valid alongside the new one. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;
/**
 * The most previous secrets, since each makes the signature header longer; a further rotation within a day drops the oldest.
 */
const MAX_PREVIOUS = 8;

type EndpointChange = { url: string; events?: EventType[] | undefined; rotate_secret?: boolean | undefined };

export type Endpoints = {
  /** Throws WEBHOOK_NOT_CONFIGURED if there is none. Never returns the secret. */
  get(account_id: string): Promise<EndpointDetail>;
  /**
   * Sets the URL and events, and switches a switched-off endpoint on again. The answer contains the secret only if it is new.
   */
  set(account_id: string, change: EndpointChange): Promise<Endpoint>;
  /** Deletes the endpoint with its secrets, and cancels its pending deliveries. Does nothing if there is none. */
  delete(account_id: string): Promise<{ deleted: boolean; cancelled_deliveries: number }>;
  /** Throws WEBHOOK_NOT_CONFIGURED if there is none, or it is switched off. */
  getUsable(account_id: string): Promise<EndpointRecord>;
  /** The secrets that sign, newest first. */
  listSecrets(endpoint: EndpointRecord): string[];
};

export function createEndpoints({
  store,
  media,
  webhook_sender,
}: Pick<Ports, 'store' | 'media' | 'webhook_sender'>): Endpoints {
  const { webhooks } = store;

  async function find(account_id: string): Promise<EndpointRecord> {
    const endpoint = await webhooks.findEndpoint(account_id);
    if (!endpoint)
      throw new ServiceError('WEBHOOK_NOT_CONFIGURED', { code: 'destination_missing', params: {} });
    return endpoint;
  }

  return {
    async get(account_id) {
      const { url, events, is_enabled, ...rest } = await find(account_id);
      return {
        url,
        events,
        enabled: is_enabled,
        switched_off_at: rest.switched_off_at,
        switch_off_reason: rest.switch_off_reason,
        failing_since: rest.failing_since,
        previous_secret_valid_until: rest.previous_secrets[0]?.expires_at ?? null,
      };
    },
    async set(account_id, { url, events, rotate_secret = false }) {
      checkUrl(url);
      let isSecretNew = false;
      const endpoint = await webhooks.changeEndpoint(account_id, (known, now) => {
        isSecretNew = !known || rotate_secret;
        return {
          account_id,
          url: new URL(url).href,
          events: events ? [...new Set(events)] : (known?.events ?? [...ORDER_EVENTS]),
          ...WELL,
          ...buildSecrets(known, { rotate_secret, now }),
        };
      });
      return {
        url: endpoint.url,
        events: endpoint.events,
        enabled: true,
        ...(isSecretNew ? { secret: endpoint.secret } : {}),
      };
    },
    async delete(account_id) {
      const deleted = await webhooks.deleteEndpoint(account_id);
      return { deleted: deleted !== undefined, cancelled_deliveries: deleted?.cancelled ?? 0 };
    },
    async getUsable(account_id) {
      const endpoint = await find(account_id);
      if (endpoint.is_enabled) return endpoint;
      throw new ServiceError(
        'WEBHOOK_NOT_CONFIGURED',
        { code: 'destination_off', params: {} },
        {
          hint: 'Set it again with webhook_endpoint_set, which switches it on; webhook_endpoint_get shows why it is off.',
        },
      );
    },
    listSecrets(endpoint) {
      return [endpoint.secret, ...endpoint.previous_secrets.map(({ secret }) => secret)];
    },
  };

  function buildSecrets(
    known: EndpointRecord | undefined,
    { rotate_secret, now }: { rotate_secret: boolean; now: string },
  ): Pick<EndpointRecord, 'secret' | 'previous_secrets'> {
    const secret = webhook_sender.createSecret();
    if (!known) return { secret, previous_secrets: [] };
    if (!rotate_secret) return { secret: known.secret, previous_secrets: known.previous_secrets };
    const expires_at = new Date(Date.parse(now) + OVERLAP_MS).toISOString();
    const rotated = { secret: known.secret, expires_at };
    const previous_secrets = [rotated, ...known.previous_secrets].slice(0, MAX_PREVIOUS);
    return { secret, previous_secrets };
  }

  function checkUrl(url: string): void {
    try {
      media.checkUrl(url, 'webhook');
    } catch (cause) {
      if (!(cause instanceof MediaError)) throw cause;
      throw buildValidationError([
        { code: 'destination_refused', at: 'url', params: { text: cause.message } },
      ]);
    }
  }
}
