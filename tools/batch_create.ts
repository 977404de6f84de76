import { batchAnswer, batchCreateRequest } from '../schemas/batch.js';
import { batchKeyRules } from '../src/core/batches/key_rules.js';
import { writeAnswer } from '../src/core/issues/answers.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { batchCreateExamples } from './examples/batches.js';

export default defineOperation({
  id: 'batch_create',
  route: { method: 'POST', path: '/batches', body: 'json' },
  effect: 'create',
  reach: 'marketplace',
  auth: 'key_or_token',
  tag: 'Batches',
  title: 'Plan a change of many listings',
  description:
    'Plans edits of up to 1,000 listings; writes nothing, free. Show the seller the diff, the refused items and cost_usd, then call batch_start. For one listing: listing_update.',
  input: batchCreateRequest,
  output: batchAnswer,
  unknown_keys: batchKeyRules,
  outlined: { output: ['batch_id', 'status', 'message', 'items'] },
  errors: ['BATCH_NOT_FOUND', 'BATCH_TOO_LARGE', 'SHEET_INVALID', 'QUOTA_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
  status: () => 201,
  examples: batchCreateExamples,
  run: async (core, input, call) => writeAnswer(await core.batches.create(input, call)),
});
