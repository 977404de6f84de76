import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { buildRig, type Rig } from '../rig.js';
import { startScriptedServer, type ScriptedAnswer, type ScriptedServer } from '../scripted_server.js';

const VERIFIER = 'v'.repeat(64);
const REDIRECT = 'http://localhost:8787/oauth/callback';

let server: ScriptedServer | undefined;
let rig: Rig | undefined;
afterEach(async () => {
  await rig?.client.close();
  await server?.close();
});

async function trade(...script: ScriptedAnswer[]) {
  server = await startScriptedServer(script);
  rig = buildRig(server.url, { call_timeout_ms: 2_000 });
  return rig.client.exchangeCode({ code: 'the-code', code_verifier: VERIFIER, redirect_uri: REDIRECT });
}

const TOKENS: ScriptedAnswer = {
  status: 200,
  json: {
    access_token: '77.access',
    refresh_token: '77.refresh',
    token_type: 'Bearer',
    expires_in: 3600,
  },
};

describe('the consent page', () => {
  it('is requested with all its parameters, and with a hash in place of the verifier', async () => {
    rig = buildRig('https://unused.example', {
      getConsentUrl: () => Promise.resolve('https://www.etsy.com/oauth/connect'),
    });
    const request = { redirect_uri: REDIRECT, state: 'state-1', code_verifier: VERIFIER };
    const url = new URL(await rig.client.buildConsentUrl(request));
    expect(url.search).toContain('scope=listings_r%20listings_w%20');
    expect(`${url.origin}${url.pathname}`).toBe('https://www.etsy.com/oauth/connect');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'key',
      redirect_uri: REDIRECT,
      scope: 'listings_r listings_w shops_r transactions_r',
      state: 'state-1',
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
    });
  });
});

describe('an authorization code', () => {
  it('is exchanged for tokens and their shop', async () => {
    const grant = await trade(TOKENS, { status: 200, json: { user_id: 77, shop_id: 501 } });
    expect(grant).toEqual({
      user_id: 77,
      shop_id: 501,
      tokens: {
        access_token: '77.access',
        refresh_token: '77.refresh',
        access_expires_at: '2026-11-20T11:00:00.000Z',
        scopes: ['listings_r', 'listings_w', 'shops_r', 'transactions_r'],
      },
    });
    const [exchange, me] = server?.seen ?? [];
    expect(exchange).toMatchObject({ method: 'POST', path: '/v3/public/oauth/token' });
    expect(Object.fromEntries(new URLSearchParams(exchange?.body.toString()))).toEqual({
      grant_type: 'authorization_code',
      client_id: 'key',
      code: 'the-code',
      code_verifier: VERIFIER,
      redirect_uri: REDIRECT,
    });
    expect(me).toMatchObject({ method: 'GET', path: '/v3/application/users/me' });
    expect(me?.headers.authorization).toBe('Bearer 77.access');
  });

  it('that is used or wrong is reported as such', async () => {
    const answer = { error: 'invalid_grant', error_description: 'code is used' };
    await expect(trade({ status: 400, json: answer })).rejects.toMatchObject({
      failure: 'reconnect',
      message: 'invalid_grant: code is used',
    });
    expect(server?.seen).toHaveLength(1);
  });

  it('whose tokens are refused immediately is reported as such', async () => {
    const answer = { error: 'invalid_token', error_description: 'unknown' };
    await expect(trade(TOKENS, { status: 401, json: answer })).rejects.toMatchObject({
      failure: 'reconnect',
      message: 'invalid_token: unknown',
    });
  });

  it.each<[string, ScriptedAnswer]>([
    ['404', { status: 404, json: { error: 'Resource not found' } }],
    ['null', { status: 200, json: { user_id: 77, shop_id: null } }],
  ])('of a user without a shop yields no shop: %s', async (_name, me) => {
    expect(await trade(TOKENS, me)).toMatchObject({ user_id: 77, shop_id: null });
  });
});
