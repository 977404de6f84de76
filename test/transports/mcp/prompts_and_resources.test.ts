import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFace, type HttpFace } from '../../../src/transports/index.js';
import { NOTICE } from '../../../src/transports/mcp/tools/readable.js';
import { buildMug, CLAY, listTargets, MUGS, startService, type TestService } from '../../service.js';
import { createStatelessClient, type StatelessClient } from './stateless_client.js';

let service: TestService;
let face: HttpFace;
let url: string;
let headers: Record<string, string>;
/** The key of an account without any data. */
let other_headers: Record<string, string>;
let session: Client;
let client: StatelessClient;
let listing_pk: number;
let job_id: string;

beforeAll(async () => {
  service = await startService();
  const { accounts } = service.app.core;
  const { account_id } = await accounts.getDefault();
  headers = { 'x-service-api-key': (await accounts.createKey(account_id, 'test')).key };
  const other = await service.app.store.accounts.createAccount('other');
  other_headers = { 'x-service-api-key': (await accounts.createKey(other.account_id, 'test')).key };
  face = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  url = `http://127.0.0.1:${face.port}`;
  const targets = await listTargets(service);
  ({ listing_pk } = await service.call<{ listing_pk: number }>('listing_create', buildMug(targets)));
  ({ job_id } = await service.call<{ job_id: string }>('listing_publish', { listing_pk, state: 'publish' }));
  client = createStatelessClient(url, headers);
  session = new Client({ name: 'test', version: '1' });
  await session.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
});

afterAll(async () => {
  await session.close();
  await face.close(0);
  await service.close();
});

const ask = async (method: string, params: Record<string, unknown> = {}) =>
  (await client.send(method, params)).answer;

describe('both eras of MCP', () => {
  it('offer prompts, resources and completion, and list the same ones', async () => {
    expect(session.getServerCapabilities()).toEqual({
      tools: {},
      prompts: {},
      resources: {},
      completions: {},
      extensions: { 'io.modelcontextprotocol/skills': {} },
    });
    expect((await ask('server/discover')).result?.['capabilities']).toEqual(session.getServerCapabilities());
    const { prompts } = await session.listPrompts();
    expect((await ask('prompts/list')).result).toMatchObject({ prompts, cacheScope: 'public' });
    const { resources } = await session.listResources();
    expect((await ask('resources/list')).result).toMatchObject({ resources, cacheScope: 'public' });
    const { resourceTemplates } = await session.listResourceTemplates();
    expect((await ask('resources/templates/list')).result).toMatchObject({ resourceTemplates });
    expect([prompts.length, resources.length, resourceTemplates.length]).toEqual([7, 8, 4]);
  });
});

describe('a prompt', () => {
  it('names its arguments, and asks before it spends money', async () => {
    const { prompts } = await session.listPrompts();
    for (const { name, arguments: all } of prompts) {
      const given = Object.fromEntries((all ?? []).map((argument) => [argument.name, `<${argument.name}>`]));
      const { messages } = await session.getPrompt({ name, arguments: given });
      const [message] = messages;
      const { text } = (message as { content: { text: string } }).content;
      for (const argument of Object.values(given)) expect(text).toContain(argument);
      expect(text).toMatch(/only after the seller has said yes|Importing is free/);
    }
  });

  it('is complete without its optional arguments', async () => {
    const { messages } = (await ask('prompts/get', { name: 'explain_failure' })).result ?? {};
    const [{ content }] = messages as [{ content: { text: string } }];
    expect(content.text).toContain('Find out why my incomplete listing failed.');
    expect(content.text).not.toMatch(/undefined|null/);
  });

  it.each([{}, { job: 'Stoneware mug' }])(
    'leaves the choice among several failed listings to the seller (%j)',
    async (given) => {
      const params = { name: 'explain_failure', arguments: given };
      const { messages } = (await ask('prompts/get', params)).result ?? {};
      const [{ content }] = messages as [{ content: { text: string } }];
      expect(content.text).toMatch(/several.*ask the seller which one they mean before you go on/);
      expect(content.text).not.toContain('newest');
    },
  );

  it('says how an assistant without file access reads a folder', async () => {
    const given = { name: 'list_from_photos', arguments: { folder: 'Downloads/mug' } };
    const { messages } = (await ask('prompts/get', given)).result ?? {};
    const [{ content }] = messages as [{ content: { text: string } }];
    expect(content.text).toContain('call `file_upload` with the folder as its `path`');
  });

  it('says how to find the reason for a refusal that left nothing behind', async () => {
    const { messages } = (await ask('prompts/get', { name: 'explain_failure' })).result ?? {};
    const [{ content }] = messages as [{ content: { text: string } }];
    expect(content.text).toContain('`listing_publish` with `state` `active` and `dry_run` true');
  });

  it.each([
    [{ name: 'nothing' }, 'Unknown prompt: nothing'],
    [{ name: { toString: 1 } }, 'prompts/get needs params.name, a string.'],
    [{ name: 'list_from_photos' }, 'arguments.folder is required, a string.'],
    [{ name: 'list_from_photos', arguments: { folder: 7 } }, 'arguments.folder is required, a string.'],
    [{ name: 'list_from_photos', arguments: [] }, 'arguments.folder is required, a string.'],
  ])('is refused for %j', async (params, message) => {
    expect((await ask('prompts/get', params)).error).toMatchObject({ code: -32602, message });
  });
});

describe('a resource', () => {
  it("has the same content as its operation's output", async () => {
    expect(await readJson('listing-service://stores')).toEqual(await service.call('stores_list'));
    const details = await service.call('store_details_cached', { shop_id: CLAY.shop_id });
    expect(await readJson(`listing-service://stores/${CLAY.shop_id}`)).toEqual(details);
    expect(await readJson(`listing-service://categories/${MUGS}`)).toMatchObject({ category_id: MUGS });
    expect(await readJson('listing-service://listings')).toMatchObject({ total: 1 });
    expect(await readJson(`listing-service://listings/${listing_pk}`)).toMatchObject({ listing_pk, job_id });
    expect(await readJson(`listing-service://jobs/${job_id}`)).toMatchObject({ job_id, status: 'completed' });
  });

  it('can be read by an older client too, and counts as a call', async () => {
    const { contents, _meta } = await session.readResource({ uri: 'listing-service://stores' });
    expect(contents).toHaveLength(1);
    expect(_meta).toMatchObject({ 'X-RateLimit-Limit-Day': 10_000_000 });
  });

  it('of another account does not exist', async () => {
    const other = createStatelessClient(url, other_headers);
    for (const path of [`stores/${CLAY.shop_id}`, `listings/${listing_pk}`, `jobs/${job_id}`]) {
      const uri = `listing-service://${path}`;
      const { answer } = await other.send('resources/read', { uri });
      expect(answer.error).toMatchObject({ code: -32602, data: { uri } });
    }
    const { answer } = await other.send('resources/read', { uri: 'listing-service://stores' });
    expect(JSON.stringify(answer.result)).not.toContain(CLAY.shop_name);
  });

  it.each([
    'listing-service://nothing',
    'listing-service://listings/999',
    'listing-service://listings/abc',
    'listing-service://jobs/%zz',
    'listing-service://jobs/%00',
    'listing-service://stores/1/details',
    'file:///etc/passwd',
  ])('%s is refused in both eras', async (uri) => {
    const refusal = { code: -32602, data: { uri } };
    await expect(session.readResource({ uri })).rejects.toMatchObject(refusal);
    expect((await ask('resources/read', { uri })).error).toMatchObject(refusal);
  });
});

it('a refused resource address is not quoted if it is long', async () => {
  const { error } = await ask('resources/read', { uri: `listing-service://${'x'.repeat(9_000)}` });
  expect(error).toMatchObject({ code: -32602 });
  expect(JSON.stringify(error).length).toBeLessThan(1_000);
});

describe('a completion', () => {
  const prompt = { type: 'ref/prompt', name: 'list_from_photos' };
  const store = { type: 'ref/resource', uri: 'listing-service://stores/{shop_id}' };
  const category = { type: 'ref/resource', uri: 'listing-service://categories/{category_id}' };

  it('finds shops by name, page by page', async () => {
    expect(await complete(prompt, 'shops', 'cl')).toEqual({
      values: ['ClayAndOak'],
      total: 1,
      hasMore: false,
    });
    expect(await complete(prompt, 'shops', 'ClayAndOak, no')).toMatchObject({
      values: ['ClayAndOak, NordLinen'],
    });
    expect(await complete(prompt, 'shops', 'clayandoak,')).toMatchObject({
      values: ['clayandoak, NordLinen'],
    });
    expect(await complete(store, 'shop_id', 'clay')).toMatchObject({ values: [String(CLAY.shop_id)] });
    expect(await complete(store, 'shop_id', '482')).toMatchObject({ values: [String(CLAY.shop_id)] });
  });

  it('finds categories by path, once the category tree has been read', async () => {
    await service.call('categories_search', { keywords: 'mug' });
    const { values } = (await complete(prompt, 'category', 'mug')) as { values: string[] };
    expect(values[0]).toMatch(/ > .*Mugs$/);
    expect(await complete(category, 'category_id', 'mugs')).toMatchObject({
      values: expect.arrayContaining([String(MUGS)]),
    });
    const all = (await complete(prompt, 'category', '')) as {
      values: string[];
      total: number;
      hasMore: boolean;
    };
    expect(all.values.length).toBeLessThanOrEqual(100);
    expect(all.hasMore).toBe(all.total > all.values.length);
  });

  it("never offers another account's shops, and costs no call", async () => {
    const other = createStatelessClient(url, other_headers);
    const argument = { name: 'shops', value: '' };
    const { answer } = await other.send('completion/complete', { ref: prompt, argument });
    expect(answer.result).toMatchObject({ completion: { values: [], total: 0 } });
    expect(answer.result?.['_meta']).not.toHaveProperty('X-RateLimit-Limit-Day');
  });

  it('refuses overlong input without searching', async () => {
    const written = Array.from({ length: 50 }, (_, index) => `S${index}`).join(',');
    expect(await complete(prompt, 'shops', `${written},`)).toMatchObject({ total: 2 });
    for (const value of [`${written},S50,`, 'x'.repeat(2_001)]) {
      const { error } = await ask('completion/complete', { ref: prompt, argument: { name: 'shops', value } });
      expect(error).toMatchObject({
        code: -32602,
        message: expect.stringMatching(/more than (50 names|2000 characters)/),
      });
    }
  });

  it('has nothing for other arguments, and refuses unknown prompts and resources', async () => {
    expect(await complete(prompt, 'folder', '/')).toMatchObject({ values: [] });
    const { values } = (
      await session.complete({ ref: prompt as never, argument: { name: 'shops', value: 'n' } })
    ).completion;
    expect(values).toContain('NordLinen');
    for (const params of [
      { ref: { type: 'ref/prompt', name: 'nothing' }, argument: { name: 'a', value: '' } },
      { ref: prompt, argument: { name: 'shops' } },
      { ref: null, argument: null },
      { ref: prompt, argument: { name: 'shops', value: '' }, requestState: 5 },
    ]) {
      expect((await ask('completion/complete', params)).error).toMatchObject({ code: -32602 });
    }
  });
});

async function readJson(uri: string): Promise<Record<string, unknown>> {
  const { result, error } = await ask('resources/read', { uri });
  expect(error).toBeUndefined();
  const { contents } = result ?? {};
  const [content] = contents as [{ uri: string; mimeType: string; text: string }];
  expect(content).toMatchObject({ uri, mimeType: 'application/json' });
  const { notice, ...facts } = JSON.parse(content.text) as Record<string, unknown>;
  expect(notice).toBe(NOTICE);
  return facts;
}

async function complete(ref: object, name: string, value: string) {
  const { result } = await ask('completion/complete', { ref, argument: { name, value } });
  return (
    (result?.['completion'] as { values: string[]; total: number; hasMore: boolean } | undefined) ?? result
  );
}
