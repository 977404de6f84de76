import { deliveryOutcome, deliveryQuery } from '../schemas/delivery.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { webhookDeliveryRetryExamples } from './examples/webhooks.js';

export default defineOperation({
  id: 'webhook_delivery_retry',
  route: { method: 'POST', path: '/webhooks/deliveries/{delivery_id}/retry' },
  effect: 'create',
  reach: 'receiver',
  words: 'own',
  auth: 'key',
  tag: 'Webhooks',
  title: 'Send one delivery again',
  description:
    'Sends one past delivery again, now, to the current destination, and returns the outcome. A pending delivery is sent now instead of later.',
  input: deliveryQuery,
  output: deliveryOutcome,
  errors: ['DELIVERY_NOT_FOUND', 'WEBHOOK_NOT_CONFIGURED', 'PAYLOAD_EXPIRED'],
  examples: webhookDeliveryRetryExamples,
  run: (core, { delivery_id }, call) => core.deliveries.retry(call.caller.account_id, delivery_id),
});
