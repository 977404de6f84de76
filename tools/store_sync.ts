import { shopQuery, shopSynced } from '../schemas/shop.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { storeSyncExamples } from './examples/shops.js';

export default defineOperation({
  id: 'store_sync',
  route: { method: 'POST', path: '/stores/{shop_id}/sync' },
  // It writes the service's own copy; the seller's data stays unchanged.
  effect: 'read',
  reach: 'marketplace',
  auth: 'key',
  tag: 'Stores',
  title: 'Sync a shop',
  description:
    'Reads a shop from the marketplace again and saves it: shipping profiles, sections, return policies, processing profiles (their readiness_state_id is processing_profile_id in listing_create) and production partners. listing_create uses their ids, so call this for each shop first. Free; six marketplace calls.',
  input: shopQuery,
  output: shopSynced,
  outlined: {
    output: ['shipping_profiles', 'shop_sections', 'return_policies', 'processing_profiles'],
  },
  errors: [
    'STORE_NOT_FOUND',
    'STORE_RECONNECT_REQUIRED',
    'MARKETPLACE_RATE_LIMIT',
    'MARKETPLACE_UNAVAILABLE',
    'MARKETPLACE_ERROR',
  ],
  explain: (core, _raw, found, { caller }) => core.shops.explain(caller.account_id, found),
  examples: storeSyncExamples,
  run: (core, { shop_id }, call) => core.shops.sync({ account_id: call.caller.account_id, shop_id }),
});
