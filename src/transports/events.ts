import { z } from 'zod/v3';
import { EVENT_TYPES, type EventType } from '../../schemas/endpoint.js';
import { batchEventBody, orderEventBody } from '../../schemas/event.js';
import { BATCH_EXAMPLE } from '../core/batches/finished.js';
import { ORDER_EXAMPLES } from '../core/orders/example.js';
import { convert, type ObjectSchema } from './schema_conversion.js';

/** The documentation's text for an event that is sent to the account's own server. */
export type EventDescription = {
  type: string;
  /** When the service sends it, as a sentence. */
  when: string;
  body: ObjectSchema;
  example: unknown;
};

const WHEN: Record<EventType, string> = {
  'order.paid': 'A buyer paid an order in one of the shops.',
  'order.canceled': 'An order was canceled. A refund alone cancels nothing.',
  'order.shipped':
    'The seller told the marketplace that an order is on its way. Once, however many parcels it has.',
  'order.delivered': 'The carrier delivered an order.',
  'batch.finished':
    'A change of many listings was completed, was canceled, or failed. Only if the destination names it.',
};

/** The documented events. Those about orders are in the order in which they happen. */
export const EVENTS: readonly EventDescription[] = EVENT_TYPES.map((type) => {
  const isOfBatch = type === 'batch.finished';
  return {
    type,
    when: WHEN[type],
    body: convert(type, isOfBatch ? batchEventBody : orderEventBody.extend({ type: z.literal(type) })),
    example: isOfBatch ? BATCH_EXAMPLE : ORDER_EXAMPLES[type],
  };
});
