import { afterEach, describe, expect, it } from 'vitest';
import { MarketplaceError } from '../../src/core/ports/index.js';
import { buildRig, SHOP, type Rig } from './rig.js';
import { buildWireListing, DRAFT } from './samples.js';
import { startScriptedServer, type ScriptedAnswer, type ScriptedServer } from './scripted_server.js';

let server: ScriptedServer | undefined;
let rig: Rig | undefined;

afterEach(async () => {
  await rig?.client.close();
  await server?.close();
});

async function open(
  script: Parameters<typeof startScriptedServer>[0],
  options: Parameters<typeof buildRig>[1] = {},
) {
  server = await startScriptedServer(script);
  rig = buildRig(server.url, options);
  return { server, ...rig };
}

async function catchError(promise: Promise<unknown>): Promise<MarketplaceError> {
  const outcome = await promise.then(
    () => 'resolved',
    (error: unknown) => error,
  );
  if (!(outcome instanceof MarketplaceError)) throw new Error(`no MarketplaceError: ${String(outcome)}`);
  return outcome;
}

const summary = ({ failure, status, message, fields }: MarketplaceError) => ({
  failure,
  status,
  message,
  fields,
});

describe('a refused write', () => {
  const cases: { name: string; answer: ScriptedAnswer; expected: ReturnType<typeof summary> }[] = [
    {
      name: 'one sentence that names a field',
      answer: { status: 400, json: { error: 'A readiness_state_id is required for physical listings.' } },
      expected: {
        failure: 'refused',
        status: 400,
        message: 'A readiness_state_id is required for physical listings.',
        fields: ['readiness_state_id'],
      },
    },
    {
      name: 'a list of fields',
      answer: {
        status: 400,
        json: [
          { path: '/tags', type: 'invalid', message: 'contains invalid characters' },
          { path: '/style/0', type: 'too_long', message: 'is too long' },
        ],
      },
      expected: {
        failure: 'refused',
        status: 400,
        message: '/tags contains invalid characters; /style/0 is too long',
        fields: ['tags', 'styles'],
      },
    },
    {
      name: 'a path within a sentence',
      answer: {
        status: 400,
        json: { error: 'There was a problem with /file/attachments : You must attach at least one file.' },
      },
      expected: {
        failure: 'refused',
        status: 400,
        message: 'There was a problem with /file/attachments : You must attach at least one file.',
        fields: ['files'],
      },
    },
    {
      name: 'a conflict',
      answer: { status: 409, json: { error: 'exists already' } },
      expected: { failure: 'refused', status: 409, message: 'exists already', fields: [] },
    },
    {
      name: 'not the owner',
      answer: { status: 403, json: { error: 'The shop does not belong to the user.' } },
      expected: {
        failure: 'refused',
        status: 403,
        message: 'The shop does not belong to the user.',
        fields: [],
      },
    },
    {
      name: 'a page of the edge',
      answer: { status: 403, text: '<html>Access denied</html>' },
      expected: {
        failure: 'refused',
        status: 403,
        message:
          'HTTP 403 with a web page instead of a reason, so something in front of the API stopped the request',
        fields: [],
      },
    },
    {
      name: 'JSON of another shape',
      answer: { status: 422, json: { problem: 'x' } },
      expected: { failure: 'refused', status: 422, message: 'HTTP 422 without a reason', fields: [] },
    },
    {
      name: 'nothing there',
      answer: { status: 404, json: { error: 'Resource not found' } },
      expected: { failure: 'not_found', status: 404, message: 'Resource not found', fields: [] },
    },
    {
      name: 'the key is not the right one',
      answer: { status: 403, json: { error: 'Shared secret is required in x-api-key header.' } },
      expected: {
        failure: 'credentials',
        status: 403,
        message: 'Shared secret is required in x-api-key header.',
        fields: [],
      },
    },
    {
      name: 'the grant lacks a scope',
      answer: {
        status: 403,
        json: { error: 'insufficient_scope', error_description: 'Insufficient scope' },
      },
      expected: {
        failure: 'reconnect',
        status: 403,
        message: 'insufficient_scope: Insufficient scope',
        fields: [],
      },
    },
  ];

  it.each(cases)('is reported: $name', async ({ answer, expected }) => {
    const { client, server } = await open([answer]);
    const error = await catchError(client.createDraftListing(SHOP, DRAFT));
    expect(summary(error)).toEqual(expected);
    expect(server.seen).toHaveLength(1);
  });

  it('is quoted up to 2,000 characters, never splitting one', async () => {
    const { client } = await open([{ status: 400, json: { error: '☕🍵'.repeat(2_000) } }]);
    const { message } = await catchError(client.createDraftListing(SHOP, DRAFT));
    expect(Array.from(message)).toHaveLength(2_000);
    expect(message).not.toMatch(/\p{Surrogate}/u);
  });

  it("keeps the marketplace's request number, and logs it without tokens", async () => {
    const { client, log } = await open([
      { status: 400, json: { error: 'no' }, headers: { 'x-etsy-request-uuid': 'uuid-1' } },
    ]);
    const error = await catchError(client.createDraftListing(SHOP, DRAFT));
    expect(error.request_id).toBe('uuid-1');
    // The test server lives in another time than the client, which warns about that too.
    const failures = log.lines.filter(({ message }) => message === 'a call to the marketplace failed');
    expect(failures).toEqual([
      {
        level: 'warn',
        message: 'a call to the marketplace failed',
        fields: {
          operation: 'createDraftListing',
          failure: 'refused',
          status: 400,
          shop_id: 501,
          etsy_request_uuid: 'uuid-1',
          attempt: 1,
        },
      },
    ]);
    expect(JSON.stringify(log.lines)).not.toMatch(/first-access|shh/);
  });
});

describe('a write of unknown outcome', () => {
  const cases: { name: string; answer: ScriptedAnswer; status: number | null; message: RegExp }[] = [
    { name: 'reset', answer: 'reset', status: null, message: /^no answer \((ECONNRESET|UND_ERR_SOCKET)\)$/ },
    { name: 'no answer in time', answer: 'stall', status: null, message: /^no answer within 0.3 seconds$/ },
    { name: 'half an answer', answer: 'half', status: null, message: /^no answer \(\w+\)$/ },
    {
      name: '500',
      answer: { status: 500, json: { error: 'Server Error' } },
      status: 500,
      message: /^Server Error$/,
    },
    {
      name: '502 of the edge',
      answer: { status: 502, text: '<html>' },
      status: 502,
      message: /^HTTP 502 with a web page instead of a reason/,
    },
    {
      name: '408',
      answer: { status: 408, text: '' },
      status: 408,
      message: /^HTTP 408 with a body that is not JSON$/,
    },
    {
      name: '201 that is not JSON',
      answer: { status: 201, text: 'ok' },
      status: 201,
      message: /^HTTP 201 with a body that is not JSON$/,
    },
    {
      name: '201 without an id',
      answer: { status: 201, json: buildWireListing({ listing_id: null }) },
      status: 201,
      message: /^HTTP 201 with an answer without a usable listing_id$/,
    },
    {
      name: '201 that is empty',
      answer: { status: 201, text: '' },
      status: 201,
      message: /^HTTP 201 with an answer without a usable body$/,
    },
    {
      name: '201 that is null',
      answer: { status: 201, json: null },
      status: 201,
      message: /^HTTP 201 with an answer without a usable body$/,
    },
    {
      name: 'a redirect',
      answer: { status: 302, text: '', headers: { location: '/elsewhere' } },
      status: 302,
      message: /^HTTP 302 with/,
    },
  ];

  it.each(cases)('is sent once and reported as unknown: $name', async ({ answer, status, message }) => {
    const { client, server } = await open(() => answer, { call_timeout_ms: 300 });
    const error = await catchError(client.createDraftListing(SHOP, DRAFT));
    expect(error).toMatchObject({ failure: 'unknown', status });
    expect(error.message).toMatch(message);
    expect(server.seen).toHaveLength(1);
  });

  it('is sent once and reported as unknown if the server closes a kept connection during it', async () => {
    const good: ScriptedAnswer = { status: 201, json: buildWireListing() };
    const { client, server } = await open([good, good, good, 'reset']);
    for (let made = 0; made < 3; made += 1) await client.createDraftListing(SHOP, DRAFT);
    const error = await catchError(client.createDraftListing(SHOP, DRAFT));
    expect(error.failure).toBe('unknown');
    expect(server.seen).toHaveLength(4);
    // A connection rests for one turn after an answer, so there may be two, but never one for each call.
    expect(server.countConnections()).toBeLessThan(4);
  });
});

describe('a call that was certainly not sent', () => {
  it('is unavailable, even if it is a write', async () => {
    const { client, server } = await open([]);
    await server.close();
    const error = await catchError(client.createDraftListing(SHOP, DRAFT));
    expect(summary(error)).toEqual({
      failure: 'unavailable',
      status: null,
      message: 'no answer (ECONNREFUSED)',
      fields: [],
    });
  });

  it('is unavailable if the name does not exist', async () => {
    rig = buildRig('http://marketplace.invalid');
    const error = await catchError(rig.client.createDraftListing(SHOP, DRAFT));
    expect(error).toMatchObject({ failure: 'unavailable', status: null });
  });

  it('is unavailable while there is no marketplace', async () => {
    const cause = new Error('the port is taken');
    const { client, log, clock } = await open([], { getApiUrl: () => Promise.reject(cause) });
    const error = await catchError(client.createDraftListing(SHOP, DRAFT));
    expect(summary(error)).toEqual({
      failure: 'unavailable',
      status: null,
      message: 'there is no marketplace to speak to',
      fields: [],
    });
    expect(log.lines[0]?.fields).toMatchObject({ failure: 'unavailable', cause });
    expect(clock.slept_ms).toEqual([]);
  });

  it('needs reconnecting if there are no tokens', async () => {
    const { client, server, tokens } = await open([]);
    tokens.stored.clear();
    const error = await catchError(client.createDraftListing(SHOP, DRAFT));
    expect(error.failure).toBe('reconnect');
    expect(server.seen).toEqual([]);
  });
});

describe('a read', () => {
  it.each<{ name: string; answer: ScriptedAnswer }>([
    { name: 'reset', answer: 'reset' },
    { name: 'no answer in time', answer: 'stall' },
    { name: '503', answer: { status: 503, text: '<html>' } },
    { name: '200 that is not JSON', answer: { status: 200, text: 'ok' } },
    { name: '200 without required fields', answer: { status: 200, json: { count: 1 } } },
  ])('is retried, and then unavailable: $name', async ({ answer }) => {
    const { client, server, clock } = await open(() => answer, { call_timeout_ms: 300 });
    const error = await catchError(client.getListing(SHOP, 7));
    expect(error.failure).toBe('unavailable');
    expect(server.seen).toHaveLength(3);
    expect(clock.slept_ms).toEqual([200, 400]);
  });

  it('returns the first valid answer', async () => {
    const { client } = await open(['reset', { status: 200, json: buildWireListing() }]);
    expect((await client.getListing(SHOP, 7)).title).toBe('Salt & Pepper "Mug"');
  });

  it('that is refused is not retried', async () => {
    const { client, server } = await open([{ status: 404, json: { error: 'gone' } }]);
    expect((await catchError(client.getListing(SHOP, 7))).failure).toBe('not_found');
    expect(server.seen).toHaveLength(1);
  });
});

describe('a write whose answer has no body', () => {
  it('is done if the status says so', async () => {
    const { client } = await open([{ status: 204, text: '' }]);
    await expect(client.updateVariationImages(SHOP, 7, [])).resolves.toBeUndefined();
  });
});

describe('a caller who leaves', () => {
  it("gets the signal's reason while waiting for the answer", async () => {
    const leaving = new AbortController();
    const reason = new Error('the client went away');
    const { client } = await open(() => {
      leaving.abort(reason);
      return 'stall' as const;
    });
    await expect(client.getListing(SHOP, 7, { signal: leaving.signal })).rejects.toBe(reason);
  });

  it("gets the signal's reason before anything is sent", async () => {
    const { client, server } = await open([]);
    const reason = new Error('too late');
    const signal = AbortSignal.abort(reason);
    await expect(client.createDraftListing(SHOP, DRAFT, { signal })).rejects.toBe(reason);
    expect(server.seen).toEqual([]);
  });

  it("gets the signal's reason between two attempts of a read", async () => {
    const leaving = new AbortController();
    const reason = new Error('enough');
    const { client, clock, server } = await open(['reset', 'reset']);
    const sleep = clock.sleep.bind(clock);
    clock.sleep = (duration_ms, signal) => {
      leaving.abort(reason);
      return sleep(duration_ms, signal);
    };
    await expect(client.getListing(SHOP, 7, { signal: leaving.signal })).rejects.toBe(reason);
    expect(server.seen).toHaveLength(1);
  });
});

describe('closing the client', () => {
  it('refuses new calls', async () => {
    const { client, server } = await open([]);
    await client.close();
    expect((await catchError(client.getListing(SHOP, 7))).failure).toBe('unavailable');
    expect(server.seen).toEqual([]);
  });

  it('ends a running call', async () => {
    const { client } = await open(() => {
      void client.close();
      return 'stall' as const;
    });
    expect((await catchError(client.createDraftListing(SHOP, DRAFT))).failure).toBe('unknown');
  });
});
