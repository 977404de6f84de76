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
  title: 'Publish, finish, take off sale',
  description:
    'Publishes a saved draft, finishes the shops that failed earlier, takes a listing off sale or puts it back (name the shops then). Ask the seller before active; dry_run tells the cost, and confirmation_required wants the call again with confirm. What has succeeded is never done again or paid twice. Answers as listing_create does.',
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
