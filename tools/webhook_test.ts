import { z } from 'zod/v3';
import { deliveryOutcome } from '../schemas/delivery.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { webhookTestExamples } from './examples/webhooks.js';

export default defineOperation({
  id: 'webhook_test',
  route: { method: 'POST', path: '/webhooks/test' },
  effect: 'create',
  reach: 'receiver',
  words: 'own',
  auth: 'key_or_token',
  tag: 'Webhooks',
  title: 'Send a test event',
  description:
    'Sends a signed test event to the destination, once, and returns the outcome. It appears among the deliveries.',
  input: z.object({}),
  output: deliveryOutcome,
  errors: ['WEBHOOK_NOT_CONFIGURED'],
  examples: webhookTestExamples,
  run: (core, _input, call) => core.deliveries.sendTest(call.caller.account_id),
});
