import { shopListingsPage, shopListingsQuery } from '../schemas/shop_listings.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { storeListingsExamples } from './examples/shops.js';

export default defineOperation({
  id: 'store_listings',
  route: { method: 'GET', path: '/stores/{shop_id}/listings' },
  effect: 'read',
  reach: 'marketplace',
  auth: 'key_or_token',
  tag: 'Stores',
  title: "Read a shop's current listings",
  description:
    "The shop's current listings on the marketplace, created here or not, one state at a time, with prices, stock and SKUs. If listing_pk is null, pass listing_id to listing_import.",
  input: shopListingsQuery,
  output: shopListingsPage,
  errors: [
    'STORE_NOT_FOUND',
    'STORE_RECONNECT_REQUIRED',
    'MARKETPLACE_RATE_LIMIT',
    'MARKETPLACE_UNAVAILABLE',
    'MARKETPLACE_ERROR',
  ],
  explain: (core, _raw, found, { caller }) => core.shops.explain(caller.account_id, found),
  examples: storeListingsExamples,
  run: (core, query, call) => core.listShopListings(call.caller.account_id, query, call),
});
