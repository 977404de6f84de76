import { z } from 'zod/v3';
import { ORDER_EVENTS, type OrderEvent } from '../../schemas/endpoint.js';
import { convert, type ObjectSchema } from './json_schema.js';

/** What the documentation says of an event that is sent to the account's own server. */
export type EventDescription = {
  type: string;
  /** What must have happened, as a sentence. */
  when: string;
  body: ObjectSchema;
  example: unknown;
};

const WHEN: Record<OrderEvent, string> = {
  'order.paid': 'A buyer paid an order in one of the shops.',
  'order.canceled': 'An order was canceled.',
  'order.shipped': 'The seller told the marketplace that an order is on its way.',
  'order.delivered': 'The carrier delivered an order.',
};

const envelope = z.object({
  id: z.string().describe('The same in every attempt, and in the header webhook-id'),
  type: z.string(),
  created_at: z.string().describe('When this service heard of it; ISO 8601, UTC'),
  data: z.object({}).passthrough(),
});

const created_at = '2026-11-02T10:00:00.000Z';
const id = 'evt_p0XyuLezcl12DJ2RL5iDfh';

/** In the order of an order's life. */
export const EVENTS: readonly EventDescription[] = ORDER_EVENTS.map((type) => ({
  type,
  when: WHEN[type],
  body: convert(type, envelope),
  example: { id, type, created_at, data: {} },
}));
