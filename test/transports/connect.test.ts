import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BROWSER_COOKIE, createConnecting } from '../../src/core/shops/connecting.js';
import { follow, openConsentPage } from '../consent.js';
import { openShopWorld } from '../core/shop_world.js';
import { CLAY } from '../sandbox/harness.js';
import { serveSample } from './sample.js';

/** A server with a marketplace behind it, and a consent that a seller has just given in a browser. */
async function serveConsent() {
  const world = await openShopWorld();
  const base_url = 'https://shop.example';
  const connecting = createConnecting(world.ports, world.shops, { base_url });
  const { url } = await serveSample({ connecting });
  const { consent_url } = await connecting.begin(world.account_id, {
    browser_key: 'secret',
    return_path: '/dashboard/shops',
  });
  const callback = await (await openConsentPage(consent_url)).submit({ user_id: CLAY.user_id });
  return { world, callback: callback.replace(base_url, url) };
}

describe('the page that sellers return to', () => {
  it("recognizes the browser, shows the shop's name as text, and links back", async () => {
    const { world, callback } = await serveConsent();
    const body = {
      shop_id: CLAY.shop_id,
      user_id: CLAY.user_id,
      shop_name: '<b>Clay</b> & Oak',
      currency_code: 'USD',
      url: 'https://shop.example',
    };
    await world.control('/faults', {
      rules: [{ operation: 'getShop', times: 2, action: { type: 'status', status: 200, body } }],
    });
    expect((await follow(callback)).status).toBe(400);
    const response = await follow(callback, 'secret');
    const page = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(page).toContain('&lt;b>Clay&lt;/b> &amp; Oak');
    expect(page).toContain('href="/dashboard/shops"');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    // The browser keeps its cookie, so reloading the page shows the result.
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await (await follow(callback, 'secret')).text()).toContain('is connected.');
  });

  it('does nothing for HEAD and POST', async () => {
    const { callback } = await serveConsent();
    for (const method of ['HEAD', 'POST']) {
      const headers = { cookie: `${BROWSER_COOKIE}=secret` };
      expect((await fetch(callback, { method, headers })).status).toBe(404);
    }
    expect((await follow(callback, 'secret')).status).toBe(200);
  });

  it('says what is wrong with a response that matches no request', async () => {
    const { url } = await serveSample();
    const response = await fetch(`${url}/connect/callback?code=c&state=unknown`);
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain('This response from Etsy does not match any request to connect a shop here.');
    expect(page).toContain('Start again: run listing-service connect');
    expect(page).toContain('You can close this window.');
  });
});

describe('the address of a page that the browser could not open', () => {
  it('connects the shop when pasted into the browser that started', async () => {
    const { callback } = await serveConsent();
    const { origin, search } = new URL(callback);
    const unreachable = `http://localhost:3000/connect/callback${search}`;
    const paste = `${origin}/connect/paste?${new URLSearchParams({ address: ` ${unreachable} ` }).toString()}`;
    const headers = { cookie: `${BROWSER_COOKIE}=secret` };
    expect((await fetch(paste)).status).toBe(400);
    const answered = await fetch(paste, { redirect: 'manual', headers });
    expect(answered.status).toBe(303);
    const target = new URL(answered.headers.get('location') ?? '', origin);
    expect([target.origin, target.pathname]).toEqual([origin, '/connect/callback']);
    expect(await (await fetch(target, { headers })).text()).toContain('is connected.');
  });

  it.each([
    '',
    'https://www.etsy.com/oauth/connect?state=a',
    'what?code=a&state=b',
    'https://x.example/?code=a',
  ])('is refused, with what to copy, if another address is pasted: %j', async (address) => {
    const { url } = await serveSample();
    const answered = await fetch(`${url}/connect/paste?${new URLSearchParams({ address }).toString()}`);
    const page = await answered.text();
    expect(answered.status).toBe(400);
    expect(page).toContain('This is not the address that Etsy sent you to.');
    expect(page).toContain('Copy all of the address bar');
  });
});

describe('the question whether this server requested a consent', () => {
  it('is answered by the hash of its state', async () => {
    const { url, store, account_id } = await serveSample();
    const state_sha256 = createHash('sha256').update('state').digest('hex');
    const ask = async () => (await fetch(`${url}/connect/known/${state_sha256}`)).json();
    expect(await ask()).toEqual({ is_known: false });
    await store.connect_requests.createConnectRequest({
      account_id,
      state_sha256,
      code_verifier: 'v',
      redirect_uri: 'http://shop.example/connect/callback',
      keystring: null,
      brought: null,
      shop_id: null,
      browser_sha256: null,
      return_path: null,
      life_ms: 60_000,
    });
    expect(await ask()).toEqual({ is_known: true });
  });
});
