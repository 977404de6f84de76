import { describe, expect, it } from 'vitest';
import { Browser } from '../e2e/browser.js';
import { createTestClock } from '../store/ports.js';
import { BASE_URL, openClient, post, REDIRECT, register, RESOURCE } from './log_in.js';
import { serveSample } from './sample.js';

async function getJson(url: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('discovery', () => {
  it('names who protects /mcp and how to log in', async () => {
    const { url } = await serveSample();
    const resource = {
      resource: RESOURCE,
      authorization_servers: [BASE_URL],
      scopes_supported: ['read', 'write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Marketplace Listing Service',
      resource_documentation: `${BASE_URL}/docs`,
    };
    for (const end of ['', '/mcp']) {
      const { status, body } = await getJson(`${url}/.well-known/oauth-protected-resource${end}`);
      expect([status, body]).toEqual([200, resource]);
    }
    const { body } = await getJson(`${url}/.well-known/oauth-authorization-server`);
    expect(body).toMatchObject({
      issuer: BASE_URL,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    for (const [name, value] of Object.entries(body).filter(([key]) => key.endsWith('_endpoint'))) {
      const { pathname, origin } = new URL(String(value));
      expect([name, origin]).toEqual([name, BASE_URL]);
      expect((await fetch(url + pathname, { method: 'POST' })).status).not.toBe(404);
    }
  });

  it('follows a base URL with a path', async () => {
    const { url } = await serveSample({ base_url: 'https://example.com/listings' });
    const resource = await getJson(`${url}/.well-known/oauth-protected-resource/listings/mcp`);
    expect(resource.body['resource']).toBe('https://example.com/listings/mcp');
    const server = await getJson(`${url}/.well-known/oauth-authorization-server/listings`);
    expect(server.body['issuer']).toBe('https://example.com/listings');
    const { headers } = await fetch(`${url}/mcp`, { method: 'POST' });
    expect(headers.get('www-authenticate')).toBe(
      'Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource/listings/mcp", scope="read write"',
    );
  });
});

describe('the authorization flow', () => {
  it('goes through sign-in and consent to tokens that open /mcp and REST operations that accept tokens', async () => {
    const sample = await serveSample();
    const { url, account_id, service } = sample;
    const client = await openClient(sample);
    const browser = await client.openConsent();
    expect(browser.page).toContain('Hand-written');
    expect(browser.page).toContain('app.example');
    expect(browser.page).toContain('>default<');
    await browser.submit({ decision: 'allow' });
    expect(browser.url.href.startsWith(`${REDIRECT}&`)).toBe(true);
    expect(Object.fromEntries(browser.url.searchParams)).toEqual({
      own: '1',
      code: expect.stringMatching(/^mlsc_/),
      state: client.right.state,
      iss: BASE_URL,
    });
    expect(browser.headers.get('referrer-policy')).toBe('no-referrer');

    const { status, headers, body } = await client.exchange(browser.url.searchParams.get('code') ?? '');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await service.grants.authenticate(String(body['access_token']))).toMatchObject({ account_id });
    const bearer = { authorization: `Bearer ${String(body['access_token'])}` };
    expect((await fetch(`${url}/mcp`, { method: 'POST', headers: bearer })).status).toBe(400);
    expect((await fetch(`${url}/api/v1/items/1`, { headers: bearer })).status).toBe(401);
    const put = { method: 'PUT', headers: { ...bearer, 'content-type': 'application/json' } };
    const allowed = await fetch(`${url}/api/v1/items`, { ...put, body: '{"mode":"ask"}' });
    expect(allowed.status).toBe(200);
  });

  it('does not ask a signed-in person for a key again, unless requested', async () => {
    const sample = await serveSample();
    const client = await openClient(sample);
    const browser = await client.openConsent();
    await browser.open(client.buildUrl());
    expect(browser.page).toContain('name="decision"');
    await browser.open(client.buildUrl({ prompt: 'login' }));
    expect(browser.page).toContain('name="key"');
    await browser.submit({ key: sample.key });
    expect(browser.page).toContain('name="decision"');
  });

  it('ends with access_denied if the person refuses', async () => {
    const client = await openClient(await serveSample());
    const browser = await client.openConsent();
    await browser.submit({ decision: 'deny' });
    expect(Object.fromEntries(browser.url.searchParams)).toMatchObject({
      error: 'access_denied',
      state: client.right.state,
      iss: BASE_URL,
    });
  });
});

describe('the consent page', () => {
  it("cannot be framed, runs no scripts, and leads to the client's redirect address", async () => {
    const client = await openClient(await serveSample());
    const browser = new Browser();
    await browser.open(client.buildUrl());
    const signIn = browser.headers.get('content-security-policy');
    expect(signIn).toContain("frame-ancestors 'none'");
    expect(signIn).toContain("form-action 'self'");
    const { headers } = await client.openConsent();
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('form-action');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('shows hostile names as text, without characters that reverse it', async () => {
    const sample = await serveSample();
    const client = await openClient(sample, '<script>alert(1)</script>"\'&amp;\u202Etxt\u2066');
    const browser = await client.openConsent();
    expect(browser.page).not.toContain('<script');
    expect(browser.page).toContain('&lt;script');
    expect(browser.page).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it('says that an expired key has expired, and asks for another on the same form', async () => {
    const sample = await serveSample();
    const { accounts, account_id } = sample;
    const { key } = await accounts.createKey(account_id, 'old', { life_ms: -60_000 });
    const client = await openClient({ url: sample.url, key });
    const browser = await client.openConsent();
    for (let time = 2; time <= 31; time += 1) await browser.submit({ key });
    expect(browser.status).toBe(401);
    expect(browser.page).toMatch(/This key has ended: it worked until <time/);
    expect(browser.page).toContain('Create another one on the page “API keys and assistants”');
    expect(browser.page).toContain('Sign in to let an assistant in');

    const revoked = await accounts.createKey(account_id, 'lost', { life_ms: -60_000 });
    await accounts.revokeKey(account_id, revoked.key_id);
    await browser.submit({ key: revoked.key });
    expect(browser.status).toBe(401);
    expect(browser.page).toContain('This key is unknown, mistyped, or revoked.');
    expect(browser.page).toContain('Create another one on the page “API keys and assistants”');
    await browser.submit({ key: sample.key });
    expect(browser.page).toContain('name="decision"');
  });

  it("accepts only its own form, and only with the session's token", async () => {
    const sample = await serveSample();
    const { service, account_id } = sample;
    const client = await openClient(sample);
    const browser = await client.openConsent();
    await browser.submit({ decision: 'allow', csrf_token: 'guessed' });
    expect([browser.status, browser.page]).toEqual([400, expect.stringContaining('Please answer')]);
    await browser.submit({ decision: 'allow' });
    expect(browser.url.searchParams.has('code')).toBe(true);

    const foreign = { origin: 'https://evil.example' };
    const { status } = await post(client.buildUrl(), { decision: 'allow', csrf_token: 'x' }, foreign);
    expect(status).toBe(404);
    // Without a session there is only the sign-in page.
    const alone = await post(client.buildUrl(), { decision: 'allow', csrf_token: 'x' });
    expect([alone.status, alone.headers.get('location')]).toEqual([200, null]);
    expect(await service.grants.list(account_id)).toEqual([]);
  });

  it('is not found under a foreign host name', async () => {
    const { port } = await serveSample();
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      const headers = { host: 'evil.example' };
      request({ port, path: '/oauth/authorize', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end();
    });
    expect(status).toBe(404);
  });
});

describe('an invalid request', () => {
  it.each([
    ['an unknown client', { client_id: 'client_unknown' }],
    ['no client', { client_id: undefined }],
    ['a client that is a number of http URLs', { client_id: 'http://app.example/client.json' }],
    ['no redirect_uri', { redirect_uri: undefined }],
    ['another redirect_uri', { redirect_uri: 'https://app.example/other' }],
    ['a longer redirect_uri', { redirect_uri: `${REDIRECT}&more=1` }],
    ['a redirect_uri in other letters', { redirect_uri: REDIRECT.replace('app', 'APP') }],
    ['a redirect_uri with a fragment', { redirect_uri: `${REDIRECT}#x` }],
    ['a redirect_uri with a user', { redirect_uri: REDIRECT.replace('//', '//app.example@evil.example/') }],
    ['a script as redirect_uri', { redirect_uri: 'javascript:alert(1)' }],
  ])('with %s is not redirected', async (_name, changes) => {
    const client = await openClient(await serveSample());
    const browser = new Browser();
    await browser.open(client.buildUrl(changes));
    expect([browser.status, browser.url.pathname]).toEqual([400, '/oauth/authorize']);
    expect(browser.page).toContain('cannot go on');
    expect(browser.page).not.toContain('Go back');
  });

  it.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { state: 'ü' }],
    ['invalid_target', { resource: 'https://evil.example/mcp' }],
    ['invalid_target', { resource: BASE_URL }],
    ['invalid_target', { resource: 'mcp' }],
  ])('(%s) offers a link back, and never redirects by itself', async (error, changes) => {
    const client = await openClient(await serveSample());
    const browser = new Browser();
    await browser.open(client.buildUrl(changes));
    expect(browser.status).toBe(400);
    const link = /<a href="([^"]*)" rel="noreferrer">/.exec(browser.page)?.[1]?.replaceAll('&amp;', '&');
    const url = new URL(link ?? '');
    expect(`${url.origin}${url.pathname}`).toBe('https://app.example/cb');
    expect(url.searchParams.get('error')).toBe(error);
    expect(url.searchParams.get('iss')).toBe(BASE_URL);
  });

  it('must not repeat a parameter, except resource', async () => {
    const client = await openClient(await serveSample());
    const browser = new Browser();
    await browser.open(client.buildUrl({}, '&redirect_uri=https://evil.example/'));
    expect([browser.status, browser.page]).toEqual([400, expect.stringContaining('more than once')]);
    await browser.open(client.buildUrl({}, `&resource=${encodeURIComponent(RESOURCE)}`));
    expect(browser.status).toBe(200);
    await browser.open(client.buildUrl({}, '&resource=https://evil.example/mcp'));
    expect(browser.status).toBe(400);
  });
});

describe('the token endpoint', () => {
  it('exchanges a code once, and revokes the grant on a second attempt', async () => {
    const sample = await serveSample();
    const client = await openClient(sample);
    const code = await client.getCode();
    const first = await client.exchange(code);
    const token = String(first.body['access_token']);
    const second = await client.exchange(code);
    expect([second.status, second.body['error']]).toEqual([400, 'invalid_grant']);
    expect(await sample.service.grants.authenticate(token)).toBeUndefined();
    expect(JSON.stringify(sample.log)).toContain('used twice');
    expect(JSON.stringify(sample.log)).not.toMatch(/mls[acr]_(?!\[secret)/);
  });

  it.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['the challenge as verifier', 'challenge', 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['another client', 'other', 'invalid_grant'],
    ['no client', { client_id: '' }, 'invalid_client'],
    ['another redirect_uri', { redirect_uri: 'https://app.example/cb' }, 'invalid_grant'],
    ['another resource', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ['another grant type', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    ['no grant type', { grant_type: '' }, 'invalid_request'],
  ])('refuses a code with %s, and still accepts the correct request', async (_name, change, error) => {
    const sample = await serveSample();
    const client = await openClient(sample);
    const code = await client.getCode();
    const other = await openClient(sample);
    const changes = {
      other: { client_id: other.client_id },
      challenge: { code_verifier: client.right.code_challenge },
    };
    const wrong = await client.exchange(
      code,
      typeof change === 'string' ? changes[change as keyof typeof changes] : change,
    );
    expect(wrong.body['error']).toBe(error);
    expect((await client.exchange(code)).status).toBe(200);
  });

  it('rotates refresh tokens, and revokes the grant if an old one is used', async () => {
    const sample = await serveSample();
    const client = await openClient(sample);
    const first = await client.logIn();
    const second = await client.refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body['refresh_token']).not.toBe(first.refresh_token);
    const reused = await client.refresh(first.refresh_token);
    expect([reused.status, reused.body['error']]).toEqual([400, 'invalid_grant']);
    expect((await client.refresh(second.body['refresh_token'])).body['error']).toBe('invalid_grant');
    expect(await sample.service.grants.authenticate(String(second.body['access_token']))).toBeUndefined();
  });

  it("answers errors in OAuth's terms and in ASCII, and never breaks", async () => {
    const { url } = await serveSample();
    const ways: [string, RequestInit][] = [
      ['/oauth/token', { method: 'POST' }],
      [
        '/oauth/token',
        { method: 'POST', body: '{"grant_type":"x"}', headers: { 'content-type': 'application/json' } },
      ],
      [
        '/oauth/token',
        {
          method: 'POST',
          body: new URLSearchParams([
            ['a', '1'],
            ['a', '2'],
          ]),
        },
      ],
      ['/oauth/token', { method: 'POST', body: new URLSearchParams({ grant_type: 'x'.repeat(100_000) }) }],
      ['/oauth/token', { method: 'POST', body: new URLSearchParams({ grant_type: '\u0000ü"\\' }) }],
      ['/oauth/revoke', { method: 'POST', body: new URLSearchParams() }],
      ['/oauth/register', { method: 'POST', body: '[', headers: { 'content-type': 'application/json' } }],
      ['/oauth/register', { method: 'POST', body: '[]', headers: { 'content-type': 'text/plain' } }],
    ];
    for (const [path, init] of ways) {
      const response = await fetch(url + path, init);
      const body = (await response.json()) as { error: string; error_description: string };
      expect([path, [400, 401].includes(response.status)]).toEqual([path, true]);
      expect(body.error).toMatch(/^invalid_/);
      expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    }
  });

  it('revokes tokens on request', async () => {
    const sample = await serveSample();
    const client = await openClient(sample);
    const { access_token } = await client.logIn();
    const revoke = (token: string) =>
      post(`${sample.url}/oauth/revoke`, { token, client_id: client.client_id });
    expect((await revoke('unknown')).status).toBe(200);
    expect((await revoke(access_token)).status).toBe(200);
    expect(await sample.service.grants.authenticate(access_token)).toBeUndefined();
  });
});

describe('a grant', () => {
  it('ends with the key that it was given with: tokens, code and list entry; grants of other keys stay', async () => {
    const sample = await serveSample();
    const { accounts, service } = sample;
    const { grants } = service;
    const client = await openClient(sample);
    const shown = await accounts.findKey(sample.key);
    if (!shown) throw new Error('The sample has no key.');
    const { account_id, key_id } = shown;
    const other = await accounts.createKey(account_id, 'other');
    const by_other = await (await openClient({ url: sample.url, key: other.key })).logIn();
    const tokens = await client.logIn();
    const code = await client.getCode();
    expect(await grants.list(account_id)).toHaveLength(2);
    await accounts.revokeKey(account_id, key_id);
    expect(await grants.authenticate(tokens.access_token)).toBeUndefined();
    expect((await client.refresh(tokens.refresh_token)).body['error']).toBe('invalid_grant');
    expect((await client.exchange(code)).body['error']).toBe('invalid_grant');
    expect(await grants.authenticate(by_other.access_token)).toMatchObject({ account_id });
    expect(await grants.list(account_id)).toHaveLength(1);
  });
});

describe('scopes', () => {
  it.each([
    [{ scope: 'read' }, 'read', 'It may only look:'],
    [{ scope: 'read write' }, 'read write', 'It may do whatever a key may:'],
    [{}, 'read write', 'It may do whatever a key may:'],
    // From an earlier registration, or from a client that asks every server for the same scopes.
    [{ scope: 'mcp openid' }, 'read write', 'It may do whatever a key may:'],
  ])(
    '%j is shown to the person, stored with the grant and returned with each token',
    async (asked, scope, words) => {
      const sample = await serveSample();
      const client = await openClient(sample);
      const browser = new Browser();
      await browser.open(client.buildUrl(asked));
      await browser.submit({ key: sample.key });
      expect(browser.page).toContain(words);
      expect(browser.page.includes('create, publish and delete')).toBe(scope === 'read write');
      await browser.submit({ decision: 'allow' });
      const { body } = await client.exchange(browser.url.searchParams.get('code') ?? '');
      expect(body['scope']).toBe(scope);
      const { body: later } = await client.refresh(body['refresh_token']);
      expect(later['scope']).toBe(scope);
      const found = await sample.service.grants.authenticate(String(later['access_token']));
      expect(found).toMatchObject({ scope });
      expect(await sample.service.grants.list(sample.account_id)).toMatchObject([{ scope }]);
    },
  );

  it('never exceed those of the key that the person signed in with', async () => {
    const sample = await serveSample();
    const { key } = await sample.accounts.createKey(sample.account_id, 'reader', { is_read_only: true });
    const client = await openClient({ url: sample.url, key });
    const browser = await client.openConsent();
    expect(browser.page).toContain('It may only look:');
    await browser.submit({ decision: 'allow' });
    const { body } = await client.exchange(browser.url.searchParams.get('code') ?? '');
    expect(body['scope']).toBe('read');
  });
});

describe('client registration', () => {
  it('returns the registration of a public client', async () => {
    const { url } = await serveSample();
    const { status, body } = await register(url, {
      client_name: 'An app',
      redirect_uris: ['cursor://x/cb', 'http://127.0.0.1/cb'],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      software_statement: 'x',
    });
    expect([status, body]).toEqual([
      201,
      {
        client_id: expect.stringMatching(/^client_/),
        client_id_issued_at: expect.any(Number),
        client_name: 'An app',
        redirect_uris: ['cursor://x/cb', 'http://127.0.0.1/cb'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        scope: 'read write',
      },
    ]);
  });

  it('is possible 30 times an hour from one address', async () => {
    const clock = createTestClock();
    const { url } = await serveSample({ clock });
    const again = () => register(url, { redirect_uris: [REDIRECT] });
    for (let i = 0; i < 30; i += 1) expect((await again()).status).toBe(201);
    const { status, headers, body } = await again();
    expect([status, body['error'], headers.get('retry-after')]).toEqual([
      429,
      'temporarily_unavailable',
      '3600',
    ]);
    clock.advance(60 * 60 * 1000);
    expect((await again()).status).toBe(201);
  });
});
