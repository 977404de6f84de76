import { processingProfilesLive, shopQuery } from '../schemas/shop.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { processingProfilesExamples } from './examples/shops.js';

export default defineOperation({
  id: 'store_processing_profiles_live',
  route: { method: 'GET', path: '/stores/{shop_id}/processing-profiles/live' },
  effect: 'read',
  reach: 'marketplace',
  auth: 'key',
  tag: 'Stores',
  title: 'Read processing profiles now',
  description:
    "The shop's current processing profiles on the marketplace, one call. Pass their ids (readiness_state_id here) to listing_create as processing_profile_id.",
  input: shopQuery,
  output: processingProfilesLive,
  errors: [
    'STORE_NOT_FOUND',
    'STORE_RECONNECT_REQUIRED',
    'MARKETPLACE_RATE_LIMIT',
    'MARKETPLACE_UNAVAILABLE',
    'MARKETPLACE_ERROR',
  ],
  explain: (core, _raw, found, { caller }) => core.shops.explain(caller.account_id, found),
  examples: processingProfilesExamples,
  run: (core, { shop_id }, call) =>
    core.shops.getLive({ account_id: call.caller.account_id, shop_id }, 'processing_profiles', call),
});
