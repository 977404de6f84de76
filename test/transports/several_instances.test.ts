import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openConsentPage } from '../consent.js';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { Browser } from '../e2e/browser.js';
import { startRoundRobin, type RoundRobin } from '../round_robin.js';
import { NORD } from '../sandbox/harness.js';
import { buildMug, fixturePath, TARGETS } from '../service.js';
import { openClient } from './log_in.js';
import { connect } from './mcp/official_clients.js';
import { serveSample } from './sample.js';

/* Two instances on one folder behind a proxy that alternates between them. */

async function serveTwo() {
  const first = await serveSample();
  const second = await serveSample({ data_dir: first.data_dir });
  const proxy = await startRoundRobin([first.port, second.port]);
  onTestFinished(() => proxy.close());
  return { first, second, proxy, url: proxy.url, headers: first.headers };
}

describe.each(['v1', 'v2 legacy', 'v2 modern'] as const)('the official client %s', (generation) => {
  it('is answered by any instance, and continues after each is replaced', async () => {
    const { first, second, proxy, url, headers } = await serveTwo();
    const client = await connect(generation, { url, headers });
    const get = () => client.callTool({ name: 'item_get', arguments: { item_id: 1 } });
    for (let index = 0; index < 4; index += 1) await get();
    expect(proxy.counts.get(first.port)).toBeGreaterThan(1);
    expect(proxy.counts.get(second.port)).toBeGreaterThan(1);

    // A rolling restart: both are replaced, one after the other.
    const third = await serveSample({ data_dir: first.data_dir });
    proxy.use([second.port, third.port]);
    await first.face.close(0);
    expect((await get())['structuredContent']).toMatchObject({ item_id: 1 });
    proxy.use([third.port]);
    await second.face.close(0);
    expect((await get())['structuredContent']).toMatchObject({ item_id: 1 });
  });
});

it('a question of one instance can be answered at another', async () => {
  const { url, headers } = await serveTwo();
  const asked: string[] = [];
  const client = await connect(
    'v2 modern',
    { url, headers },
    {
      capabilities: { elicitation: {} },
      answer({ message }) {
        asked.push(message);
        return { action: 'accept', content: { confirm: true } };
      },
    },
  );
  const ask = () => client.callTool({ name: 'item_update', arguments: { mode: 'ask' } });
  const answers = (await Promise.all([1, 2, 3].map(ask))).map((result) => result['structuredContent']);
  expect(answers).toEqual([1, 2, 3].map(() => ({ answer: 'accepted' })));
  // One at a time: the second call of each goes to the instance that did not ask.
  expect((await ask())['structuredContent']).toEqual({ answer: 'accepted' });
  expect(asked).toHaveLength(4);
});

describe('at one instance and then at another,', () => {
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

  /** Sends all requests to these instances from now on. */
  const use = (...instances: TestDashboard[]) =>
    proxy.use(instances.map(({ url }) => Number(new URL(url).port)));

  /** A browser at the second instance, signed in with a link of the first. */
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

  it('the one-time sign-in link works, and opens one session for all of them', async () => {
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

  it('a new key that one makes is shown by the other, once', async () => {
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

  it('a seller connects a shop at the marketplace and comes back', async () => {
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
    // When the page is loaded again, it shows the result; the marketplace's code is used up.
    use(first);
    await browser.open(pathname + search);
    expect(browser.page).toContain('was already used');
  });

  it('a one-time upload address takes one file', async () => {
    const { key } = await first.service.app.core.accounts.createKey(first.account_id, 'test');
    use(first);
    const client = await connect('v1', { url: proxy.url, headers: { 'x-service-api-key': key } });
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

  it('an assistant registers, is allowed and gets its tokens, each at another instance', async () => {
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
    // A code that is used again, at either instance, revokes the grant.
    expect((await client.exchange(code)).status).toBe(400);
    two.proxy.use([two.second.port]);
    expect((await client.refresh(renewed.body['refresh_token'])).status).toBe(400);
  });
});
