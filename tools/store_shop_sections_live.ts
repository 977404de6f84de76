import { shopSectionsLive, shopQuery } from '../schemas/shop.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { shopSectionsExamples } from './examples/shops.js';

export default defineOperation({
  id: 'store_shop_sections_live',
  route: { method: 'GET', path: '/stores/{shop_id}/shop-sections/live' },
  effect: 'read',
  reach: 'marketplace',
  auth: 'key',
  tag: 'Stores',
  title: 'Read sections now',
  description:
    "The shop's current sections on the marketplace, one call. Pass their ids to listing_create as shop_section_id.",
  input: shopQuery,
  output: shopSectionsLive,
  errors: [
    'STORE_NOT_FOUND',
    'STORE_RECONNECT_REQUIRED',
    'MARKETPLACE_RATE_LIMIT',
    'MARKETPLACE_UNAVAILABLE',
    'MARKETPLACE_ERROR',
  ],
  explain: (core, _raw, found, { caller }) => core.shops.explain(caller.account_id, found),
  examples: shopSectionsExamples,
  run: (core, { shop_id }, call) =>
    core.shops.getLive({ account_id: call.caller.account_id, shop_id }, 'shop_sections', call),
});
