import { listingsPage, listingsQuery } from '../schemas/listing.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { listingsListExamples } from './examples/listings.js';

export default defineOperation({
  id: 'listings_list',
  route: { method: 'GET', path: '/listings' },
  effect: 'read',
  reach: 'service',
  auth: 'key_or_token',
  tag: 'Listing Builder',
  title: 'List saved listings',
  description:
    'The listings managed here (created, saved as drafts or imported), newest first, with how each was last seen in its shops. For everything in a shop: store_listings. Pass listing_pk to listing_get, listing_update and others.',
  input: listingsQuery,
  output: listingsPage,
  errors: [],
  examples: listingsListExamples,
  run: (core, query, call) => core.listings.list(call.caller.account_id, query),
});
