import { z } from 'zod/v3';
import { endpointDeleted } from '../schemas/endpoint.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { webhookEndpointDeleteExamples } from './examples/webhooks.js';

export default defineOperation({
  id: 'webhook_endpoint_delete',
  route: { method: 'DELETE', path: '/webhooks/endpoint' },
  effect: 'delete',
  reach: 'service',
  words: 'own',
  auth: 'key_or_token',
  tag: 'Webhooks',
  title: 'Remove the webhook destination',
  description:
    'Removes the destination with its secrets, and cancels pending deliveries. Order events are still recorded, but not sent.',
  input: z.object({}),
  output: endpointDeleted,
  errors: [],
  examples: webhookEndpointDeleteExamples,
  run: (core, _input, call) => core.endpoints.delete(call.caller.account_id),
});
