import type { RetentionStore, WebhookStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import type { Secrets } from '../secrets/secrets.js';
import { createAbandonedDeliveryRepository } from './abandoned.js';
import { createClaimRepository } from './claims.js';
import { createEndpointRepository } from './endpoints.js';
import { createDeliveryEndRepository } from './ends.js';
import { createEventRepository } from './events.js';
import { createDeliveryPageRepository } from './pages.js';
import { createDeliverySweeps } from './sweeps.js';

/** The store of webhooks, put together from its parts: endpoints, events and deliveries. */
export function createWebhookRepository(
  engine: Engine<Tables>,
  secrets: Secrets,
): WebhookStore & Pick<RetentionStore, 'sweepDeliveries' | 'sweepEvents'> {
  return {
    ...createEndpointRepository(engine, secrets),
    ...createEventRepository(engine, secrets),
    ...createClaimRepository(engine, secrets),
    ...createDeliveryEndRepository(engine),
    ...createAbandonedDeliveryRepository(engine),
    ...createDeliveryPageRepository(engine, secrets),
    ...createDeliverySweeps(engine),
  };
}
