import { shippingProfilesLive, shopQuery } from '../schemas/shop.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { shippingProfilesExamples } from './examples/shops.js';

export default defineOperation({
  id: 'store_shipping_profiles_live',
  route: { method: 'GET', path: '/stores/{shop_id}/shipping-profiles/live' },
  effect: 'read',
  reach: 'marketplace',
  auth: 'key',
  tag: 'Stores',
  title: 'Read shipping profiles now',
  description:
    "The shop's current shipping profiles on the marketplace, one call. Pass their ids to listing_create as shipping_profile_id.",
  input: shopQuery,
  output: shippingProfilesLive,
  errors: [
    'STORE_NOT_FOUND',
    'STORE_RECONNECT_REQUIRED',
    'MARKETPLACE_RATE_LIMIT',
    'MARKETPLACE_UNAVAILABLE',
    'MARKETPLACE_ERROR',
  ],
  explain: (core, _raw, found, { caller }) => core.shops.explain(caller.account_id, found),
  examples: shippingProfilesExamples,
  run: (core, { shop_id }, call) =>
    core.shops.getLive({ account_id: call.caller.account_id, shop_id }, 'shipping_profiles', call),
});
