import { copyRequest } from '../schemas/copy.js';
import { listingJobResult } from '../schemas/job.js';
import { updateKeyRules } from '../src/core/listings/requests/key_rules.js';
import { writeAnswer } from '../src/core/issues/answers.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { listingCopyExamples } from './examples/copy.js';

export default defineOperation({
  id: 'listing_copy',
  route: { method: 'POST', path: '/listings/{listing_pk}/copy', body: 'json' },
  effect: 'create',
  reach: 'marketplace',
  auth: 'key_or_token',
  tag: 'Listing Builder',
  title: 'Copy a listing to other shops',
  description:
    'Creates a saved or imported listing in more shops, with its photos, variations and attributes; as a draft unless state says otherwise. Use dry_run first. Fees, confirm and the response work as in listing_create.',
  input: copyRequest,
  output: listingJobResult,
  outlined: {
    input: ['shops', 'changes'],
    output: ['status', 'job_id', 'listing_pk', 'results', 'confirm_token'],
  },
  errors: [
    'LISTING_NOT_FOUND',
    'ALREADY_IN_SHOP',
    'LISTING_BUSY',
    'QUOTA_EXCEEDED',
    'IDEMPOTENCY_KEY_REUSED',
    'STORE_RECONNECT_REQUIRED',
    'ACTIVATION_DECLINED',
    'MARKETPLACE_RATE_LIMIT',
    'MARKETPLACE_UNAVAILABLE',
    'MARKETPLACE_ERROR',
  ],
  unknown_keys: updateKeyRules,
  status: ({ status }) => (status === 'draft' ? 201 : 200),
  explain: (core, raw, found, call) => core.listings.explainChanges(raw, found, call),
  examples: listingCopyExamples,
  run: async (core, input, call) => writeAnswer(await core.listings.copy(input, call)),
});
