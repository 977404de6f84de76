import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_APP } from '../../src/sandbox/index.js';
import { NORD, openRig, send } from './harness.js';
import type { Rig } from './harness.js';

const VERIFIER = 'v'.repeat(64);
const CONSENT: Readonly<Record<string, string>> = {
  response_type: 'code',
  client_id: SANDBOX_APP.keystring,
  redirect_uri: 'http://localhost:3000/callback?from=sandbox',
  scope: 'listings_r shops_r',
  state: 'state-<1>',
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
};

const query = (values: Record<string, string>): string => new URLSearchParams(values).toString();

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.sandbox.close());

const decide = async (decision: string, changes: Record<string, string> = {}) => {
  const form = { ...CONSENT, user_id: String(NORD.user_id), decision, ...changes };
  const { status, headers } = await send(`${rig.sandbox.url}/oauth/connect`, 'POST', { form });
  expect(status).toBe(302);
  return new URL(headers.get('location') ?? '').searchParams;
};

const exchange = async (form: Record<string, string>) => {
  const url = `${rig.sandbox.url}/v3/public/oauth/token`;
  const { status, body } = await send(url, 'POST', { form: { client_id: SANDBOX_APP.keystring, ...form } });
  return { status, body };
};

const exchangeCode = (code: string, changes: Record<string, string> = {}) =>
  exchange({
    grant_type: 'authorization_code',
    redirect_uri: CONSENT.redirect_uri ?? '',
    code,
    code_verifier: VERIFIER,
    ...changes,
  });

describe('the consent page', () => {
  it('shows both shops and escapes the parameters', async () => {
    const url = `${rig.sandbox.url}/oauth/connect?${query(CONSENT)}`;
    const { status, body } = await send(url, 'GET');
    expect(status).toBe(200);
    expect(body).toContain('ClayAndOak');
    expect(body).toContain('NordLinen');
    expect(body).toContain('value="state-&lt;1&gt;"');
  });

  it('never redirects to an untrusted address', async () => {
    const faulty: Record<string, string>[] = [
      { redirect_uri: 'http://evil.example/' },
      { client_id: 'other' },
    ];
    for (const changes of faulty) {
      const url = `${rig.sandbox.url}/oauth/connect?${query({ ...CONSENT, ...changes })}`;
      const { status, headers } = await send(url, 'GET');
      expect(status).toBe(400);
      expect(headers.get('location')).toBeNull();
    }
  });

  it('sends other errors, and a refusal, back with the state', async () => {
    const url = `${rig.sandbox.url}/oauth/connect?${query({ ...CONSENT, code_challenge_method: 'plain' })}`;
    const { status, headers } = await send(url, 'GET');
    expect(status).toBe(302);
    const back = new URL(headers.get('location') ?? '').searchParams;
    expect(back.get('error')).toBe('invalid_request');
    expect(back.get('state')).toBe('state-<1>');
    const denied = await decide('deny');
    expect(denied.get('error')).toBe('access_denied');
    expect(denied.get('from')).toBe('sandbox');
  });
});

describe('the token endpoint', () => {
  it('returns tokens for a code, once', async () => {
    const back = await decide('allow');
    expect(back.get('state')).toBe('state-<1>');
    const code = back.get('code') ?? '';
    const { status, body } = await exchangeCode(code);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(new RegExp(`^${NORD.user_id}\\..{20,}$`)),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(new RegExp(`^${NORD.user_id}\\..{20,}$`)),
    });
    expect((await exchangeCode(code)).status).toBe(400);
    const me = await rig.call('GET', '/users/me', {
      headers: { authorization: `Bearer ${body.access_token}` },
    });
    expect(me.body).toEqual({ user_id: NORD.user_id, shop_id: NORD.shop_id });
  });

  it('requires the verifier and the same redirect_uri', async () => {
    const faulty: Record<string, string>[] = [
      { code_verifier: 'w'.repeat(64) },
      { code_verifier: 'short' },
      { redirect_uri: 'http://localhost:3000/callback' },
    ];
    for (const changes of faulty) {
      const code = (await decide('allow')).get('code') ?? '';
      const { status, body } = await exchangeCode(code, changes);
      expect(status).toBe(400);
      expect(body.error).toBe('invalid_grant');
    }
  });

  it('accepts JSON as well as a form, and reports malformed JSON', async () => {
    const { refresh_token } = rig.sandbox.issueGrant(NORD.user_id, ['listings_r']);
    const url = `${rig.sandbox.url}/v3/public/oauth/token`;
    const json = { grant_type: 'refresh_token', client_id: SANDBOX_APP.keystring, refresh_token };
    const { status, body } = await send(url, 'POST', { json });
    expect([status, body.token_type]).toEqual([200, 'Bearer']);
    const headers = { 'content-type': 'application/json' };
    const malformed = await fetch(url, { method: 'POST', headers, body: '{"client_id":' });
    expect([malformed.status, await malformed.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'The body is not valid JSON.' },
    ]);
  });

  it('rotates the refresh token and keeps the scopes', async () => {
    const { refresh_token } = rig.sandbox.issueGrant(NORD.user_id, ['listings_r']);
    const first = await exchange({ grant_type: 'refresh_token', refresh_token });
    expect(first.status).toBe(200);
    expect(first.body.refresh_token).not.toBe(refresh_token);
    expect(await exchange({ grant_type: 'refresh_token', refresh_token })).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'refresh_token is revoked' },
    });
    const again = await exchange({ grant_type: 'refresh_token', refresh_token: first.body.refresh_token });
    expect(again.status).toBe(200);
    const scopes = await rig.call('POST', '/scopes', { form: { token: again.body.access_token } });
    expect(scopes.body).toEqual({ scopes: ['listings_r'] });
  });

  it('lets only one of several refreshes with the same token succeed', async () => {
    const { refresh_token } = rig.sandbox.issueGrant(NORD.user_id, ['listings_r']);
    const racing = [1, 2, 3, 4].map(() => exchange({ grant_type: 'refresh_token', refresh_token }));
    const statuses = (await Promise.all(racing)).map((reply) => reply.status);
    expect(statuses.toSorted((left, right) => left - right)).toEqual([200, 400, 400, 400]);
  });

  it('refuses an unknown application and grant type', async () => {
    expect((await exchange({ grant_type: 'refresh_token', client_id: 'x' })).status).toBe(401);
    expect((await exchange({ grant_type: 'password' })).body.error).toBe('unsupported_grant_type');
  });
});
