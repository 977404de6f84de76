import { returnPoliciesLive, shopQuery } from '../schemas/shop.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { returnPoliciesExamples } from './examples/shops.js';

export default defineOperation({
  id: 'store_return_policies_live',
  route: { method: 'GET', path: '/stores/{shop_id}/return-policies/live' },
  effect: 'read',
  reach: 'marketplace',
  auth: 'key',
  tag: 'Stores',
  title: 'Read return policies now',
  description:
    "The shop's current return policies on the marketplace, one call. Pass their ids to listing_create as return_policy_id.",
  input: shopQuery,
  output: returnPoliciesLive,
  errors: [
    'STORE_NOT_FOUND',
    'STORE_RECONNECT_REQUIRED',
    'MARKETPLACE_RATE_LIMIT',
    'MARKETPLACE_UNAVAILABLE',
    'MARKETPLACE_ERROR',
  ],
  explain: (core, _raw, found, { caller }) => core.shops.explain(caller.account_id, found),
  examples: returnPoliciesExamples,
  run: (core, { shop_id }, call) =>
    core.shops.getLive({ account_id: call.caller.account_id, shop_id }, 'return_policies', call),
});
