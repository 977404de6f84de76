import { describe, expect, it } from 'vitest';
import { createAddressLimit } from '../../src/core/identity/address_limit.js';
import type { ServiceError } from '../../src/core/errors.js';
import { Browser } from '../e2e/browser.js';
import { createTestClock } from '../store/ports.js';
import { openClient } from './log_in.js';
import { openSample, serveSample } from './sample.js';

async function ask(url: string, headers: Record<string, string>, path = '/api/v1/items/1') {
  const response = await fetch(url + path, { headers });
  const body = (await response.json()) as { error?: { code: string; message: string; hint: string } };
  return { status: response.status, headers: response.headers, error: body.error };
}

type Sample = Awaited<ReturnType<typeof serveSample>>;

describe('credentials', () => {
  it('are required before the body is read', async () => {
    const { url } = await serveSample();
    const { status, headers, error } = await ask(url, {});
    expect([status, error?.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(headers.get('www-authenticate')).toContain('Bearer');
    expect(headers.get('x-ratelimit-limit-second')).toBeNull();
    const post = await fetch(`${url}/api/v1/items/1/copies`, { method: 'POST', body: 'x' });
    expect(post.status).toBe(401);
  });

  it('use the key and ignore the token if both are sent', async () => {
    const { url, key } = await serveSample();
    expect((await ask(url, { 'x-service-api-key': key, authorization: 'Bearer x' })).status).toBe(200);
    expect((await ask(url, { 'x-service-api-key': 'x', authorization: `Bearer ${key}` })).status).toBe(401);
  });

  it('over REST do not include bearer tokens, and the hint names the header', async () => {
    const { url, key } = await serveSample();
    const { status, error } = await ask(url, { authorization: `Bearer ${key}` });
    expect(status).toBe(401);
    expect(error?.hint).toContain('X-Service-API-Key');
  });

  it('stop working when they are revoked', async () => {
    const { url, key, account_id, accounts } = await serveSample();
    const [kept] = await accounts.listKeys(account_id);
    await accounts.revokeKey(account_id, kept?.key_id ?? '');
    expect((await ask(url, { 'x-service-api-key': key })).status).toBe(401);
  });

  it('may be wrong 30 times a minute from one address, while a valid key keeps working', async () => {
    const { url, key } = await serveSample();
    for (let i = 0; i < 30; i += 1) {
      expect((await ask(url, { 'x-service-api-key': `mls_${i}` })).status).toBe(401);
    }
    const { status, headers, error } = await ask(url, { 'x-service-api-key': 'mls_31' });
    expect([status, error?.code]).toEqual([429, 'RATE_LIMIT_SECOND']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(url, { 'x-service-api-key': key })).status).toBe(200);
  });

  it.each([
    [
      'an expired key',
      async ({ accounts, account_id }: Sample) => {
        const { key } = await accounts.createKey(account_id, 'old', { life_ms: -1 });
        return { 'x-service-api-key': key };
      },
      'UNAUTHORIZED',
    ],
    ['a Basic authorization header', () => Promise.resolve({ authorization: 'Basic dTpw' }), 'UNAUTHORIZED'],
    [
      'a token where a key is expected',
      () => Promise.resolve({ authorization: 'Bearer token' }),
      'RATE_LIMIT_SECOND',
    ],
  ])('count toward the address limit only if they could be guesses: %s', async (_name, build, code) => {
    const sample = await serveSample();
    const headers = await build(sample);
    for (let i = 0; i < 30; i += 1) expect((await ask(sample.url, headers)).status).toBe(401);
    expect((await ask(sample.url, headers)).error?.code).toBe(code);
    expect((await ask(sample.url, sample.headers)).status).toBe(200);
  });

  it('may be missing any number of times', async () => {
    const { url, key } = await serveSample();
    for (let i = 0; i < 40; i += 1) await ask(url, {});
    expect((await ask(url, { 'x-service-api-key': key })).status).toBe(200);
  });
});

const PUT = { method: 'PUT', body: '{"mode":"ask"}' };
const ITEM = '/api/v1/items/1';
const ITEMS = '/api/v1/items';

describe('an access token', () => {
  it('is accepted on /mcp, and over REST only by operations that accept tokens', async () => {
    const sample = await serveSample();
    const { url } = sample;
    const { access_token } = await (await openClient(sample)).logIn();
    const bearer = { authorization: `Bearer ${access_token}` };
    const json = { 'content-type': 'application/json' };
    const put = async (headers: Record<string, string>) =>
      (await fetch(url + ITEMS, { ...PUT, headers: { ...json, ...headers } })).status;
    expect(await put(bearer)).toBe(200);
    expect(await put({ authorization: `bearer  ${access_token} ` })).toBe(200);
    expect(await put({ authorization: `Bearer ${access_token}x` })).toBe(401);
    expect(await put({ authorization: access_token })).toBe(401);
    // If both are sent, the key decides, here and everywhere.
    expect(await put({ ...bearer, 'x-service-api-key': 'x' })).toBe(401);
    expect(await put({ authorization: 'Bearer x', 'x-service-api-key': sample.key })).toBe(200);

    const refused = await ask(url, bearer, ITEM);
    expect([refused.status, refused.error?.hint]).toEqual([
      401,
      expect.stringContaining('X-Service-API-Key'),
    ]);
    const mcp = async (headers: Record<string, string>) =>
      (await fetch(`${url}/mcp`, { method: 'POST', headers })).status;
    expect([await mcp(bearer), await mcp({ authorization: `Bearer ${sample.key}` })]).toEqual([400, 400]);
    expect([await mcp({}), await mcp({ authorization: 'Bearer x' })]).toEqual([401, 401]);
  });

  it('acts for the account that consented', async () => {
    const sample = await serveSample({ per_second: 1 });
    const { access_token } = await (await openClient(sample)).logIn();
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${access_token}` };
    const first = await fetch(sample.url + ITEMS, { ...PUT, headers });
    expect(first.headers.get('x-ratelimit-remaining-second')).toBe('0');
    expect((await ask(sample.url, sample.headers)).status).toBe(429);
  });
});

/** Uses up the address's attempts, then returns the status that each of the other addresses gets. */
async function guess(
  trust_proxy: boolean | string[],
  forwarded: string,
  others: string[],
): Promise<Record<string, number>> {
  const { url } = await serveSample({}, { trust_proxy });
  const once = async (address: string) =>
    (await ask(url, { 'x-service-api-key': 'wrong', 'x-forwarded-for': address })).status;
  for (let i = 0; i < 30; i += 1) await once(forwarded);
  const statuses = await Promise.all(others.map(async (other) => [other, await once(other)]));
  return Object.fromEntries(statuses) as Record<string, number>;
}

describe('guessing', () => {
  it('is counted across all transports, and never locks out a valid credential', async () => {
    const sample = await serveSample({ clock: createTestClock() });
    const { url, key } = sample;
    const client = await openClient(sample);
    const { access_token, refresh_token } = await client.logIn();
    const signIn = async (text: string) => {
      const browser = new Browser();
      await browser.open(client.buildUrl());
      await browser.submit({ key: text });
      return browser.status;
    };
    const ways: (() => Promise<number>)[] = [
      async () => (await ask(url, { 'x-service-api-key': 'wrong' })).status,
      async () => (await ask(url, { 'x-service-api-key': 'wrong' }, '/mcp')).status,
      async () => (await ask(url, { authorization: 'Bearer wrong' }, '/mcp')).status,
      async () => (await ask(url, { authorization: `Bearer mls_wrong` }, '/mcp')).status,
      async () => (await fetch(url + ITEMS, { ...PUT, headers: { authorization: 'Bearer wrong' } })).status,
      () => signIn('wrong'),
      async () => (await client.exchange('wrong')).status,
      async () => (await client.refresh('wrong')).status,
      async () => (await client.refresh('wrong', { client_id: '' })).status,
    ];
    for (let i = 0; i < 30; i += 1) expect([400, 401]).toContain(await ways[i % ways.length]?.());
    for (const way of ways) expect(await way()).toBe(429);

    expect((await ask(url, { 'x-service-api-key': key })).status).toBe(200);
    expect((await ask(url, { authorization: `Bearer ${access_token}` }, '/mcp')).status).toBe(405);
    expect((await client.refresh(refresh_token)).status).toBe(200);
    expect(await signIn(key)).toBe(200);
  });

  it("is counted by the connection's address if no proxy is trusted, regardless of what the request claims", async () => {
    expect(await guess(false, '203.0.113.1', ['203.0.113.2', '2001:db8::1'])).toEqual({
      '203.0.113.2': 429,
      '2001:db8::1': 429,
    });
  });

  it('is counted against the address the trusted proxy appended, not one the client put in the header', async () => {
    const others = ['203.0.113.1', '198.51.100.9, 203.0.113.1', '203.0.113.1, 203.0.113.2', '203.0.113.2'];
    const expected = {
      '203.0.113.1': 429,
      '198.51.100.9, 203.0.113.1': 429,
      '203.0.113.1, 203.0.113.2': 401,
      '203.0.113.2': 401,
    };
    expect(await guess(true, '10.0.0.1, 203.0.113.1', others)).toEqual(expected);
    expect(await guess(['127.0.0.1'], '10.0.0.1, 203.0.113.1', others)).toEqual(expected);
  });

  it("is counted by the connection's address if the connection is not from a trusted proxy", async () => {
    expect(await guess(['10.0.0.0/8'], '203.0.113.1', ['203.0.113.2'])).toEqual({ '203.0.113.2': 429 });
  });

  it('is counted by the /64 of an IPv6 address, and an IPv4-mapped address counts as its IPv4 address', async () => {
    const others = ['2001:db8:1:2:ffff::9', '2001:db8:1:3::1', '203.0.113.1'];
    expect(await guess(true, '2001:db8:1:2::1', others)).toEqual({
      '2001:db8:1:2:ffff::9': 429,
      '2001:db8:1:3::1': 401,
      '203.0.113.1': 401,
    });
    expect(await guess(true, '::ffff:203.0.113.1', ['203.0.113.1', '::ffff:cb00:7102'])).toEqual({
      '203.0.113.1': 429,
      '::ffff:cb00:7102': 401,
    });
  });

  it('is counted across all instances, and forgotten after a minute', async () => {
    const clock = createTestClock();
    const first = await openSample({ clock });
    const second = await openSample({ clock, data_dir: first.data_dir });
    const limits = [first, second].map(({ service }) =>
      createAddressLimit(service.window_counts, { max: 10, window_ms: 60_000, of: 'logins' }),
    );
    const tryAt = (address: string) =>
      Promise.all(
        Array.from({ length: 10 }, () =>
          limits.map((limit) =>
            limit.count(address).then(
              () => 'counted',
              (cause: ServiceError) => cause.retry_after_seconds,
            ),
          ),
        ).flat(),
      );
    expect(refused(await tryAt('192.0.2.1'))).toEqual(Array.from({ length: 10 }, () => 60));
    clock.advance(59_000);
    expect(refused(await tryAt('192.0.2.1'))).toEqual(Array.from({ length: 20 }, () => 1));
    expect(refused(await tryAt('192.0.2.2'))).toHaveLength(10);
    clock.advance(1_000);
    expect(refused(await tryAt('192.0.2.1'))).toHaveLength(10);
  });
});

function refused(answered: readonly unknown[]): unknown[] {
  return answered.filter((each) => each !== 'counted');
}
