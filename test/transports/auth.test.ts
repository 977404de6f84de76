import { describe, expect, it } from 'vitest';
import { serveSample } from './sample.js';

async function ask(url: string, headers: Record<string, string>, path = '/api/v1/items/1') {
  const response = await fetch(url + path, { headers });
  const body = (await response.json()) as { error?: { code: string; message: string; hint: string } };
  return { status: response.status, headers: response.headers, error: body.error };
}

describe('credentials', () => {
  it('are asked for, with the body unread', async () => {
    const { url } = await serveSample();
    const { status, headers, error } = await ask(url, {});
    expect([status, error?.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(headers.get('www-authenticate')).toContain('Bearer');
    expect(headers.get('x-ratelimit-limit-second')).toBeNull();
    const post = await fetch(`${url}/api/v1/items/1/copies`, { method: 'POST', body: 'x' });
    expect(post.status).toBe(401);
  });

  it('are the key alone where both are sent', async () => {
    const { url, key } = await serveSample();
    expect((await ask(url, { 'x-service-api-key': key, authorization: 'Bearer x' })).status).toBe(200);
    expect((await ask(url, { 'x-service-api-key': 'x', authorization: `Bearer ${key}` })).status).toBe(401);
  });

  it('over REST are no bearer token; the hint names the header', async () => {
    const { url, key } = await serveSample();
    const { status, error } = await ask(url, { authorization: `Bearer ${key}` });
    expect(status).toBe(401);
    expect(error?.hint).toContain('X-Service-API-Key');
  });

  it('that are revoked count no longer', async () => {
    const { url, key, account_id, accounts } = await serveSample();
    const [kept] = await accounts.listKeys(account_id);
    await accounts.revokeKey(account_id, kept?.key_id ?? '');
    expect((await ask(url, { 'x-service-api-key': key })).status).toBe(401);
  });

  it('may be wrong 30 times a minute from one address, and a right one works all the while', async () => {
    const { url, key } = await serveSample();
    for (let i = 0; i < 30; i += 1) {
      expect((await ask(url, { 'x-service-api-key': `mls_${i}` })).status).toBe(401);
    }
    const { status, headers, error } = await ask(url, { 'x-service-api-key': 'mls_31' });
    expect([status, error?.code]).toEqual([429, 'RATE_LIMIT_SECOND']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(url, { 'x-service-api-key': key })).status).toBe(200);
  });

  it('that are missing may be missing any number of times', async () => {
    const { url, key } = await serveSample();
    for (let i = 0; i < 40; i += 1) await ask(url, {});
    expect((await ask(url, { 'x-service-api-key': key })).status).toBe(200);
  });
});
