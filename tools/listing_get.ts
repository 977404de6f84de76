import { listingDetail, listingQuery } from '../schemas/listing.js';
import { writeAnswer } from '../src/core/issues/answers.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { listingGetExamples } from './examples/listings.js';

export default defineOperation({
  id: 'listing_get',
  route: { method: 'GET', path: '/listings/{listing_pk}' },
  effect: 'read',
  reach: 'marketplace',
  auth: 'key_or_token',
  tag: 'Listing Builder',
  title: 'Read a saved listing',
  description:
    'One saved listing: the request as it was sent, its last publishing job, and what exists in each shop, with names for its ids. history lists all jobs.',
  input: listingQuery,
  output: listingDetail,
  outlined: {
    output: [
      'listing_pk',
      'title',
      'status',
      'state',
      'shops',
      'request',
      'names',
      'job',
      'results',
      'history',
    ],
  },
  errors: ['LISTING_NOT_FOUND'],
  examples: listingGetExamples,
  run: async (core, input, call) => writeAnswer(await core.listings.get(call.caller.account_id, input)),
});
