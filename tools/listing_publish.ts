import { publishRequest, publishResult } from '../schemas/job.js';
import { publishKeyRules } from '../src/core/listings/requests/key_rules.js';
import { writeAnswer } from '../src/core/issues/answers.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { listingPublishExamples } from './examples/listings.js';

export default defineOperation({
  id: 'listing_publish',
  route: { method: 'POST', path: '/listings/{listing_pk}/publish', body: 'json' },
  effect: 'update',
  reach: 'marketplace',
  auth: 'key_or_token',
  tag: 'Listing Builder',
  title: 'Publish, finish or deactivate a listing',
  description:
    'Publishes a saved draft, finishes shops that failed earlier, or deactivates or reactivates a listing (then name the shops). Ask the seller before active; dry_run reports the cost; if the response is confirmation_required, repeat the call with confirm. Finished work is never repeated or paid twice. Responds as listing_create does.',
  input: publishRequest,
  output: publishResult,
  outlined: { output: ['status', 'job_id', 'listing_pk', 'results', 'confirm_token'] },
  errors: [
    'LISTING_NOT_FOUND',
    'LISTING_BUSY',
    'IDEMPOTENCY_KEY_REUSED',
    'STORE_RECONNECT_REQUIRED',
    'ACTIVATION_DECLINED',
    'MARKETPLACE_RATE_LIMIT',
    'MARKETPLACE_UNAVAILABLE',
    'MARKETPLACE_ERROR',
  ],
  unknown_keys: publishKeyRules,
  explain: (core, raw, found, call) => core.listings.explainChanges(raw, found, call),
  examples: listingPublishExamples,
  run: async (core, request, call) => writeAnswer(await core.listings.publish(request, call), call.words),
});
