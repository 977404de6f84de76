import { batchAnswer, batchUndoRequest } from '../schemas/batch.js';
import { batchKeyRules } from '../src/core/batches/key_rules.js';
import { writeAnswer } from '../src/core/issues/answers.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { batchUndoExamples } from './examples/batches.js';

export default defineOperation({
  id: 'batch_undo',
  route: { method: 'POST', path: '/batches/{batch_id}/undo', body: 'json' },
  effect: 'update',
  reach: 'marketplace',
  auth: 'key_or_token',
  tag: 'Batches',
  title: 'Undo a batch',
  description:
    'Undoes the changes of a batch, as a batch that can be undone too. Free, unless pay is given and confirmed. dry_run only plans it.',
  input: batchUndoRequest,
  output: batchAnswer,
  unknown_keys: batchKeyRules,
  outlined: { output: ['batch_id', 'status', 'message', 'confirm_token'] },
  errors: [
    'BATCH_NOT_FOUND',
    'BATCH_EXPIRED',
    'BATCH_RUNNING',
    'NOTHING_TO_UNDO',
    'ACTIVATION_DECLINED',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  examples: batchUndoExamples,
  run: async (core, input, call) => writeAnswer(await core.batches.undo(input, call)),
});
