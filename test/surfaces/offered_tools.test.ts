import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, expect, it } from 'vitest';
import { createHttpFace } from '../../src/transports/index.js';
import { operations } from '../../tools/index.js';
import { ROOT } from '../architecture/sources.js';
import { startService } from '../service.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A client of a server with these settings, and an API key for REST. */
async function connect(environment: Record<string, string>) {
  const { app, close } = await startService(environment);
  closers.push(close);
  const face = await createHttpFace(app.service, { ...app.config, port: 0 });
  closers.push(() => face.close(1_000));
  const url = `http://127.0.0.1:${face.port}`;
  const { account_id } = await app.core.accounts.getDefault();
  const { key } = await app.core.accounts.createKey(account_id, 'test');
  const client = new Client({ name: 'test', version: '1' });
  const headers = { 'x-service-api-key': key };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  closers.push(() => client.close());
  const { tools } = await client.listTools();
  return { client, names: tools.map(({ name }) => name), url, headers };
}

const READS = operations.filter(({ effect }) => effect === 'read').map(({ id }) => id);

it('a read-only server offers read operations, and refuses the others by name over every transport', async () => {
  const { client, names, url, headers } = await connect({ READ_ONLY: 'on' });
  expect(names).toEqual(READS);
  const instructions = client.getInstructions() ?? '';
  expect(instructions).toContain('read-only');
  for (const { id, effect } of operations) {
    if (effect === 'read') continue;
    expect(instructions).not.toMatch(new RegExp(`\\b${id}\\b(?!_)`));
    const answer = await client.callTool({ name: id, arguments: {} });
    expect(answer).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('READ_ONLY') }],
    });
  }
  const sent = await fetch(`${url}/api/v1/listings/1`, { method: 'DELETE', headers });
  expect([sent.status, await sent.json()]).toMatchObject([400, { error: { code: 'READ_ONLY' } }]);
});

it('a server offers the configured tools and groups in their usual order, and no tool that depends on missing ones', async () => {
  const { client, names, url, headers } = await connect({ TOOLS: 'webhooks, stores_list,categories' });
  expect(names).toEqual([
    'stores_list',
    'categories_search',
    ...operations.filter(({ tag }) => tag === 'Webhooks').map(({ id }) => id),
  ]);
  expect((await client.listResources()).resources.map(({ name }) => name)).toEqual(['stores']);
  expect(client.getServerCapabilities()).not.toHaveProperty('prompts');
  expect(client.getInstructions()).not.toContain('listing_create');
  await expect(client.callTool({ name: 'listings_list', arguments: {} })).rejects.toThrow('Unknown tool');
  expect((await fetch(`${url}/api/v1/listings`, { headers })).status).toBe(200);
});

it('a server with few tools still says what no tool can do, as the guide for sellers does', async () => {
  const guide = await readFile(join(ROOT, 'src', 'docs', 'sellers.md'), 'utf8');
  const [, section = ''] = guide.split("## What Etsy's API cannot do");
  const environments: Record<string, string>[] = [{}, { TOOLS: 'webhooks' }, { READ_ONLY: 'on' }];
  for (const environment of environments) {
    const { client } = await connect(environment);
    const [line = ''] = /^Etsy's interface has no .*$/m.exec(client.getInstructions() ?? '') ?? [];
    for (const thing of ['messages', 'statistics', 'coupons', 'sales', 'advertising']) {
      expect([line, section].map((text) => text.includes(thing))).toEqual([true, true]);
    }
  }
});

it.each([
  [
    { TOOLS: 'stores_list,shops' },
    /^TOOLS must be .* without shops\. Groups: stores, .* Tools: stores_list, /,
  ],
  [
    { TOOLS: 'listing_create', READ_ONLY: 'on' },
    'TOOLS must name at least one read-only tool while READ_ONLY is on.',
  ],
])('the setting %o is refused at start', async (environment, message) => {
  const data_dir = await mkdtemp(join(tmpdir(), 'listing-service-'));
  await expect(startService(environment, { data_dir })).rejects.toThrow(message);
});
