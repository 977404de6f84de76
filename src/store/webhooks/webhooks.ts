import type { RetentionStore, WebhookStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import type { Secrets } from '../secrets/secrets.js';
import { createAbandonedRepository } from './abandoned.js';
import { createClaimRepository } from './claims.js';
import { createEndpointRepository } from './endpoints.js';
import { createEndRepository } from './ends.js';
import { createEventRepository } from './events.js';
import { createPageRepository } from './pages.js';
import { createDeliverySweeps } from './sweeps.js';

/** Endpoints, events and their deliveries. */
export function createWebhookRepository(
  engine: Engine<Tables>,
  secrets: Secrets,
): WebhookStore & Pick<RetentionStore, 'sweepDeliveries' | 'sweepEvents'> {
  return {
    ...createEndpointRepository(engine, secrets),
    ...createEventRepository(engine),
    ...createClaimRepository(engine, secrets),
    ...createEndRepository(engine),
    ...createAbandonedRepository(engine),
    ...createPageRepository(engine),
    ...createDeliverySweeps(engine),
  };
}
