import { listingJobResult } from '../schemas/job.js';
import { listingRequest } from '../schemas/listing_request.js';
import { LISTING_FEE } from '../schemas/marketplace_facts.js';
import { createKeyRules } from '../src/core/listings/requests/key_rules.js';
import { listingBounds } from '../src/core/listings/rules/index.js';
import { writeAnswer } from '../src/core/issues/answers.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { listingCreateExamples } from './examples/listings.js';

export default defineOperation({
  id: 'listing_create',
  route: { method: 'POST', path: '/listings/create', body: 'json' },
  effect: 'create',
  reach: 'marketplace',
  auth: 'key',
  tag: 'Listing Builder',
  title: 'Create a listing in one or more shops',
  description: `Creates one product as a listing in each shop of shops. state draft (default) saves it here only; publish makes a draft on the marketplace with photos, files and variations; active also activates it, which costs ${LISTING_FEE} per shop: ask the seller first; if the response is confirmation_required, repeat the call with confirm. Everything is checked before anything is written, and all problems are returned at once. Use dry_run first: it changes nothing, reports the cost, and names what the ids stand for. Responds when all is done, with listing_id, listing_url and warnings per shop; shops fail independently, so check each of results, and finish failed ones with listing_publish. Repeating the same call never creates a second listing.`,
  input: listingRequest,
  output: listingJobResult,
  outlined: {
    input: ['shops[].overrides', 'shops[].gpsr', 'listing.gpsr'],
    output: ['status', 'job_id', 'listing_pk', 'message', 'results', 'warnings', 'cost_usd', 'confirm_token'],
  },
  errors: [
    'QUOTA_EXCEEDED',
    'IDEMPOTENCY_KEY_REUSED',
    'STORE_RECONNECT_REQUIRED',
    'ACTIVATION_DECLINED',
    'MARKETPLACE_RATE_LIMIT',
    'MARKETPLACE_UNAVAILABLE',
    'MARKETPLACE_ERROR',
  ],
  bounds: listingBounds,
  unknown_keys: createKeyRules,
  status: ({ status }) => (status === 'draft' ? 201 : 200),
  explain: (core, raw, found, call) => core.listings.explain(raw, found, call),
  examples: listingCreateExamples,
  run: async (core, request, call) => writeAnswer(await core.listings.create(request, call), call.words),
});
