import type { z } from 'zod/v3';
import {
  deliveryStatus,
  type deliveriesPage,
  type deliveriesQuery,
  type DeliveryOutcome,
} from '../../schemas/delivery.js';
import type { Ports } from './core.js';
import type { Endpoints } from './endpoints.js';
import { ServiceError } from './errors.js';
import type { EndpointRecord } from './ports/index.js';

const MAX_LIMIT = 100;
const TEST_EVENT = 'webhook.test';

export type Deliveries = {
  /** Newest first. An unknown status is ignored and a limit above 100 is clamped, as the interface says. */
  list(account_id: string, query: z.output<typeof deliveriesQuery>): Promise<z.output<typeof deliveriesPage>>;
  /** Sends that one delivery's event again, now, to the destination set now; each attempt is a delivery of its own. */
  retry(account_id: string, delivery_id: number): Promise<DeliveryOutcome>;
  /** A signed event that says it is a test. Starts no schedule. */
  sendTest(account_id: string): Promise<DeliveryOutcome>;
};

export function createDeliveries(
  { store, webhook_sender, clock, ids }: Ports,
  endpoints: Endpoints,
): Deliveries {
  const { webhooks } = store;

  async function send(
    endpoint: EndpointRecord,
    delivery: { id: number; event_id: string; body: string },
  ): Promise<DeliveryOutcome> {
    const { is_success, response_status_code, error } = await webhook_sender.send({
      url: endpoint.url,
      event_id: delivery.event_id,
      body: delivery.body,
      secrets: endpoints.listSecrets(endpoint),
    });
    await webhooks.finishDelivery(endpoint.account_id, delivery.id, {
      status: is_success ? 'success' : 'failed',
      response_status_code,
      error,
      completed_at: clock.now().toISOString(),
    });
    return { success: is_success, response_status_code, error, delivery_id: delivery.id };
  }

  return {
    async list(account_id, { id, status, limit: asked, offset }) {
      const limit = Math.min(asked, MAX_LIMIT);
      if (id !== undefined) {
        const delivery = await getDelivery(account_id, id);
        return { success: true, total: 1, limit, offset, deliveries: [delivery] };
      }
      const known = deliveryStatus.safeParse(status);
      const page = await webhooks.listDeliveries(account_id, { status: known.data, limit, offset });
      return { success: true, total: page.total, limit, offset, deliveries: page.items };
    },

    async retry(account_id, delivery_id) {
      const past = await getDelivery(account_id, delivery_id);
      const endpoint = await endpoints.getUsable(account_id);
      const event = await webhooks.findEvent(account_id, past.event_id);
      if (!event?.payload) {
        throw new ServiceError(
          'PAYLOAD_EXPIRED',
          `The payload of delivery ${delivery_id} is no longer kept.`,
        );
      }
      if (past.status === 'pending') {
        return send(endpoint, { id: delivery_id, event_id: past.event_id, body: event.payload });
      }
      const { id } = await webhooks.createDelivery({
        account_id,
        event_id: past.event_id,
        event_type: past.event_type,
        url: endpoint.url,
        created_at: clock.now().toISOString(),
      });
      return send(endpoint, { id, event_id: past.event_id, body: event.payload });
    },

    async sendTest(account_id) {
      const endpoint = await endpoints.getUsable(account_id);
      const event_id = ids.build('evt_');
      const created_at = clock.now().toISOString();
      const data = { message: 'This is a test event of your listing service. No order stands behind it.' };
      const payload = JSON.stringify({ id: event_id, type: TEST_EVENT, created_at, data });
      const { id } = await webhooks.createEvent(
        { account_id, event_id, event_type: TEST_EVENT, payload, created_at },
        { account_id, event_id, event_type: TEST_EVENT, url: endpoint.url, attempt: 1, created_at },
      );
      return send(endpoint, { id, event_id, body: payload });
    },
  };

  async function getDelivery(account_id: string, id: number) {
    const delivery = await webhooks.findDelivery(account_id, id);
    if (!delivery) throw new ServiceError('DELIVERY_NOT_FOUND', `There is no delivery ${id}.`);
    return delivery;
  }
}
