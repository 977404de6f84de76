import { updateRequest, updateResult } from '../schemas/listing_changes.js';
import { updateKeyRules } from '../src/core/listings/requests/key_rules.js';
import { changesBounds } from '../src/core/listings/rules/index.js';
import { writeAnswer } from '../src/core/issues/answers.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { listingUpdateExamples } from './examples/updates.js';

export default defineOperation({
  id: 'listing_update',
  route: { method: 'PATCH', path: '/listings/{listing_pk}', body: 'json' },
  effect: 'update',
  reach: 'marketplace',
  auth: 'key_or_token',
  tag: 'Listing Builder',
  title: 'Change a listing in all its shops',
  description:
    'Changes only the fields in changes, in a saved draft or in the shops that have the listing, active or not; free. For price or stock send changes.offerings. Use dry_run first and show the seller its diff. If someone else edited the same field in a shop, that shop is refused, with both values. Responds as listing_create does.',
  input: updateRequest,
  output: updateResult,
  outlined: { input: ['changes'], output: ['status', 'job_id', 'listing_pk', 'results', 'shops'] },
  errors: [
    'LISTING_NOT_FOUND',
    'LISTING_BUSY',
    'IDEMPOTENCY_KEY_REUSED',
    'QUOTA_EXCEEDED',
    'STORE_RECONNECT_REQUIRED',
    'MARKETPLACE_RATE_LIMIT',
    'MARKETPLACE_UNAVAILABLE',
    'MARKETPLACE_ERROR',
  ],
  bounds: changesBounds,
  unknown_keys: updateKeyRules,
  explain: (core, raw, found, call) => core.listings.explainChanges(raw, found, call),
  examples: listingUpdateExamples,
  run: async (core, input, call) => writeAnswer(await core.listings.update(input, call)),
});
