import { z } from 'zod/v3';

export const ORDER_EVENTS = ['order.paid', 'order.canceled', 'order.shipped', 'order.delivered'] as const;
export const orderEvent = z.enum(ORDER_EVENTS);
export type OrderEvent = z.infer<typeof orderEvent>;

export const endpointRequest = z.object({
  url: z.string().describe('https URL that receives the events'),
  events: z
    .array(orderEvent)
    .min(1)
    .optional()
    .describe('Omitted: as they are; all of them for a new destination'),
  rotate_secret: z.boolean().optional().describe('Make a new secret; the old one stays valid for 24 hours'),
});

export const endpoint = z.object({
  url: z.string(),
  events: z.array(orderEvent),
  enabled: z.boolean(),
  secret: z.string().optional().describe('whsec_...; shown only when it is new'),
});
export type Endpoint = z.infer<typeof endpoint>;
