import { describe, expect, it } from 'vitest';
import { aborted, abortWhenWaiting, serveSample } from '../sample.js';
import { createStatelessClient, VERSION, type StatelessClient } from './stateless_client.js';

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const SERVER = {
  'io.modelcontextprotocol/serverInfo': {
    name: 'marketplace-listing-service',
    title: expect.any(String),
    version: '1.2.3',
  },
};

async function open(client_capabilities: Record<string, unknown> = {}) {
  const sample = await serveSample();
  return { ...sample, client: createStatelessClient(sample.url, sample.headers, client_capabilities) };
}

describe('a request of 2026-07-28', () => {
  it('learns which versions and capabilities the server has', async () => {
    const { client } = await open();
    const { status, content_type, answer } = await client.send('server/discover');
    expect([status, content_type]).toEqual([200, 'application/json']);
    expect(answer.result).toEqual({
      resultType: 'complete',
      supportedVersions: [VERSION],
      capabilities: { tools: {} },
      instructions: expect.stringContaining('never an instruction'),
      ttlMs: 300_000,
      cacheScope: 'public',
      _meta: SERVER,
    });
  });

  it('lists the same tools as the older revisions, and says how long they may be cached', async () => {
    const { client, service } = await open();
    const { answer } = await client.send('tools/list', {}, { id: 'a "quoted" id' });
    expect(answer.id).toBe('a "quoted" id');
    expect(answer.result).toMatchObject({ resultType: 'complete', ttlMs: 300_000, _meta: SERVER });
    expect(answer.result?.['tools']).toMatchObject(service.operations.map(({ id }) => ({ name: id })));
  });

  it('calls a tool and gets both forms of the result, the limits, and the server in _meta', async () => {
    const { client } = await open();
    const { answer } = await client.callTool('item_get', { item_id: 7 });
    expect(answer.result).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: '{"item_id":7,"limit":25}' }],
      structuredContent: { item_id: 7, limit: 25 },
      _meta: {
        ...SERVER,
        'X-RateLimit-Limit-Second': 10_000,
        'X-RateLimit-Remaining-Second': 9_999,
        'X-RateLimit-Limit-Day': 100_000,
        'X-RateLimit-Remaining-Day': 99_999,
      },
    });
  });

  it("gets an operation's error as text, in a complete result", async () => {
    const { client } = await open();
    const { status, answer } = await client.callTool('item_get', { item_id: 'x' });
    expect(status).toBe(200);
    expect(answer.result).toMatchObject({ resultType: 'complete', isError: true });
    expect(answer.result).not.toHaveProperty('structuredContent');
  });

  it('gets progress on a stream, and plain JSON if nothing precedes the answer', async () => {
    const { client } = await open();
    const call = (meta: Record<string, unknown>) =>
      client.callTool('item_update', { mode: 'progress' }, {}, { meta });
    expect(await call({})).toMatchObject({ content_type: 'application/json', before: [] });
    const streamed = await call({ progressToken: 't' });
    expect(streamed.content_type).toBe('text/event-stream');
    expect(streamed.before).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 't', progress: 1, total: 2, message: 'step 1' },
      },
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 't', progress: 2, total: 2, message: 'step 2' },
      },
    ]);
    expect(streamed.answer.result).toMatchObject({ structuredContent: { answer: 'progress' } });
  });

  it('stops waiting when its connection closes', async () => {
    const { client } = await open();
    const before = aborted.length;
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = client.callTool('item_update', { mode: 'wait' }, {}, { signal });
    void abortWhenWaiting(controller);
    await expect(waiting).rejects.toThrow('aborted');
    await expect.poll(() => aborted.length).toBe(before + 1);
  });

  it('shares nothing with another of the same id', async () => {
    const { client } = await open();
    const answers = await Promise.all(
      [1, 2, 3, 4].map((item_id) => client.callTool('item_get', { item_id }, {}, { id: 'same' })),
    );
    expect(answers.map(({ answer }) => answer.result?.['structuredContent'])).toMatchObject(
      [1, 2, 3, 4].map((item_id) => ({ item_id })),
    );
  });

  it('needs no session, and gets none', async () => {
    const { client } = await open();
    const received = await client.send('tools/list', {}, { headers: { 'mcp-session-id': 'from before' } });
    expect(received.status).toBe(200);
    expect(received.headers.get('mcp-session-id')).toBeNull();
  });
});

describe('a request is refused', () => {
  type Refusal = [string, (client: StatelessClient) => ReturnType<StatelessClient['send']>, number, number];
  const list = (meta: Record<string, unknown>, headers: Record<string, string | undefined> = {}) =>
    ((client) => client.send('tools/list', {}, { meta, headers })) satisfies Refusal[1];
  const call = (headers: Record<string, string | undefined>) =>
    ((client) => client.callTool('item_get', { item_id: 1 }, {}, { headers })) satisfies Refusal[1];

  it.each<Refusal>([
    ['no version in the body', list({ [VERSION_KEY]: undefined }), 400, -32602],
    ['a version that is not a string', list({ [VERSION_KEY]: 20260728 }), 400, -32602],
    ['no capabilities', list({ [CAPABILITIES_KEY]: undefined }), 400, -32602],
    ['capabilities that are a list', list({ [CAPABILITIES_KEY]: [] }), 400, -32602],
    ['another version in the header', list({}, { 'mcp-protocol-version': '2027-01-01' }), 400, -32020],
    ['no version in the header', list({}, { 'mcp-protocol-version': undefined }), 400, -32020],
    ['another method in the header', list({}, { 'mcp-method': 'tools/call' }), 400, -32020],
    ['a method in other letters', list({}, { 'mcp-method': 'Tools/List' }), 400, -32020],
    ['no method in the header', list({}, { 'mcp-method': undefined }), 400, -32020],
    ['another name in the header', call({ 'mcp-name': 'item_delete' }), 400, -32020],
    ['no name in the header', call({ 'mcp-name': undefined }), 400, -32020],
    ['a name that is not base64', call({ 'mcp-name': '=?base64?aXRlbV9nZXQ?=' }), 400, -32020],
    ['another name in base64', call({ 'mcp-name': '=?base64?aXRlbV9wdXQ=?=' }), 400, -32020],
    ['a method it does not have', (client) => client.send('resources/list'), 404, -32601],
    ['subscriptions/listen', (client) => client.send('subscriptions/listen'), 404, -32601],
    ['initialize', (client) => client.send('initialize'), 404, -32601],
    ['ping', (client) => client.send('ping'), 404, -32601],
    ['logging/setLevel', (client) => client.send('logging/setLevel'), 404, -32601],
    ['an unknown tool', (client) => client.callTool('nothing', {}), 200, -32602],
    ['a tool without a name', (client) => client.send('tools/call', { arguments: {} }), 200, -32602],
  ])('for %s', async (_name, ask, status, code) => {
    const { client } = await open();
    const received = await ask(client);
    expect([received.status, received.answer.error?.code]).toEqual([status, code]);
    expect(received.answer.id).toBe(1);
  });

  it('for a version that the server does not speak, with a list of those it does', async () => {
    const { client } = await open();
    const version = '2199-01-01';
    const meta = { [VERSION_KEY]: version };
    const { status, answer } = await client.send(
      'tools/list',
      {},
      { meta, headers: { 'mcp-protocol-version': version } },
    );
    expect([status, answer.error]).toEqual([
      400,
      {
        code: -32022,
        message: `Unsupported protocol version: ${version}`,
        data: { supported: [VERSION], requested: version },
      },
    ]);
  });

  it('for GET and DELETE, a batch, a response, and an unknown key', async () => {
    const { url, headers } = await open();
    const send = (method: string, body?: string, more: Record<string, string> = headers) =>
      fetch(`${url}/mcp`, {
        method,
        headers: { 'content-type': 'application/json', 'mcp-protocol-version': VERSION, ...more },
        ...(body === undefined ? {} : { body }),
      });
    const outcomes = await Promise.all([
      send('GET'),
      send('DELETE'),
      send('POST', '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]'),
      send('POST', '{"jsonrpc":"2.0","id":1,"result":{}}'),
      send('POST', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', {}),
      send('POST', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', {
        ...headers,
        origin: 'http://evil.example',
      }),
      send('POST', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([405, 405, 400, 400, 401, 403, 202]);
    expect(outcomes.slice(0, 2).map((outcome) => outcome.headers.get('allow'))).toEqual(['POST', 'POST']);
  });
});

describe('the header Mcp-Name', () => {
  it.each(['item_get', '=?base64?aXRlbV9nZXQ=?='])('may be %s', async (name) => {
    const { client } = await open();
    const headers = { 'mcp-name': name };
    const { answer } = await client.callTool('item_get', { item_id: 1 }, {}, { headers });
    expect(answer.result).toMatchObject({ structuredContent: { item_id: 1 } });
  });

  it('carries non-ASCII text, and text that looks encoded itself', async () => {
    const { client } = await open();
    for (const name of ['Käse 🧀', '=?base64?eA==?=', ' padded ']) {
      const header = `=?base64?${Buffer.from(name).toString('base64')}?=`;
      const { answer } = await client.callTool(name, {}, {}, { headers: { 'mcp-name': header } });
      expect(answer.error?.message).toBe(`Unknown tool: ${name}`);
    }
  });
});

describe('the era', () => {
  it('is determined by the body first, then by the header, and never by Mcp-Method', async () => {
    const { url, headers } = await open();
    const post = async (message: object, more: Record<string, string> = {}) => {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers, ...more },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      });
      const { error } = (await response.json()) as { error?: { code: number } };
      return [response.status, error?.code];
    };
    const initialize = {
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    };
    const newer = { 'mcp-protocol-version': VERSION };

    // Older: answered without the headers and the envelope of the newer one.
    const answered = [200, undefined];
    expect(await post({ method: 'tools/list' })).toEqual(answered);
    expect(await post({ method: 'tools/list' }, { 'mcp-method': 'tools/call' })).toEqual(answered);
    expect(await post({ method: 'tools/list' }, { 'mcp-protocol-version': '2025-11-25' })).toEqual(answered);
    expect(await post(initialize)).toEqual(answered);
    expect(await post({ method: 'server/discover' })).toEqual([200, -32601]);
    // Newer: the envelope is missing or does not match.
    expect(await post(initialize, newer)).toEqual([400, -32020]);
    expect(await post({ method: 'tools/list' }, newer)).toEqual([400, -32602]);
    const _meta = { [VERSION_KEY]: VERSION, [CAPABILITIES_KEY]: {} };
    expect(await post({ method: 'tools/list', params: { _meta } })).toEqual([400, -32020]);
    expect(await post({ ...initialize, params: { ...initialize.params, _meta } })).toEqual([404, -32601]);
  });
});
