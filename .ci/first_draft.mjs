// An assistant's first steps: starts the service as its configuration says, lists the tools, saves a draft.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/**
 * Returns the names of the tools. Passes on the service's stderr.
 * @param start command, args, env and cwd, as an MCP client takes them
 */
export async function saveFirstDraft(start) {
  const client = new Client({ name: 'check', version: '1.0.0' });
  const call = async (name, args = {}) => {
    const answer = await client.callTool({ name, arguments: args });
    assert(!answer.isError, JSON.stringify(answer.content));
    return answer.structuredContent;
  };
  await client.connect(new StdioClientTransport({ stderr: 'inherit', ...start }), { timeout: START_MS });
  try {
    const { tools } = await client.listTools();
    const { stores } = await call('stores_list');
    assert.equal(stores.length, 2, 'the sandbox has two shops');
    const shop_id = Number(stores[0].shop_id);
    const { shipping_profiles, return_policies } = await call('store_sync', { shop_id });
    const { categories } = await call('categories_search', { keywords: 'mug' });
    await call('listing_create', {
      shops: [
        {
          shop_id,
          shipping_profile_id: shipping_profiles[0].shipping_profile_id,
          return_policy_id: return_policies[0].return_policy_id,
        },
      ],
      listing: {
        title: 'Stoneware mug',
        description: 'Thrown by hand.',
        listing_type: 'physical',
        taxonomy_id: categories[0].category_id,
        price: 24.5,
        quantity: 4,
      },
    });
    const { listings } = await call('listings_list');
    assert.deepEqual(
      listings.map(({ title }) => title),
      ['Stoneware mug'],
    );
    return tools.map(({ name }) => name);
  } finally {
    await client.close();
  }
}

/** npx installs before it starts, and compiles if it cannot download a prebuilt addon. */
const START_MS = 900_000;
