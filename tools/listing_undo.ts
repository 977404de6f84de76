import { undoRequest, updateResult } from '../schemas/listing_changes.js';
import { writeAnswer } from '../src/core/issues/answers.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { listingUndoExamples } from './examples/updates.js';

export default defineOperation({
  id: 'listing_undo',
  route: { method: 'POST', path: '/listings/{listing_pk}/undo', body: 'json' },
  effect: 'update',
  reach: 'marketplace',
  auth: 'key_or_token',
  tag: 'Listing Builder',
  title: 'Undo a change to a listing',
  description:
    'Undoes the changes of an update, an undo or a deactivation in its shops, except fields changed since; free. Removed photos can be restored for 90 days; warnings not_undone list what cannot be undone. Use dry_run first and show the seller its diff. Can be undone. Responds as listing_create does.',
  input: undoRequest,
  output: updateResult,
  outlined: { output: ['status', 'job_id', 'listing_pk', 'results', 'shops'] },
  errors: ['LISTING_NOT_FOUND', 'JOB_NOT_FOUND', 'LISTING_BUSY', 'NOTHING_TO_UNDO', 'IDEMPOTENCY_KEY_REUSED'],
  explain: (core, raw, found, call) => core.listings.explainChanges(raw, found, call),
  examples: listingUndoExamples,
  run: async (core, input, call) => writeAnswer(await core.listings.undo(input, call)),
});
