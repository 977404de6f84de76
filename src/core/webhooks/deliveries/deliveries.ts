import type { z } from 'zod/v3';
import {
  deliveryStatus,
  type Delivery,
  type deliveriesPage,
  type deliveriesQuery,
  type DeliveryDetail,
  type DeliveryOutcome,
} from '../../../../schemas/delivery.js';
import type { Ports } from '../../ports/index.js';
import type { Endpoints } from '../endpoints.js';
import { ServiceError } from '../../errors.js';
import { withReason } from './failure_words.js';
import type { Outbox } from './outbox.js';

const MAX_LIMIT = 100;
const TEST_EVENT = 'webhook.test';
/** How often to check whether a delivery that another process sends has ended, and for how long at most. */
const CHECK_MS = 100;
const PATIENCE_MS = 60_000;

export type Deliveries = {
  /** Newest first. Ignores an unknown status and clamps a limit above 100, as the API documents. */
  list(account_id: string, query: z.output<typeof deliveriesQuery>): Promise<z.output<typeof deliveriesPage>>;
  /** All deliveries of one event, oldest first. */
  listAttempts(account_id: string, event_id: string): Promise<Delivery[]>;
  /**
   * Sends the event of a delivery again, at once, to the current destination, as a new delivery; a success cancels the
   * event's pending deliveries. A pending delivery is itself sent at once, and its schedule continues if it fails; if a
   * delivery is just being sent, waits for it.
   */
  retry(account_id: string, delivery_id: number): Promise<DeliveryOutcome>;
  /** Sends a signed event that is marked as a test. Starts no schedule. */
  sendTest(account_id: string): Promise<DeliveryOutcome>;
};

export function createDeliveries(
  { store, clock, ids }: Ports,
  endpoints: Endpoints,
  outbox: Outbox,
): Deliveries {
  const { webhooks } = store;

  async function getDelivery(account_id: string, id: number): Promise<DeliveryDetail> {
    const delivery = await webhooks.findDelivery(account_id, id);
    if (delivery) return delivery;
    const { items, total } = await webhooks.listDeliveries(account_id, {
      status: undefined,
      limit: 10,
      offset: 0,
    });
    const newest = items.map((item) => ({ id: item.id, name: `${item.event_type}, ${item.status}` }));
    throw new ServiceError('DELIVERY_NOT_FOUND', {
      code: 'delivery_not_found',
      params: { delivery_id: id, newest, total },
    });
  }

  /** Sends a further delivery of an event; undefined if its payload is no longer kept. */
  async function sendAgain(account_id: string, event_id: string): Promise<DeliveryOutcome | undefined> {
    const delivery = await outbox.open(account_id, event_id);
    if (delivery) return outbox.send(delivery);
    await endpoints.getUsable(account_id);
    return undefined;
  }

  async function waitForEnd(account_id: string, id: number): Promise<DeliveryOutcome> {
    for (let waited_ms = 0; waited_ms < PATIENCE_MS; waited_ms += CHECK_MS) {
      // Its process may be gone, and without a running server no other process ends the delivery.
      await outbox.endAbandoned();
      const { status, response_status_code, error } = await getDelivery(account_id, id);
      if (status !== 'pending') {
        return withReason({ success: status === 'success', response_status_code, error, delivery_id: id });
      }
      await clock.sleep(CHECK_MS);
    }
    throw new Error(`delivery ${id} has been pending for long without being sent`);
  }

  return {
    async list(account_id, { id, status, limit: asked, offset }) {
      const limit = Math.min(asked, MAX_LIMIT);
      if (id !== undefined) {
        const delivery = await getDelivery(account_id, id);
        return { success: true, total: 1, limit, offset, deliveries: [withReason(delivery)] };
      }
      const known = deliveryStatus.safeParse(status);
      const page = await webhooks.listDeliveries(account_id, { status: known.data, limit, offset });
      return { success: true, total: page.total, limit, offset, deliveries: page.items };
    },

    listAttempts: (account_id, event_id) => webhooks.listEventDeliveries(account_id, event_id),

    async retry(account_id, delivery_id) {
      const past = await getDelivery(account_id, delivery_id);
      if (past.status === 'pending') {
        const delivery = await outbox.claimOne(account_id, delivery_id);
        return delivery ? outbox.send(delivery) : waitForEnd(account_id, delivery_id);
      }
      const outcome = await sendAgain(account_id, past.event_id);
      if (outcome) return outcome;
      throw new ServiceError('PAYLOAD_EXPIRED', { code: 'payload_expired', params: { delivery_id } });
    },

    async sendTest(account_id) {
      await endpoints.getUsable(account_id);
      const event_id = ids.build('evt_');
      const created_at = clock.now().toISOString();
      const data = { message: 'This is a test event of your listing service. No order stands behind it.' };
      await webhooks.recordEvent({
        account_id,
        event_id,
        event_type: TEST_EVENT,
        payload: JSON.stringify({ id: event_id, type: TEST_EVENT, created_at, data }),
        created_at,
        subject: null,
        change_key: event_id,
      });
      const outcome = await sendAgain(account_id, event_id);
      if (outcome) return outcome;
      throw new Error(`the test event ${event_id} was recorded and cannot be sent`);
    },
  };
}
