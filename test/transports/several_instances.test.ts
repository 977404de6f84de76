import { readFile } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openConsentPage } from '../consent.js';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { Browser } from '../e2e/browser.js';
import { startRoundRobin, type RoundRobin } from '../round_robin.js';
import { NORD } from '../sandbox/harness.js';
import { buildMug, fixturePath, TARGETS } from '../service.js';
import { openClient } from './log_in.js';
import { aborted, abortWhenWaiting, serveSample } from './sample.js';

/*
 * Two instances on one folder behind a proxy that sends each request to the next of them.
 */

async function serveTwo() {
  const first = await serveSample();
  const second = await serveSample({ data_dir: first.data_dir });
  const proxy = await startRoundRobin([first.port, second.port]);
  onTestFinished(() => proxy.close());
  return { first, second, proxy, url: proxy.url, headers: first.headers };
}

async function connectClient(url: string, headers: Record<string, string>) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport };
}

const get = (client: Client) => client.callTool({ name: 'item_get', arguments: { item_id: 1 } });

describe('a session', () => {
  it('is one over all instances, and outlives each of them', async () => {
    const { first, second, proxy, url, headers } = await serveTwo();
    const { client, transport } = await connectClient(url, headers);
    for (let index = 0; index < 4; index += 1) await get(client);
    expect(proxy.counts.get(first.port)).toBeGreaterThan(1);
    expect(proxy.counts.get(second.port)).toBeGreaterThan(1);

    // A rolling restart: both are replaced, one after the other.
    const third = await serveSample({ data_dir: first.data_dir });
    proxy.use([second.port, third.port]);
    await first.face.close(0);
    expect((await get(client))['structuredContent']).toMatchObject({ item_id: 1 });
    proxy.use([third.port]);
    await second.face.close(0);
    expect((await get(client))['structuredContent']).toMatchObject({ item_id: 1 });

    const session_id = transport.sessionId ?? '';
    await transport.terminateSession();
    const again = await fetch(`${third.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'mcp-session-id': session_id },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
    expect(again.status).toBe(404);
  });

  it('takes a batch at any instance where its revision has them, and at none where not', async () => {
    const { first, second, headers } = await serveTwo();
    const open = async (protocolVersion: string) => {
      const response = await post(first.url, headers, {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion, capabilities: {}, clientInfo: { name: 't', version: '1' } },
      });
      const session = { ...headers, 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
      return (await post(second.url, session, [{ jsonrpc: '2.0', id: 2, method: 'ping' }])).status;
    };
    expect([await open('2025-03-26'), await open('2025-11-25')]).toEqual([200, 400]);
  });

  it('asks its person from one instance and hears the answer at another', async () => {
    const { url, headers } = await serveTwo();
    const { client } = await connectClient(url, headers);
    const asked: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { confirm: true } };
    });
    const calls = [1, 2, 3].map(() => client.callTool({ name: 'item_update', arguments: { mode: 'ask' } }));
    const answers = (await Promise.all(calls)).map((result) => result['structuredContent']);
    expect(answers).toEqual(calls.map(() => ({ answer: 'accepted' })));
    // One at a time: the answer of each goes to the instance that did not ask.
    const alone = await client.callTool({ name: 'item_update', arguments: { mode: 'ask' } });
    expect(alone['structuredContent']).toEqual({ answer: 'accepted' });
    expect(asked).toHaveLength(4);
  });

  it('cancels at one instance what waits at another', async () => {
    const { url, headers } = await serveTwo();
    const { client } = await connectClient(url, headers);
    const before = aborted.length;
    const controller = new AbortController();
    const waiting = client.callTool({ name: 'item_update', arguments: { mode: 'wait' } }, undefined, {
      signal: controller.signal,
    });
    void abortWhenWaiting(controller, 'enough');
    await expect(waiting).rejects.toThrow('enough');
    await expect.poll(() => aborted.length, { timeout: 5_000 }).toBe(before + 1);
  });

  it('that ends at one instance ends its waiting calls at another', async () => {
    const { first, second, headers } = await serveTwo();
    const opened = await post(first.url, headers, {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      },
    });
    const session = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const before = aborted.length;
    const params = { name: 'item_update', arguments: { mode: 'wait' } };
    const called = new AbortController();
    const waiting = post(first.url, session, { jsonrpc: '2.0', id: 2, method: 'tools/call', params });
    await abortWhenWaiting(called);
    expect((await fetch(`${second.url}/mcp`, { method: 'DELETE', headers: session })).status).toBe(200);
    await waiting;
    expect(aborted).toHaveLength(before + 1);
  });
});

describe('what is begun at one instance and ended at another', () => {
  let first: TestDashboard;
  let second: TestDashboard;
  let proxy: RoundRobin;
  beforeAll(async () => {
    first = await startDashboard();
    second = await startDashboard({}, { data_dir: first.service.data_dir });
    proxy = await startRoundRobin([]);
  });
  afterAll(async () => {
    await proxy.close();
    await second.close({ keep: true });
    await first.close();
  });

  /** From now on all requests go to these. */
  const use = (...instances: TestDashboard[]) =>
    proxy.use(instances.map(({ url }) => Number(new URL(url).port)));

  /** A browser that came in with a link of the first instance, at the second one. */
  async function signIn() {
    const { token } = await first.service.app.core.sessions.createLink(first.account_id);
    const link = `${proxy.url}/dashboard/sign-in?link=${token}`;
    const browser = new Browser();
    use(first);
    await browser.open(link);
    use(second);
    await browser.submit({});
    return { browser, link };
  }

  it('is the one-time link to sign in, which opens one session for all of them', async () => {
    const { browser, link } = await signIn();
    expect([browser.status, browser.url.pathname]).toEqual([200, '/dashboard']);
    for (const instance of [first, second]) {
      use(instance);
      await browser.open('/dashboard/shops');
      expect([browser.status, browser.url.pathname]).toEqual([200, '/dashboard/shops']);
      const other = new Browser();
      await other.open(link);
      expect(other.page).toContain('has been used, or its 15 minutes are over');
    }
  });

  it('is a new key, which one makes and the other shows, once', async () => {
    const { browser } = await signIn();
    use(first);
    await browser.open('/dashboard/access');
    use(first, second);
    await browser.send('/dashboard/access/keys', { csrf_token: browser.csrf_token, name: 'between' });
    expect([browser.status, browser.url.pathname]).toEqual([200, '/dashboard/access/keys']);
    expect(browser.page).toMatch(/<code>mls_\w{49}<\/code>/);
    await browser.open('/dashboard/access/keys');
    expect(browser.url.pathname).toBe('/dashboard/access');
    const keys = await second.service.app.core.accounts.listKeys(first.account_id);
    expect(keys.filter(({ name }) => name === 'between')).toHaveLength(1);
  });

  it('is the way of a seller to the marketplace and back', async () => {
    const { app } = first.service;
    const shop = { account_id: first.account_id, shop_id: NORD.shop_id };
    await app.core.connecting.disconnect(shop);
    const { browser } = await signIn();
    use(first);
    await browser.open('/dashboard/shops');
    await browser.send('/dashboard/shops/connect', { csrf_token: browser.csrf_token });
    const consent_url = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(browser.page)?.[1] ?? '';
    const consent = await openConsentPage(consent_url.replaceAll('&amp;', '&'));
    const { pathname, search } = new URL(await consent.submit({ user_id: NORD.user_id }));
    use(second);
    await browser.open(pathname + search);
    expect([browser.status, browser.page]).toEqual([200, expect.stringContaining('is connected.')]);
    expect(await app.store.shops.findShop(shop)).toBeDefined();
    // Loaded again, it is told what became of it; what the marketplace gave for it is used up.
    use(first);
    await browser.open(pathname + search);
    expect(browser.page).toContain('has been used already');
  });

  it('is an address to upload to, which takes one file', async () => {
    const { key } = await first.service.app.core.accounts.createKey(first.account_id, 'test');
    use(first);
    const { client } = await connectClient(proxy.url, { 'x-service-api-key': key });
    const asked = await client.callTool({ name: 'file_upload', arguments: {} });
    const { upload_url } = asked['structuredContent'] as { upload_url: string };
    const address = `${proxy.url}${new URL(upload_url).pathname}?filename=mug-front.jpg`;
    const body = await readFile(fixturePath('mug-front.jpg'));
    use(second);
    const taken = await fetch(address, { method: 'POST', body });
    expect(taken.status).toBe(200);
    for (const instance of [first, second]) {
      use(instance);
      expect((await fetch(address, { method: 'POST', body })).status).toBe(404);
    }
    const { url } = (await taken.json()) as { url: string };
    const mug = buildMug([TARGETS.clay], { state: 'publish', images: [{ url }] });
    const { results } = await first.service.call<{ results: { status: string }[] }>('listing_create', mug);
    expect(results.map(({ status }) => status)).toEqual(['ok']);
  });

  it('is the log-in of an assistant: registered, allowed, and given its tokens, each elsewhere', async () => {
    const two = await serveTwo();
    const client = await openClient({ url: two.url, key: two.first.key });
    two.proxy.use([two.first.port]);
    const code = await client.getCode();
    two.proxy.use([two.second.port]);
    const given = await client.exchange(code);
    expect(given).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
    const access = { authorization: `Bearer ${String(given.body['access_token'])}` };
    two.proxy.use([two.first.port]);
    const body = JSON.stringify({ mode: 'progress' });
    const put = { method: 'PUT', headers: { ...access, 'content-type': 'application/json' }, body };
    expect((await fetch(`${two.url}/api/v1/items`, put)).status).toBe(200);
    const renewed = await client.refresh(given.body['refresh_token']);
    expect(renewed.status).toBe(200);
    // A code that comes a second time, at whichever, ends what it gave.
    expect((await client.exchange(code)).status).toBe(400);
    two.proxy.use([two.second.port]);
    expect((await client.refresh(renewed.body['refresh_token'])).status).toBe(400);
  });
});

function post(url: string, headers: Record<string, string>, body: unknown): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  });
}
