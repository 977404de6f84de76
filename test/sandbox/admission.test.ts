import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_SCOPES, CLAY, NORD, openRig, send } from './harness.js';
import type { Rig } from './harness.js';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.sandbox.close());

const errorOf = async (path: string, headers: Record<string, string>) => {
  const { status, body } = await rig.call('GET', path, { headers });
  return { status, body };
};

describe('the check of a caller', () => {
  it("refuses a key without its secret, and no key, with the marketplace's messages", async () => {
    const refused = { status: 403, body: { error: 'Shared secret is required in x-api-key header.' } };
    expect(await errorOf('/openapi-ping', { 'x-api-key': 'keystring' })).toEqual(refused);
    expect(await errorOf('/openapi-ping', { 'x-api-key': '' })).toEqual(refused);
  });

  it('refuses a key that belongs to no application', async () => {
    expect((await errorOf('/openapi-ping', { 'x-api-key': 'a:b' })).status).toBe(403);
  });

  it('accepts just the key if no user is needed', async () => {
    expect(await errorOf('/openapi-ping', { authorization: '' })).toEqual({
      status: 200,
      body: { application_id: 1_093_377_218 },
    });
  });

  it('distinguishes a missing user, an unknown token and a missing scope', async () => {
    expect(await errorOf('/users/me', { authorization: '' })).toEqual({
      status: 403,
      body: { error: 'No user was provided as part of the bearer token.' },
    });
    expect(await errorOf('/users/me', { authorization: 'Bearer 1.x' })).toEqual({
      status: 401,
      body: { error: 'invalid_token', error_description: 'access token is unknown' },
    });
    const narrow = rig.sandbox.issueGrant(CLAY.user_id, ['listings_r']).access_token;
    expect(await errorOf('/users/me', { authorization: `Bearer ${narrow}` })).toEqual({
      status: 403,
      body: { error: 'insufficient_scope', error_description: 'Insufficient scope' },
    });
  });

  it('refuses expired and revoked tokens', async () => {
    const grant = rig.sandbox.issueGrant(NORD.user_id, ALL_SCOPES);
    const headers = { authorization: `Bearer ${grant.access_token}` };
    expect((await errorOf('/users/me', headers)).body).toEqual({
      user_id: NORD.user_id,
      shop_id: NORD.shop_id,
    });
    await rig.control('POST', '/tokens/expire', { user_id: NORD.user_id });
    expect(await errorOf('/users/me', headers)).toEqual({
      status: 401,
      body: { error: 'invalid_token', error_description: 'access token is expired' },
    });
    const second = rig.sandbox.issueGrant(NORD.user_id, ALL_SCOPES).access_token;
    await rig.control('POST', '/tokens/revoke', { user_id: NORD.user_id });
    expect((await errorOf('/users/me', { authorization: `Bearer ${second}` })).status).toBe(401);
  });

  it('refuses the shop and the listing of another seller', async () => {
    expect((await errorOf(`/shops/${NORD.shop_id}/shipping-profiles`, {})).status).toBe(403);
    const other = rig.sandbox.issueGrant(NORD.user_id, ALL_SCOPES).access_token;
    const listing_id = await rig.createMug();
    const refused = await rig.call('PUT', `/listings/${listing_id}/inventory`, {
      headers: { authorization: `Bearer ${other}` },
      json: { products: [] },
    });
    expect(refused.status).toBe(403);
  });

  it.each([
    ['GET', '/no/such/thing'],
    ['GET', '/shops?shop_name=clay'],
    ['PUT', `/shops/${CLAY.shop_id}`],
    ['POST', `/shops/${CLAY.shop_id}/sections`],
    ['GET', `/shops/${CLAY.shop_id}/listings/active`],
    ['GET', '/listings/batch/shipping?listing_ids=1'],
  ])('answers %s %s, which does not exist, with "not in this sandbox"', async (method, path) => {
    const { status, body } = await rig.call(method, path);
    expect({ status, body }).toEqual({
      status: 404,
      body: { error: 'This operation is not in this sandbox.' },
    });
  });

  it('answers an unknown id, and an address outside the API, as the marketplace does', async () => {
    const notFound = { status: 404, body: { error: 'Resource not found' } };
    expect(await errorOf('/shops/abc', {})).toEqual(notFound);
    const { status, body } = await send(`${rig.sandbox.url}/elsewhere`, 'GET');
    expect({ status, body }).toEqual(notFound);
  });

  it('allows control routes only if they are switched on', async () => {
    const closed = await openRig({ control: false });
    try {
      expect((await closed.control('GET', '/state')).status).toBe(404);
    } finally {
      await closed.sandbox.close();
    }
  });

  it('answers control calls only under a loopback name and not from web pages', async () => {
    const refused = await send(`${rig.sandbox.url}/_sandbox/state`, 'GET', {
      headers: { origin: 'https://evil.example' },
    });
    expect(refused.status).toBe(403);
  });

  it('returns the scopes of a token', async () => {
    const { status, body } = await rig.call('POST', '/scopes', { form: { token: rig.token } });
    expect({ status, body }).toEqual({ status: 200, body: { scopes: ALL_SCOPES } });
  });
});
