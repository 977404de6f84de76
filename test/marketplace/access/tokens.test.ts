import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { buildRig, buildTokens, createMemoryTokens, NOW, SHOP, type MemoryTokens, type Rig } from '../rig.js';
import { buildWireListing, DRAFT } from '../samples.js';
import {
  startScriptedServer,
  type ScriptedAnswer,
  type ScriptedServer,
  type SeenRequest,
} from '../scripted_server.js';

const TOKEN_PATH = '/v3/public/oauth/token';
const EXPIRED = {
  status: 401,
  json: { error: 'invalid_token', error_description: 'access token is expired' },
};
const over = new Date(NOW.getTime() - 1_000).toISOString();

let server: ScriptedServer;
const rigs: Rig[] = [];

afterEach(async () => {
  await Promise.all(rigs.splice(0).map(({ client }) => client.close()));
  await server.close();
});

/** The API accepts the tokens in `valid`; the token endpoint answers with `refresh`. */
async function open(options: {
  tokens?: MemoryTokens;
  valid?: Set<string>;
  refresh?: (request: SeenRequest) => ScriptedAnswer;
}) {
  const valid = options.valid ?? new Set(['77.second-access']);
  server = await startScriptedServer((request) => {
    if (request.path === TOKEN_PATH) return (options.refresh ?? (() => renewed))(request);
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    return valid.has(token) ? { status: 200, json: buildWireListing() } : EXPIRED;
  });
  return openRig(options.tokens ?? createMemoryTokens({ access_expires_at: over }));
}

function openRig(tokens: MemoryTokens): Rig {
  const rig = buildRig(server.url, { tokens, call_timeout_ms: 2_000 });
  rigs.push(rig);
  return rig;
}

const renewed: ScriptedAnswer = {
  status: 200,
  json: {
    access_token: '77.second-access',
    refresh_token: '77.second-refresh',
    token_type: 'Bearer',
    expires_in: 3600,
  },
};
const listRefreshes = () => server.seen.filter(({ path }) => path === TOKEN_PATH);

describe('a refresh', () => {
  it.each([{ expires_in: undefined }, { expires_in: '3600' }, { expires_in: 1e300 }, { expires_in: -1 }])(
    'with $expires_in for expires_in is saved anyway, and counts for an hour',
    async (strange) => {
      const json = { access_token: '77.second-access', refresh_token: '77.second-refresh', ...strange };
      const { client, tokens } = await open({ refresh: () => ({ status: 200, json }) });
      await client.getListing(SHOP, 7);
      expect(tokens.saved).toEqual([
        buildTokens({
          access_token: '77.second-access',
          refresh_token: '77.second-refresh',
          access_expires_at: '2026-11-20T11:00:00.000Z',
        }),
      ]);
    },
  );

  it('happens before an expired token is used, and is saved before the new token is used', async () => {
    const { client, tokens } = await open({});
    await client.getListing(SHOP, 7);
    const [request] = listRefreshes();
    expect(Object.fromEntries(new URLSearchParams(request?.body.toString()))).toEqual({
      grant_type: 'refresh_token',
      client_id: 'key',
      refresh_token: '77.first-refresh',
    });
    expect(request?.headers).toMatchObject({ 'x-api-key': 'key:shh' });
    expect(request?.headers.authorization).toBeUndefined();
    expect(tokens.saved).toEqual([
      buildTokens({
        access_token: '77.second-access',
        refresh_token: '77.second-refresh',
        access_expires_at: '2026-11-20T11:00:00.000Z',
      }),
    ]);
    expect(server.seen.map(({ path }) => path)).toEqual([TOKEN_PATH, '/v3/application/listings/7']);
  });

  it('happens before a token that is about to expire is used', async () => {
    const soon = new Date(NOW.getTime() + 30_000).toISOString();
    const { client } = await open({ tokens: createMemoryTokens({ access_expires_at: soon }) });
    await client.getListing(SHOP, 7);
    expect(listRefreshes()).toHaveLength(1);
  });

  it('follows a refused token, and the write is sent again, because it was not done', async () => {
    const { client } = await open({ tokens: createMemoryTokens() });
    await client.createDraftListing(SHOP, DRAFT);
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/v3/application/shops/501/listings',
      TOKEN_PATH,
      '/v3/application/shops/501/listings',
    ]);
  });

  it('happens once for ten calls at once', async () => {
    const { client, tokens } = await open({});
    await Promise.all(Array.from({ length: 10 }, (_, id) => client.getListing(SHOP, id + 1)));
    expect(listRefreshes()).toHaveLength(1);
    expect(tokens.saved).toHaveLength(1);
  });

  it('happens once for ten calls at once whose token is refused', async () => {
    const { client } = await open({ tokens: createMemoryTokens() });
    await Promise.all(Array.from({ length: 10 }, (_, id) => client.getListing(SHOP, id + 1)));
    expect(listRefreshes()).toHaveLength(1);
  });

  it('happens once for two processes with the same tokens', async () => {
    const tokens = createMemoryTokens({ access_expires_at: over });
    const { client } = await open({ tokens });
    const other = openRig(tokens);
    await Promise.all([client.getListing(SHOP, 1), other.client.getListing(SHOP, 2)]);
    expect(listRefreshes()).toHaveLength(1);
  });

  it('may take longer than a call, but no longer than its own deadline', async () => {
    let pause_ms = 600;
    server = await startScriptedServer(async ({ path }) => {
      if (path !== TOKEN_PATH) return { status: 200, json: buildWireListing() };
      await pause(pause_ms);
      return renewed;
    });
    const tokens = createMemoryTokens({ access_expires_at: over });
    const patient = buildRig(server.url, { tokens, call_timeout_ms: 300 });
    rigs.push(patient);
    await patient.client.getListing(SHOP, 7);
    expect(tokens.saved).toHaveLength(1);
    pause_ms = 60_000;
    const others = createMemoryTokens({ access_expires_at: over });
    const hasty = buildRig(server.url, { tokens: others, token_timeout_ms: 300 });
    rigs.push(hasty);
    await expect(hasty.client.getListing(SHOP, 7)).rejects.toMatchObject({
      failure: 'unavailable',
      message: 'no answer within 0.3 seconds',
    });
  });

  it('continues when the caller leaves', async () => {
    const leaving = new AbortController();
    const { client, tokens } = await open({
      refresh: () => {
        leaving.abort(new Error('gone'));
        return renewed;
      },
    });
    await expect(client.getListing(SHOP, 7, { signal: leaving.signal })).rejects.toThrow('gone');
    await client.getListing(SHOP, 7);
    expect(listRefreshes()).toHaveLength(1);
    expect(tokens.saved).toHaveLength(1);
  });

  it('finishes before the client closes', async () => {
    let closing: Promise<void> | undefined;
    const { client, tokens } = await open({
      refresh: () => {
        closing = rigs[0]?.client.close();
        return renewed;
      },
    });
    await expect(client.getListing(SHOP, 7)).rejects.toMatchObject({ failure: 'unavailable' });
    await closing;
    expect(tokens.saved).toHaveLength(1);
  });
});

describe('a grant that has ended', () => {
  const revoked: ScriptedAnswer = {
    status: 400,
    json: { error: 'invalid_grant', error_description: 'refresh_token is revoked' },
    headers: { 'x-etsy-request-uuid': 'uuid-9' },
  };

  it('is remembered and reported', async () => {
    const { client, tokens, log } = await open({ refresh: () => revoked });
    await expect(client.createDraftListing(SHOP, DRAFT)).rejects.toMatchObject({
      failure: 'reconnect',
      status: 400,
      message: 'invalid_grant: refresh_token is revoked',
      request_id: 'uuid-9',
    });
    expect(tokens.reconnects).toEqual([501]);
    expect(server.seen).toHaveLength(1);
    expect(log.lines[0]).toEqual({
      level: 'warn',
      message: 'the marketplace revoked the grant of a shop',
      fields: { shop_id: 501, etsy_request_uuid: 'uuid-9' },
    });
  });

  it('is not concluded if another process refreshed the tokens first', async () => {
    const tokens = createMemoryTokens({ access_expires_at: over });
    const { client } = await open({
      tokens,
      valid: new Set(['77.theirs']),
      refresh: () => {
        tokens.stored.set(501, buildTokens({ access_token: '77.theirs', refresh_token: '77.their-refresh' }));
        return revoked;
      },
    });
    await client.getListing(SHOP, 7);
    expect(tokens.reconnects).toEqual([]);
  });

  it('is not concluded from a new token that is refused as well', async () => {
    const { client, tokens } = await open({ tokens: createMemoryTokens(), valid: new Set() });
    await expect(client.getListing(SHOP, 7)).rejects.toMatchObject({
      failure: 'reconnect',
      message: 'invalid_token: access token is expired',
    });
    expect(listRefreshes()).toHaveLength(1);
    // The grant itself was valid a moment ago, so the seller's shop is not locked out for this.
    expect(tokens.reconnects).toEqual([]);
  });
});

describe('a refused application key', () => {
  it('uses up no token', async () => {
    server = await startScriptedServer(() => ({
      status: 401,
      json: { error: 'API key not found or not active' },
    }));
    const { client } = openRig(createMemoryTokens());
    await expect(client.getListing(SHOP, 7)).rejects.toMatchObject({ failure: 'credentials', status: 401 });
    expect(server.seen.map(({ path }) => path)).toEqual(['/v3/application/listings/7']);
  });
});

describe('a refresh that fails for another reason', () => {
  it.each<{ name: string; answer: ScriptedAnswer; expected: Record<string, unknown> }>([
    {
      name: '503',
      answer: { status: 503, text: '<html>' },
      expected: { failure: 'unavailable', message: expect.stringContaining('HTTP 503 with a web page') },
    },
    { name: 'reset', answer: 'reset', expected: { failure: 'unavailable', status: null } },
    {
      name: '200 without tokens',
      answer: { status: 200, json: { access_token: '77.half' } },
      expected: { failure: 'unavailable', message: 'HTTP 200 without usable tokens' },
    },
    {
      name: 'an unknown application',
      answer: {
        status: 401,
        json: { error: 'invalid_client', error_description: 'client_id is unknown' },
      },
      expected: { failure: 'credentials', message: 'invalid_client: client_id is unknown' },
    },
    {
      name: '400 about nothing in particular',
      answer: { status: 400, json: { error: 'invalid_request', error_description: 'x' } },
      expected: { failure: 'unavailable', status: 400 },
    },
    {
      name: '429',
      answer: { status: 429, json: { error: 'slow' }, headers: { 'retry-after': '5' } },
      expected: { failure: 'rate_limited', retry_after_seconds: 5 },
    },
  ])('($name) leaves the write certainly unsent', async ({ answer, expected }) => {
    const { client, tokens } = await open({ refresh: () => answer });
    await expect(client.createDraftListing(SHOP, DRAFT)).rejects.toMatchObject(expected);
    expect(server.seen.every(({ path }) => path === TOKEN_PATH)).toBe(true);
    expect(tokens.saved).toEqual([]);
    expect(tokens.reconnects).toEqual([]);
  });
});
