import { listingDeleted, listingDeletion } from '../schemas/listing.js';
import { defineOperation } from '../src/core/operation.js';
import { listingDeleteExamples } from './examples/listings.js';

export default defineOperation({
  id: 'listing_delete',
  route: { method: 'DELETE', path: '/listings/{listing_pk}' },
  effect: 'delete',
  reach: 'service',
  words: 'own',
  auth: 'key_or_token',
  tag: 'Listing Builder',
  title: 'Delete a saved draft',
  description:
    'Removes a saved draft that has nothing on the marketplace, for good. Listings on the marketplace are never deleted by this service.',
  input: listingDeletion,
  output: listingDeleted,
  errors: ['LISTING_NOT_FOUND', 'NOT_DELETABLE'],
  examples: listingDeleteExamples,
  run: (core, { listing_pk }, call) => core.listings.delete(call.caller.account_id, listing_pk),
});
