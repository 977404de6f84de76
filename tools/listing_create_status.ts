import { jobQuery, jobResult } from '../schemas/job.js';
import { writeAnswer } from '../src/core/issues/answers.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { listingCreateStatusExamples } from './examples/listings.js';

export default defineOperation({
  id: 'listing_create_status',
  route: { method: 'GET', path: '/listings/create/{job_id}' },
  effect: 'read',
  reach: 'service',
  auth: 'key',
  tag: 'Listing Builder',
  title: 'Read the result of a job',
  description:
    'The state and results of a job (create, publish, update, undo, copy or import): completed, failed, or processing while it still runs (ask again in a few seconds). Changes nothing.',
  input: jobQuery,
  output: jobResult,
  outlined: { output: ['status', 'job_id', 'listing_pk', 'results', 'error_message'] },
  errors: ['JOB_NOT_FOUND'],
  examples: listingCreateStatusExamples,
  run: async (core, { job_id }, call) =>
    writeAnswer(await core.listings.getJob(call.caller.account_id, job_id)),
});
