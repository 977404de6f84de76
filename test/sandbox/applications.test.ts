import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_APP } from '../../src/sandbox/index.js';
import { openConsentPage, readAnswer } from '../consent.js';
import { ALL_SCOPES, CLAY, KEY, NORD, openRig, send } from './harness.js';
import type { Rig } from './harness.js';

const OWN = { keystring: 'own-key', shared_secret: 'own-secret' };
const OWN_KEY = `${OWN.keystring}:${OWN.shared_secret}`;
const REDIRECT = 'http://localhost:3000/callback';
const VERIFIER = 'v'.repeat(64);

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
  await rig.control('POST', '/applications', { ...OWN, user_id: NORD.user_id, rate_per_second: 2 });
});
afterAll(() => rig.sandbox.close());

const ask = (key: string, token?: string) =>
  rig.call('GET', token === undefined ? '/openapi-ping' : '/users/me', {
    headers: { 'x-api-key': key, authorization: token === undefined ? '' : `Bearer ${token}` },
  });

describe('a created application', () => {
  it('has its own key, limits and count', async () => {
    const { status, body, headers } = await ask(OWN_KEY);
    expect([status, headers.get('x-limit-per-second')]).toEqual([200, '2']);
    expect(body.application_id).not.toBe((await ask(KEY)).body.application_id);
    await ask(OWN_KEY);
    expect((await ask(OWN_KEY)).status).toBe(429);
    expect((await ask(KEY)).status).toBe(200);
    const { body: use } = await rig.control('GET', '/applications');
    expect(use[OWN.keystring]).toEqual({ calls: 2, refused: 1, most_in_a_second: 2 });
    expect((await ask(`${OWN.keystring}:${SANDBOX_APP.shared_secret}`)).status).toBe(403);
  });

  it('can ask consent only from its owner, and its code and tokens work with no other application', async () => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: OWN.keystring,
      redirect_uri: REDIRECT,
      scope: 'shops_r',
      state: 's',
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const page = await openConsentPage(`${rig.sandbox.url}/oauth/connect?${query.toString()}`);
    await expect(page.submit({ user_id: CLAY.user_id })).rejects.toThrow('Choose who you are.');
    const trade = async (client_id: string, code: string) => {
      const form = { grant_type: 'authorization_code', redirect_uri: REDIRECT, code_verifier: VERIFIER };
      const url = `${rig.sandbox.url}/v3/public/oauth/token`;
      return send(url, 'POST', { form: { ...form, client_id, code } });
    };
    const agree = async () => readAnswer(await page.submit({ user_id: NORD.user_id })).code ?? '';
    expect((await trade(SANDBOX_APP.keystring, await agree())).body.error).toBe('invalid_grant');
    const { access_token, refresh_token } = (await trade(OWN.keystring, await agree())).body;
    expect((await ask(KEY, access_token)).body.error_description).toBe('access token is unknown');
    const refresh = await send(`${rig.sandbox.url}/v3/public/oauth/token`, 'POST', {
      form: { grant_type: 'refresh_token', client_id: SANDBOX_APP.keystring, refresh_token },
    });
    expect(refresh.body.error).toBe('invalid_grant');
    await rig.control('POST', '/applications', { ...OWN, rate_per_second: 100 });
    expect((await ask(OWN_KEY, access_token)).body).toMatchObject({ shop_id: NORD.shop_id });
  });

  it('is refused once it is revoked, and the others are not', async () => {
    const { access_token } = rig.sandbox.issueGrant(NORD.user_id, ALL_SCOPES, OWN.keystring);
    expect((await ask(OWN_KEY, access_token)).status).toBe(200);
    await rig.control('POST', '/applications', { keystring: OWN.keystring, is_revoked: true });
    const { status, body } = await ask(OWN_KEY, access_token);
    expect([status, body.error]).toEqual([403, 'The x-api-key does not belong to an application.']);
    expect((await ask(KEY)).status).toBe(200);
  });
});
