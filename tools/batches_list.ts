import { batchesPage, batchesQuery } from '../schemas/batch.js';
import { writeAnswer } from '../src/core/issues/answers.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { batchesListExamples } from './examples/batches.js';

export default defineOperation({
  id: 'batches_list',
  route: { method: 'GET', path: '/batches' },
  effect: 'read',
  reach: 'service',
  auth: 'key_or_token',
  tag: 'Batches',
  title: 'List batches, or one with its items',
  description:
    'Recent batches, newest first. With batch_id: that batch with its items (item_status refused or error explains why). Kept for 90 days.',
  input: batchesQuery,
  output: batchesPage,
  outlined: { output: ['batches', 'items'] },
  errors: ['BATCH_NOT_FOUND'],
  examples: batchesListExamples,
  run: async (core, query, call) => writeAnswer(await core.batches.list(call.caller.account_id, query)),
});
