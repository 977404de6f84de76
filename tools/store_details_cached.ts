import { shopDetailsCached, shopQuery } from '../schemas/shop.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { storeDetailsExamples } from './examples/shops.js';

export default defineOperation({
  id: 'store_details_cached',
  route: { method: 'GET', path: '/stores/{shop_id}/details' },
  effect: 'read',
  reach: 'service',
  auth: 'key',
  tag: 'Stores',
  title: 'Read saved shop details',
  description:
    "A shop's details, shipping profiles and sections as last synced, without a marketplace call. return_policies, processing_profiles and production_partners are null here; store_sync returns them.",
  input: shopQuery,
  output: shopDetailsCached,
  outlined: {
    output: ['shop_id', 'shop_name', 'currency_code', 'last_synced_at', 'shipping_profiles', 'shop_sections'],
  },
  // As in store_sync.
  errors: ['STORE_NOT_FOUND'],
  explain: (core, _raw, found, { caller }) => core.shops.explain(caller.account_id, found),
  examples: storeDetailsExamples,
  run: (core, { shop_id }, call) => core.shops.getDetails({ account_id: call.caller.account_id, shop_id }),
});
