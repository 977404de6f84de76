import { categoryQuery, categorySchema } from '../schemas/category.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { listingSchemaExamples } from './examples/categories.js';

export default defineOperation({
  id: 'listing_schema',
  route: { method: 'GET', path: '/categories/{category_id}/listing-schema' },
  effect: 'read',
  reach: 'marketplace',
  auth: 'key',
  tag: 'Listing Builder',
  title: 'Read what a category needs',
  description:
    'What a listing in a category accepts: required fields, attributes with their valid value ids and scales, and the properties that variations may use (you choose the names of 513 and 514). Call before listing_create, with an id from categories_search. Changes rarely; cached for a day.',
  input: categoryQuery,
  output: categorySchema,
  errors: ['CATEGORY_NOT_FOUND', 'MARKETPLACE_RATE_LIMIT', 'MARKETPLACE_UNAVAILABLE', 'MARKETPLACE_ERROR'],
  headers: { 'cache-control': 'private, max-age=86400' },
  examples: listingSchemaExamples,
  run: (core, { category_id }, call) => core.categories.getSchema(call.caller.account_id, category_id, call),
});
