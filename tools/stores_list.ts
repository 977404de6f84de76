import { z } from 'zod/v3';
import { shopsList } from '../schemas/shop.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { storesListExamples } from './examples/shops.js';

export default defineOperation({
  id: 'stores_list',
  route: { method: 'GET', path: '/stores' },
  effect: 'read',
  reach: 'service',
  auth: 'key_or_token',
  tag: 'Stores',
  title: 'List connected shops',
  description:
    'Lists the shops connected to the account, with the shop_id that all other tools use. Call it first.',
  input: z.object({}),
  output: shopsList,
  errors: [],
  examples: storesListExamples,
  run: (core, _input, call) => core.shops.list(call.caller.account_id),
});
