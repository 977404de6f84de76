import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createHttpFace, type HttpFace } from '../../../src/transports/index.js';
import { operations } from '../../../tools/index.js';
import { letIn } from '../../let_in.js';
import { CLAY, startService, type TestService } from '../../service.js';

/*
 * Over REST, operations that the interface document protects with an API key take only a key; our additional
 * operations also take a bearer token. Over MCP, every tool takes both, because assistants can only log in.
 */

const TAKE_BOTH = new Set([
  'batch_cancel',
  'batch_create',
  'batch_sheet',
  'batch_start',
  'batch_undo',
  'batches_list',
  'categories_search',
  'listing_copy',
  'listing_delete',
  'listing_get',
  'listing_import',
  'listing_publish',
  'listing_undo',
  'listing_update',
  'listings_list',
  'store_listings',
  'stores_list',
  'webhook_endpoint_delete',
  'webhook_endpoint_get',
  'webhook_endpoint_set',
  'webhook_test',
]);

let service: TestService;
let face: HttpFace;
let access_token: string;

beforeAll(async () => {
  service = await startService();
  const { account_id } = await service.app.core.accounts.getDefault();
  ({ access_token } = await letIn(service.app.core, account_id, 'assistant'));
  face = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
});
afterAll(async () => {
  await face.close(0);
  await service.close();
});

it.each(operations.map((operation) => [operation.id, operation.route] as const))(
  '%s takes a bearer token over REST only if it is not in the interface document',
  async (id, { method, path }) => {
    const filled = path.replaceAll('{shop_id}', String(CLAY.shop_id)).replaceAll(/\{\w+\}/g, '1');
    const { status } = await fetch(`http://127.0.0.1:${face.port}/api/v1${filled}`, {
      method,
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(status === 401).toBe(!TAKE_BOTH.has(id));
  },
);

it('every tool takes a bearer token over MCP', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${access_token}` } };
  const url = new URL(`http://127.0.0.1:${face.port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  const found = await client.callTool({ name: 'categories_search', arguments: { keywords: 'mug' } });
  expect(found.isError).toBeFalsy();
  for (const { id } of operations) {
    const { content } = await client.callTool({ name: id, arguments: {} });
    const [{ text }] = content as [{ text: string }];
    expect([id, text.includes('"UNAUTHORIZED"')]).toEqual([id, false]);
  }
  await client.close();
});
