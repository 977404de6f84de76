import { batchAnswer, batchCancelRequest } from '../schemas/batch.js';
import { writeAnswer } from '../src/core/issues/answers.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { batchCancelExamples } from './examples/batches.js';

export default defineOperation({
  id: 'batch_cancel',
  route: { method: 'POST', path: '/batches/{batch_id}/cancel', body: 'json' },
  effect: 'update',
  reach: 'service',
  auth: 'key_or_token',
  tag: 'Batches',
  title: 'Stop a batch',
  description: 'Stops a batch before its next item, or discards a plan. Completed changes are kept.',
  input: batchCancelRequest,
  output: batchAnswer,
  outlined: { output: ['status', 'message'] },
  errors: ['BATCH_NOT_FOUND'],
  examples: batchCancelExamples,
  run: async (core, input, call) => writeAnswer(await core.batches.cancel(input, call)),
});
