import { z } from 'zod/v3';
import { endpointDetail } from '../schemas/endpoint.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { webhookEndpointGetExamples } from './examples/webhooks.js';

export default defineOperation({
  id: 'webhook_endpoint_get',
  route: { method: 'GET', path: '/webhooks/endpoint' },
  effect: 'read',
  reach: 'service',
  words: 'own',
  auth: 'key_or_token',
  tag: 'Webhooks',
  title: 'Get the webhook destination',
  description:
    'The URL that order events are sent to, the selected events, and whether it is enabled or why not. The secret is never shown again.',
  input: z.object({}),
  output: endpointDetail,
  errors: ['WEBHOOK_NOT_CONFIGURED'],
  examples: webhookEndpointGetExamples,
  run: (core, _input, call) => core.endpoints.get(call.caller.account_id),
});
