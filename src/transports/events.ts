import { z } from 'zod/v3';
import { ORDER_EVENTS, type OrderEvent } from '../../schemas/endpoint.js';
import { orderEventBody } from '../../schemas/event.js';
import { ORDER_EXAMPLES } from '../core/orders/example.js';
import { convert, type ObjectSchema } from './schema_conversion.js';

/** The documentation's text for an event that is sent to the account's own server. */
export type EventDescription = {
  type: string;
  /** When it is sent, as a sentence. */
  when: string;
  body: ObjectSchema;
  example: unknown;
};

const WHEN: Record<OrderEvent, string> = {
  'order.paid': 'A buyer paid an order in one of the shops.',
  'order.canceled': 'An order was canceled. A refund alone cancels nothing.',
  'order.shipped':
    'The seller told the marketplace that an order is on its way. Once, however many parcels it has.',
  'order.delivered': 'The carrier delivered an order.',
};

/** The events that are documented, in the order in which they happen to an order. */
export const EVENTS: readonly EventDescription[] = ORDER_EVENTS.map((type) => ({
  type,
  when: WHEN[type],
  body: convert(type, orderEventBody.extend({ type: z.literal(type) })),
  example: ORDER_EXAMPLES[type],
}));
