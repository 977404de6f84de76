import { batchAnswer, batchStartRequest } from '../schemas/batch.js';
import { batchKeyRules } from '../src/core/batches/key_rules.js';
import { writeAnswer } from '../src/core/issues/answers.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { batchStartExamples } from './examples/batches.js';

export default defineOperation({
  id: 'batch_start',
  route: { method: 'POST', path: '/batches/{batch_id}/start', body: 'json' },
  effect: 'update',
  reach: 'marketplace',
  auth: 'key_or_token',
  tag: 'Batches',
  title: 'Start a planned batch',
  description:
    'Makes exactly the planned changes, after the seller agrees; skips listings edited on the marketplace since. Fees and confirm work as in listing_create. Repeating the call returns the same job.',
  input: batchStartRequest,
  output: batchAnswer,
  unknown_keys: batchKeyRules,
  outlined: { output: ['status', 'message', 'confirm_token'] },
  errors: ['BATCH_NOT_FOUND', 'BATCH_EXPIRED', 'BATCH_RUNNING', 'ACTIVATION_DECLINED'],
  examples: batchStartExamples,
  run: async (core, input, call) => writeAnswer(await core.batches.start(input, call)),
});
