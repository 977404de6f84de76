import { z } from 'zod/v3';

export const ORDER_EVENTS = ['order.paid', 'order.canceled', 'order.shipped', 'order.delivered'] as const;
export const orderEvent = z.enum(ORDER_EVENTS);
export type OrderEvent = z.infer<typeof orderEvent>;

/** A new destination gets the order events; it gets events of other types only if it names them. */
export const EVENT_TYPES = [...ORDER_EVENTS, 'batch.finished'] as const;
export const eventType = z.enum(EVENT_TYPES);
export type EventType = z.infer<typeof eventType>;

/** `gone`: it answered 410. `failing`: all deliveries failed for five days. */
const switchOffReason = z.enum(['gone', 'failing']);
export type SwitchOffReason = z.infer<typeof switchOffReason>;

export const endpointRequest = z.object({
  url: z.string().describe('https URL that receives the events'),
  events: z
    .array(eventType)
    .min(1)
    .optional()
    .describe('Default: unchanged; for a new destination, the order events'),
  rotate_secret: z.boolean().optional().describe('Make a new secret; the old one stays valid for 24 hours'),
});

export const endpoint = z.object({
  url: z.string(),
  events: z.array(eventType),
  enabled: z.boolean(),
  secret: z.string().optional().describe('whsec_...; shown only when it is new'),
});
export type Endpoint = z.infer<typeof endpoint>;

/** The current endpoint. The secret is never shown again. */
export const endpointDetail = endpoint.omit({ secret: true }).extend({
  switched_off_at: z.string().nullable(),
  switch_off_reason: switchOffReason
    .nullable()
    .describe(
      'gone: it returned 410; failing: only failures for five days. webhook_endpoint_set enables it again',
    ),
  failing_since: z.string().nullable().describe('Start of the current failures; null if deliveries succeed'),
  previous_secret_valid_until: z
    .string()
    .nullable()
    .describe('Until then, deliveries are also signed with the previous secret'),
});
export type EndpointDetail = z.infer<typeof endpointDetail>;

export const endpointDeleted = z.object({
  deleted: z.boolean().describe('False if there was none'),
  cancelled_deliveries: z.number().int().describe('Pending deliveries that will not be sent'),
});
