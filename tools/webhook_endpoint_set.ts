import { endpoint, endpointRequest } from '../schemas/endpoint.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { webhookEndpointSetExamples } from './examples/webhooks.js';

export default defineOperation({
  id: 'webhook_endpoint_set',
  route: { method: 'PUT', path: '/webhooks/endpoint', body: 'json' },
  effect: 'update',
  reach: 'service',
  words: 'own',
  auth: 'key_or_token',
  tag: 'Webhooks',
  title: 'Set the webhook destination',
  description:
    'Sets the https URL that order events are sent to, and which events; enables it again if it was disabled. The response has the signing secret only when it is new: save it then.',
  input: endpointRequest,
  output: endpoint,
  errors: [],
  examples: webhookEndpointSetExamples,
  run: (core, change, call) => core.endpoints.set(call.caller.account_id, change),
});
