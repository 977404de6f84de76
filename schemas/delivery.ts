import { z } from 'zod/v3';

export const deliveryStatus = z.enum(['pending', 'success', 'failed']);
export type DeliveryStatus = z.infer<typeof deliveryStatus>;

const delivery = z.object({
  id: z.number().int(),
  event_type: z.string(),
  status: deliveryStatus,
  response_status_code: z.number().int().nullable(),
  created_at: z.string(),
  attempt: z.number().int().describe('1 for the first attempt at this event'),
});
export type Delivery = z.infer<typeof delivery>;

const reason = z.string().optional().describe('The error in a sentence, if there is one');

/** A delivery read by id, with the payload that was sent; null once the payload was deleted because of its age. */
export const deliveryDetail = delivery.extend({
  payload: z.object({}).passthrough().nullable(),
  error: z
    .string()
    .nullable()
    .describe(
      'status_NNN, redirect_not_followed, timeout, connection_lost, connect, dns, blocked_address or invalid_url; interrupted: the service stopped before it knew the result, and sent the event again; cancelled_endpoint_deleted, cancelled_endpoint_disabled, cancelled_delivered: not sent',
    ),
  reason,
  event_id: z.string(),
  url: z.string().describe('Where it was sent; while pending, where it will be sent'),
  due_at: z
    .string()
    .nullable()
    .describe(
      'When a pending delivery is due; null if it is sent at once or waits for an earlier event of the order',
    ),
  completed_at: z.string().nullable(),
});
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

export const deliveriesQuery = z.object({
  id: z.number().int().optional().describe('Only this delivery, with its full payload'),
  status: z.string().optional().describe('pending, success or failed; anything else is ignored'),
  limit: z.number().int().min(1).default(25).describe('Values above 100 count as 100'),
  offset: z.number().int().min(0).max(1_000_000_000).default(0),
});

export const deliveriesPage = z.object({
  success: z.boolean(),
  total: z.number().int(),
  limit: z.number().int(),
  offset: z.number().int(),
  deliveries: z.array(
    delivery.merge(
      deliveryDetail.partial({
        payload: true,
        error: true,
        reason: true,
        event_id: true,
        url: true,
        due_at: true,
        completed_at: true,
      }),
    ),
  ),
});

export const deliveryQuery = z.object({ delivery_id: z.number().int().describe('From webhooks_deliveries') });

export const deliveryOutcome = z.object({
  success: z.boolean(),
  response_status_code: z.number().int().nullable(),
  error: z.string().nullable().describe('As in a delivery; null on success'),
  reason,
  delivery_id: z.number().int().describe('The delivery of this attempt'),
});
export type DeliveryOutcome = z.infer<typeof deliveryOutcome>;
