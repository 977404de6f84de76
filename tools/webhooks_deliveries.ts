import { deliveriesPage, deliveriesQuery } from '../schemas/delivery.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { webhooksDeliveriesExamples } from './examples/webhooks.js';

export default defineOperation({
  id: 'webhooks_deliveries',
  route: { method: 'GET', path: '/webhooks/deliveries' },
  effect: 'read',
  reach: 'service',
  auth: 'key',
  tag: 'Webhooks',
  title: 'List webhook deliveries',
  description:
    "The account's outbound webhook deliveries, newest first; with id, that one with its full payload. Each attempt is a separate delivery.",
  input: deliveriesQuery,
  output: deliveriesPage,
  outlined: { output: ['total', 'deliveries'] },
  errors: ['DELIVERY_NOT_FOUND'],
  examples: webhooksDeliveriesExamples,
  run: (core, query, call) => core.deliveries.list(call.caller.account_id, query),
});
