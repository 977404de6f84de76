import { listingDeleted, listingDeletion } from '../schemas/listing.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { listingDeleteExamples } from './examples/listings.js';

export default defineOperation({
  id: 'listing_delete',
  route: { method: 'DELETE', path: '/listings/{listing_pk}' },
  effect: 'delete',
  reach: 'marketplace',
  words: 'own',
  auth: 'key_or_token',
  tag: 'Listing Builder',
  title: 'Delete a draft or stop managing a listing',
  description:
    'Permanently deletes a saved draft that has nothing on the marketplace. Also stops managing a listing that was imported, or that is removed or gone in all its shops. Never deletes anything on the marketplace.',
  input: listingDeletion,
  output: listingDeleted,
  errors: ['LISTING_NOT_FOUND', 'NOT_DELETABLE'],
  examples: listingDeleteExamples,
  run: (core, { listing_pk }, call) => core.listings.delete(call.caller.account_id, listing_pk),
});
