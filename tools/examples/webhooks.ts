import { ORDER_EVENTS } from '../../schemas/endpoint.js';

/** A domain that never resolves, so that no example sends anything. */
const url = 'https://shop.example/hooks/orders';
const created_at = '2026-11-02T10:00:00.000Z';

const delivery = {
  id: 1,
  event_type: 'webhook.test',
  status: 'success' as const,
  response_status_code: 204,
  created_at,
  attempt: 1,
};

const page = { success: true, total: 1, limit: 25, offset: 0 };

export const webhookEndpointSetExamples = [
  {
    summary: 'Order events to this address',
    input: { url },
    output: {
      url,
      events: [...ORDER_EVENTS],
      enabled: true,
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    },
  },
];

export const webhookEndpointGetExamples = [
  {
    summary: 'A destination that is well',
    input: {},
    output: {
      url,
      events: [...ORDER_EVENTS],
      enabled: true,
      switched_off_at: null,
      switch_off_reason: null,
      failing_since: null,
      previous_secret_valid_until: null,
    },
  },
];

export const webhookEndpointDeleteExamples = [
  { summary: 'No more events', input: {}, output: { deleted: true, cancelled_deliveries: 0 } },
];

const outcome = { success: true, response_status_code: 204, error: null };

export const webhookTestExamples = [
  { summary: 'A test event, now', input: {}, output: { ...outcome, delivery_id: 1 } },
];

export const webhooksDeliveriesExamples = [
  { summary: 'The newest deliveries', input: {}, output: { ...page, deliveries: [delivery] } },
  {
    summary: 'One delivery with what was sent',
    input: { id: 1 },
    output: {
      ...page,
      deliveries: [
        {
          ...delivery,
          payload: {
            id: 'evt_p0XyuLezcl12DJ2RL5iDfh',
            type: 'webhook.test',
            created_at,
            data: { message: 'This is a test event of your listing service. No order stands behind it.' },
          },
          error: null,
          event_id: 'evt_p0XyuLezcl12DJ2RL5iDfh',
          url,
          due_at: null,
          completed_at: created_at,
        },
      ],
    },
  },
];

export const webhookDeliveryRetryExamples = [
  { summary: 'That delivery once more', input: { delivery_id: 1 }, output: { ...outcome, delivery_id: 2 } },
];
