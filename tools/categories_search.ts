import { categoriesFound, categoriesQuery } from '../schemas/category.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { categoriesSearchExamples } from './examples/categories.js';

export default defineOperation({
  id: 'categories_search',
  route: { method: 'GET', path: '/categories/search' },
  effect: 'read',
  reach: 'marketplace',
  auth: 'key_or_token',
  tag: 'Categories',
  title: 'Find a category',
  description:
    'Finds categories by words ("ceramic mug"), best match first, with ids and full paths. Use a leaf as taxonomy_id, and call listing_schema for it next. The category tree is cached for a day.',
  input: categoriesQuery,
  output: categoriesFound,
  errors: ['MARKETPLACE_RATE_LIMIT', 'MARKETPLACE_UNAVAILABLE', 'MARKETPLACE_ERROR'],
  headers: { 'cache-control': 'private, max-age=86400' },
  examples: categoriesSearchExamples,
  run: (core, query, call) => core.categories.search(call.caller.account_id, query, call),
});
