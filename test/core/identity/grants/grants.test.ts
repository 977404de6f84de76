import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkAuthorization } from '../../../../src/core/identity/grants/authorization.js';
import { createGrants } from '../../../../src/core/identity/grants/grants.js';
import { OAuthError } from '../../../../src/core/identity/grants/oauth_error.js';
import { makeMedia } from '../../../media/sample.js';
import { createTestIds } from '../../../store/ports.js';
import { createTwoAccounts, openWorld } from '../../../store/world.js';
import { systemRandomness } from '../../../../src/world/randomness.js';

const REDIRECT = 'https://app.example/cb';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Grants on a real store, with a stopped clock, a registered client, and the client's parameters. */
async function openGrants() {
  const world = await openWorld();
  const { mine, other } = await createTwoAccounts(world.store);
  const { media } = await makeMedia();
  const grants = createGrants(
    { randomness: systemRandomness, ...world, media, ids: createTestIds() },
    { base_url: 'https://listings.example' },
  );
  const register = () => grants.register({ client_name: 'Assistant', redirect_uris: [REDIRECT] });
  const client = await register();
  const allow = async (account_id = mine) => {
    const parameters = {
      response_type: 'code',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      resource: [],
    };
    return grants.allow(account_id, checkAuthorization(client, REDIRECT, parameters, grants.resources));
  };
  const { client_id } = client;
  const exchange = (code: string, more: Partial<Parameters<typeof grants.exchangeCode>[0]> = {}) =>
    grants.exchangeCode({ client_id, code, code_verifier: VERIFIER, redirect_uri: REDIRECT, ...more });
  const logIn = async (account_id = mine) => exchange(await allow(account_id));
  const refresh = (refresh_token: string, id = client_id) => grants.refresh({ client_id: id, refresh_token });
  return { ...world, grants, mine, other, client_id, register, allow, exchange, logIn, refresh };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OAuthError) return error.code;
    throw error;
  }
  return 'no failure';
}

describe('a grant', () => {
  it('exists once the code is exchanged, belongs to its account, and ends when it is revoked', async () => {
    const { grants, mine, other, allow, exchange } = await openGrants();
    const code = await allow();
    expect(await grants.list(mine)).toEqual([]);
    const { access_token, refresh_token, ...rest } = await exchange(code);
    expect([access_token, refresh_token]).toEqual([
      expect.stringMatching(/^mlsa_\w{43}$/),
      expect.stringMatching(/^mlsr_\w{43}_\w{43}$/),
    ]);
    expect(rest).toEqual({ token_type: 'Bearer', expires_in: 3600, scope: 'read write' });
    expect(await grants.authenticate(access_token)).toMatchObject({ account_id: mine });

    const [grant] = await grants.list(mine);
    expect(grant).toMatchObject({ client_name: 'Assistant', receiver: 'app.example' });
    expect(await grants.list(other)).toEqual([]);
    expect(await grants.end(other, grant?.grant_id ?? '')).toBe(false);
    expect(await grants.authenticate(access_token)).toMatchObject({ account_id: mine });
    expect(await grants.end(mine, grant?.grant_id ?? '')).toBe(true);
    expect(await grants.authenticate(access_token)).toBeUndefined();
  });

  it('stores no secret in plain text', async () => {
    const { store, mine, logIn } = await openGrants();
    const { access_token, refresh_token } = await logIn();
    const kept = JSON.stringify(await store.grants.listGrants(mine));
    for (const secret of [access_token, ...refresh_token.split('_').slice(1)]) {
      expect(kept).not.toContain(secret);
      expect(await store.grants.findGrantByAccess(secret)).toBeUndefined();
    }
  });

  it('ends after 30 days without use by its client, and is extended by use', async () => {
    const { grants, clock, mine, logIn, refresh } = await openGrants();
    let { refresh_token } = await logIn();
    for (let month = 0; month < 3; month += 1) {
      clock.advance(29 * DAY_MS);
      ({ refresh_token } = await refresh(refresh_token));
    }
    expect(await grants.list(mine)).toHaveLength(1);
    clock.advance(30 * DAY_MS);
    expect(await grants.list(mine)).toEqual([]);
    expect(await codeOf(refresh(refresh_token))).toBe('invalid_grant');
  });
});

describe('an authorization code', () => {
  it('works once: a second use ends the grant of the first', async () => {
    const { grants, mine, allow, exchange, log } = await openGrants();
    const code = await allow();
    const { access_token } = await exchange(code);
    expect(await codeOf(exchange(code))).toBe('invalid_grant');
    expect(await grants.authenticate(access_token)).toBeUndefined();
    expect(await grants.list(mine)).toEqual([]);
    expect(log.lines.map(({ message }) => message)).toContain(
      'a grant was ended: a secret of it was used twice',
    );
  });

  it('ends the grant if it is used twice at the same time', async () => {
    const { grants, mine, allow, exchange } = await openGrants();
    const code = await allow();
    const outcomes = await Promise.all([codeOf(exchange(code)), codeOf(exchange(code))]);
    expect(outcomes.sort()).toEqual(['invalid_grant', 'no failure']);
    expect(await grants.list(mine)).toEqual([]);
  });

  it('is valid for a minute, for its client, its redirect URI and its verifier', async () => {
    const { clock, allow, exchange, register } = await openGrants();
    const code = await allow();
    const { client_id } = await register();
    expect(await codeOf(exchange(code, { client_id }))).toBe('invalid_grant');
    expect(await codeOf(exchange(code, { redirect_uri: `${REDIRECT}/` }))).toBe('invalid_grant');
    expect(await codeOf(exchange(code, { code_verifier: 'w'.repeat(43) }))).toBe('invalid_grant');
    expect(await codeOf(exchange(code, { code_verifier: CHALLENGE }))).toBe('invalid_grant');
    expect(await codeOf(exchange('mlsc_unknown'))).toBe('invalid_grant');
    clock.advance(59_999);
    expect(await codeOf(exchange(code))).toBe('no failure');
    const late = await allow();
    clock.advance(60_000);
    expect(await codeOf(exchange(late))).toBe('invalid_grant');
  });
});

describe('an access token', () => {
  it('is valid for an hour, or until the next one', async () => {
    const { grants, clock, mine, logIn, refresh } = await openGrants();
    const first = await logIn();
    clock.advance(HOUR_MS - 1);
    expect(await grants.authenticate(first.access_token)).toMatchObject({ account_id: mine });
    clock.advance(1);
    expect(await grants.authenticate(first.access_token)).toBeUndefined();
    const second = await refresh(first.refresh_token);
    const third = await refresh(second.refresh_token);
    expect(await grants.authenticate(second.access_token)).toBeUndefined();
    expect(await grants.authenticate(third.access_token)).toMatchObject({ account_id: mine });
  });

  it('belongs to the account that consented', async () => {
    const { grants, mine, other, logIn } = await openGrants();
    const [one, two] = [await logIn(mine), await logIn(other)];
    expect(await grants.authenticate(one.access_token)).toMatchObject({ account_id: mine });
    expect(await grants.authenticate(two.access_token)).toMatchObject({ account_id: other });
    expect(await grants.authenticate(one.refresh_token)).toBeUndefined();
  });
});

describe('a refresh token', () => {
  it('is replaced with each use, and reuse of an old one ends the grant', async () => {
    const { grants, mine, logIn, refresh } = await openGrants();
    const first = await logIn();
    let last = first;
    for (let i = 0; i < 3; i += 1) last = await refresh(last.refresh_token);
    expect(await codeOf(refresh(first.refresh_token))).toBe('invalid_grant');
    expect(await codeOf(refresh(last.refresh_token))).toBe('invalid_grant');
    expect(await grants.authenticate(last.access_token)).toBeUndefined();
    expect(await grants.list(mine)).toEqual([]);
  });

  it('is useless to another client, and stays valid for its own', async () => {
    const { logIn, refresh, register } = await openGrants();
    const { refresh_token } = await logIn();
    expect(await codeOf(refresh(refresh_token, (await register()).client_id))).toBe('invalid_grant');
    expect(await codeOf(refresh('mlsr_x'))).toBe('invalid_grant');
    expect(await codeOf(refresh(refresh_token))).toBe('no failure');
  });
});

describe('revocation', () => {
  it.each(['access_token', 'refresh_token'] as const)('of the %s ends the grant', async (kind) => {
    const { grants, mine, client_id, logIn, register } = await openGrants();
    const tokens = await logIn();
    const other = await register();
    await grants.revoke({ client_id: other.client_id, token: tokens[kind] });
    await grants.revoke({ client_id, token: 'unknown' });
    expect(await grants.authenticate(tokens.access_token)).toMatchObject({ account_id: mine });
    await grants.revoke({ client_id, token: tokens[kind] });
    expect(await grants.authenticate(tokens.access_token)).toBeUndefined();
  });
});

describe('registered clients', () => {
  it('are removed after a day without consent; others stay for half a year and while a grant names them', async () => {
    const { grants, clock, client_id, register, allow, logIn, refresh } = await openGrants();
    const unused = await register();
    await allow();
    clock.advance(DAY_MS);
    await register();
    expect(await codeOf(grants.find(unused.client_id))).toBe('invalid_client');
    expect(await codeOf(grants.find(client_id))).toBe('no failure');

    let { refresh_token } = await logIn();
    for (let i = 0; i < 7; i += 1) {
      clock.advance(29 * DAY_MS);
      ({ refresh_token } = await refresh(refresh_token));
    }
    await register();
    expect(await codeOf(grants.find(client_id))).toBe('no failure');
  });

  it('without consent push out the oldest of their kind, but none with a consent', async () => {
    const { store, grants, client_id, allow, clock } = await openGrants();
    await allow();
    for (let i = 0; i < 5; i += 1) {
      clock.advance(1);
      await store.grants.createClient(
        { client_id: `c${i}`, name: 'x', redirect_uris: [REDIRECT], life_ms: 60 * DAY_MS },
        3,
      );
    }
    const kept = ['c0', 'c1', 'c2', 'c3', 'c4', client_id].map((id) => codeOf(grants.find(id)));
    expect(await Promise.all(kept)).toEqual([
      'invalid_client',
      'invalid_client',
      'no failure',
      'no failure',
      'no failure',
      'no failure',
    ]);
  });

  it.each([
    [{}, 'invalid_client_metadata'],
    ['text', 'invalid_client_metadata'],
    [null, 'invalid_client_metadata'],
    [{ redirect_uris: [] }, 'invalid_client_metadata'],
    [{ redirect_uris: [1] }, 'invalid_client_metadata'],
    [{ redirect_uris: Array.from({ length: 21 }, () => REDIRECT) }, 'invalid_client_metadata'],
    [{ redirect_uris: [REDIRECT, 'http://evil.example/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [REDIRECT], grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    [{ redirect_uris: [REDIRECT], response_types: ['token'] }, 'invalid_client_metadata'],
  ])('may not register with %j', async (metadata, code) => {
    const { grants } = await openGrants();
    expect(await codeOf(grants.register(metadata))).toBe(code);
  });

  it('have a name that hides nothing and breaks nothing', async () => {
    const { grants } = await openGrants();
    const name = async (client_name: unknown) =>
      (await grants.register({ client_name, redirect_uris: [REDIRECT] })).name;
    expect(await name('Claude')).toBe('Claude');
    expect(await name('  two\n\nlines\t')).toBe('two lines');
    expect(await name('\u202Eedualc\u202C\u0000')).toBe('edualc');
    expect(await name('x'.repeat(10_000))).toBe(`${'x'.repeat(60)}…`);
    expect([await name(undefined), await name(''), await name(7), await name('\u200E')]).toEqual(
      Array.from({ length: 4 }, () => 'app.example'),
    );
  });
});
