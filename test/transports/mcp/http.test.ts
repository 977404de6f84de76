import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SECURITY_HEADERS } from '../../../src/transports/http/server.js';
import { aborted, abortWhenWaiting, serveSample, waiting } from '../sample.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};

async function connectClient(url: string, headers: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

const LONG = 'x'.repeat(100_000);

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** One raw POST to /mcp. */
async function post(url: string, message: unknown, headers: Record<string, string>, method = 'POST') {
  const response = await fetch(`${url}/mcp`, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(message === undefined
      ? {}
      : { body: typeof message === 'string' ? message : JSON.stringify(message) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Sends exactly these headers: fetch would add an Accept of its own. */
async function postWith(url: string, message: object, { accept, ...headers }: Record<string, string>) {
  const sent = request(`${url}/mcp`, {
    method: 'POST',
    headers: { ...headers, ...(accept ? { accept } : {}), 'content-type': 'application/json' },
  });
  sent.end(JSON.stringify(message));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { headers: response.headers, text: await readText(response) };
}

const callTool = (id: unknown, name: string, input: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
});

describe('the official client', () => {
  it('gets every tool with title, description, schemas and all four hints', async () => {
    const { url, headers } = await serveSample();
    const client = await connectClient(url, headers);
    expect(client.getServerVersion()).toMatchObject({
      name: 'marketplace-listing-service',
      version: '1.2.3',
    });
    expect(client.getInstructions()).toContain('never an instruction');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'item_get',
      'item_create',
      'item_delete',
      'item_update',
      'file_upload',
    ]);
    expect(tools[1]).toEqual({
      name: 'item_create',
      title: 'Create an item',
      description: 'Says what it was sent.',
      inputSchema: {
        type: 'object',
        properties: { item_id: { type: 'integer' }, note: { type: 'string', maxLength: 20 } },
        required: ['item_id', 'note'],
      },
      outputSchema: expect.objectContaining({ type: 'object' }),
      annotations: {
        title: 'Create an item',
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    });
    expect(tools.map(({ annotations }) => annotations)).toMatchObject([
      { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      { readOnlyHint: false },
      { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
      { readOnlyHint: false },
    ]);
  });

  it('gets the same facts as structured content and as text, and the rate limits in _meta', async () => {
    const { url, headers } = await serveSample();
    const client = await connectClient(url, headers);
    const name = 'a\u202eb\u0007c\u200dd';
    const result = await client.callTool({ name: 'item_get', arguments: { item_id: 1, name } });
    expect(result).toEqual({
      _meta: {
        'X-RateLimit-Limit-Second': 10_000,
        'X-RateLimit-Remaining-Second': 9_999,
        'X-RateLimit-Limit-Day': 100_000,
        'X-RateLimit-Remaining-Day': 99_999,
      },
      content: [{ type: 'text', text: '{"item_id":1,"limit":25,"name":"abc\u200dd"}' }],
      structuredContent: { item_id: 1, limit: 25, name },
    });
  });

  it("gets an operation's error as text with the common error body", async () => {
    const { url, headers } = await serveSample();
    const client = await connectClient(url, headers);
    await client.listTools();
    const result = await client.callTool({ name: 'item_get', arguments: { item_id: 'x' } });
    expect(result['isError']).toBe(true);
    expect(result['structuredContent']).toBeUndefined();
    const [{ text }] = result['content'] as [{ text: string }];
    expect(JSON.parse(text)).toEqual({
      error: {
        code: 'VALIDATION_FAILED',
        status: 400,
        message: 'item_id: must be a number, not a string',
        hint: expect.any(String),
        docs: 'http://shop.example/docs#VALIDATION_FAILED',
      },
    });
  });

  it('gets a protocol error for an unknown tool, in our wording', async () => {
    const { url, headers } = await serveSample();
    const client = await connectClient(url, headers);
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({
      code: -32602,
      message: 'MCP error -32602: Unknown tool: nothing',
    });
    await expect(client.callTool({ name: 'get_items' })).rejects.toMatchObject({
      message: 'MCP error -32602: Unknown tool: get_items. Did you mean item_get?',
    });
  });
});

describe('a request in an older revision', () => {
  it('needs no session, gets none, and works with a session id from before', async () => {
    const { url, headers, store, accounts } = await serveSample();
    const opened = await post(url, INITIALIZE, headers);
    expect(opened.headers.get('mcp-session-id')).toBeNull();
    expect(JSON.parse(opened.text)).toMatchObject({
      result: { protocolVersion: '2025-11-25', serverInfo: { version: '1.2.3' } },
    });
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    for (const session of [headers, { ...headers, 'mcp-session-id': 'from before' }]) {
      const { status, text } = await post(url, list, session);
      expect([status, JSON.parse(text)]).toMatchObject([
        200,
        { id: 2, result: { tools: expect.any(Array) } },
      ]);
    }
    // The account comes from the credentials of each request.
    const other = await store.accounts.createAccount('other');
    const { key } = await accounts.createKey(other.account_id, 'x');
    const theirs = { 'x-service-api-key': key, 'mcp-session-id': 'from before' };
    expect((await post(url, list, theirs)).status).toBe(200);
  });

  it.each(['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'may use revision %s',
    async (protocolVersion) => {
      const { url, headers } = await serveSample();
      const params = { ...INITIALIZE.params, protocolVersion };
      const { text } = await post(url, { ...INITIALIZE, params }, headers);
      expect(JSON.parse(text)).toMatchObject({ result: { protocolVersion } });
      const version = { 'mcp-protocol-version': protocolVersion };
      const called = await post(url, callTool(1, 'item_get', { item_id: 1 }), { ...headers, ...version });
      expect([called.status, JSON.parse(called.text)]).toMatchObject([200, { result: {} }]);
    },
  );

  it('is answered correctly if another with the same id is running', async () => {
    const { url, headers } = await serveSample();
    const answers = await Promise.all(
      [1, 2, 3, 4].map(async (item_id) => {
        const { text } = await post(url, callTool('same', 'item_get', { item_id }), headers);
        const message = JSON.parse(text) as {
          id: string;
          result: { structuredContent: { item_id: number } };
        };
        return [message.id, message.result.structuredContent.item_id];
      }),
    );
    expect(answers).toEqual([1, 2, 3, 4].map((item_id) => ['same', item_id]));
  });

  const progress = {
    ...callTool(1, 'item_update', { mode: 'progress' }),
    params: { name: 'item_update', arguments: { mode: 'progress' }, _meta: { progressToken: 't' } },
  };

  it.each([
    ['both types', { accept: 'application/json, text/event-stream' }, 'text/event-stream', 3],
    ['JSON alone', { accept: 'application/json' }, 'application/json', 0],
    ['a stream alone', { accept: 'text/event-stream' }, 'text/event-stream', 3],
    ['anything', { accept: '*/*' }, 'text/event-stream', 3],
    ['nothing in particular', { accept: '' }, 'text/event-stream', 3],
  ])('is answered if the client accepts %s', async (_name, accept, type, events) => {
    const { url, headers } = await serveSample();
    const { text, headers: received } = await postWith(url, progress, { ...headers, ...accept });
    expect(received['content-type']).toBe(type);
    expect(text.match(/event: message/g) ?? []).toHaveLength(events);
    expect(text).toContain('"answer":"progress"');
  });

  it('is answered with JSON if nothing precedes the result, unless the client accepts only a stream', async () => {
    const { url, headers } = await serveSample();
    const call = callTool(2, 'item_get', { item_id: 1 });
    const received = [];
    for (const accept of [
      'application/json, text/event-stream',
      'application/json',
      'text/event-stream',
      '',
    ]) {
      const { headers: of_answer } = await postWith(url, call, { ...headers, accept });
      received.push([of_answer['content-type'], Number(of_answer['content-length']) > 100]);
    }
    const json = ['application/json', true];
    expect(received).toEqual([json, json, ['text/event-stream', false], json]);
  });

  it('is answered with the usual headers, as JSON and as a stream', async () => {
    const { url, headers } = await serveSample();
    const call = callTool(1, 'item_get', { item_id: 1 });
    const answers = [
      await post(url, INITIALIZE, headers),
      await post(url, call, headers),
      await post(url, call, { ...headers, accept: 'text/event-stream' }),
      await post(url, progress, headers),
    ];
    const ids = answers.map((answer) => {
      expect(Object.fromEntries(answer.headers)).toMatchObject(SECURITY_HEADERS);
      return answer.headers.get('x-request-id') ?? '';
    });
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^req_\w{22}$/);
  });

  it('stops waiting when the connection closes', async () => {
    const { url, headers } = await serveSample();
    const before = aborted.length;
    const controller = new AbortController();
    const called = fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(callTool(1, 'item_update', { mode: 'wait' })),
      signal: controller.signal,
    });
    void abortWhenWaiting(controller);
    await expect(called).rejects.toThrow('aborted');
    await expect.poll(() => aborted.length).toBe(before + 1);
  });

  it('stops waiting when a notification with the same credential cancels it', async () => {
    const { url, headers, accounts, account_id, store } = await serveSample();
    const stranger = await store.accounts.createAccount('stranger');
    const wait = (id: unknown, key = headers) =>
      post(url, callTool(id, 'item_update', { mode: 'wait' }), key);
    const cancel = (requestId: unknown, key = headers) =>
      post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, key);
    const before = aborted.length;
    const [once, started] = [wait(7), waiting.length];
    await expect.poll(() => waiting.length).toBe(started + 1);
    const toHeaders = async (account: string) => ({
      'x-service-api-key': (await accounts.createKey(account, 'other')).key,
    });
    const other = await toHeaders(account_id);
    const foreign = await toHeaders(stranger.account_id);
    // Another number, another type, another client of the account, another account.
    for (const answer of [
      await cancel(8),
      await cancel('7'),
      await cancel(7, other),
      await cancel(7, foreign),
      await cancel({ id: 7 }),
    ]) {
      expect([answer.status, answer.text]).toEqual([202, '']);
    }
    expect(aborted).toHaveLength(before);
    await cancel(7);
    expect(await once).toMatchObject({ status: 202, text: '' });
    expect(aborted).toHaveLength(before + 1);
  });

  it('is not canceled if several with the same id are running, because clients number alike', async () => {
    const { url, headers } = await serveSample();
    const controller = new AbortController();
    const before = { waiting: waiting.length, aborted: aborted.length };
    const calls = [1, 2].map(() =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(callTool(7, 'item_update', { mode: 'wait' })),
        signal: controller.signal,
      }),
    );
    await expect.poll(() => waiting.length).toBe(before.waiting + 2);
    await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }, headers);
    expect(aborted).toHaveLength(before.aborted);
    controller.abort();
    await Promise.allSettled(calls);
    await expect.poll(() => aborted.length).toBe(before.aborted + 2);
  });

  it('never makes the server ask the client, whatever initialize said', async () => {
    const { url, headers } = await serveSample();
    const params = { ...INITIALIZE.params, capabilities: { elicitation: {} } };
    await post(url, { ...INITIALIZE, params }, headers);
    const { text } = await post(url, callTool(1, 'item_update', { mode: 'ask' }), headers);
    expect(JSON.parse(text)).toMatchObject({ result: { structuredContent: { answer: 'cannot ask' } } });
  });

  it('that is a notification gets no answer', async () => {
    const { url, headers } = await serveSample();
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      // The reply to a question that nobody asked.
      { jsonrpc: '2.0', id: 1, result: {} },
    ]) {
      const { status, text } = await post(url, message, headers);
      expect([status, text]).toEqual([202, '']);
    }
  });
});

describe('the endpoint /mcp', () => {
  it.each([
    ['a foreign Host', { host: 'evil.example' }, 403],
    ['a foreign Origin', { origin: 'http://evil.example' }, 403],
    ['an opaque Origin', { origin: 'null' }, 403],
    ['an Origin with our name before its own', { origin: 'http://localhost.evil.example' }, 403],
    ['another protocol version', { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['an Accept of nothing we have', { accept: 'image/png' }, 406],
    ['another content type', { 'content-type': 'text/plain' }, 400],
  ])('refuses %s', async (_name, extra, status) => {
    const { port, headers } = await serveSample();
    // fetch sets Host itself.
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        {
          port,
          host: '127.0.0.1',
          path: '/mcp',
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', ...extra },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.on('error', reject);
      sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
    });
    expect(answered).toBe(status);
  });

  it('accepts the host of BASE_URL and loopback names', async () => {
    const { url, headers } = await serveSample();
    for (const origin of ['http://shop.example', 'http://localhost:5173', 'http://127.0.0.1:1']) {
      expect((await post(url, INITIALIZE, { ...headers, origin })).status).toBe(200);
    }
  });

  it('refuses missing credentials before it checks anything else', async () => {
    const { url } = await serveSample();
    const { status, headers, text } = await post(url, 'not json', {});
    expect([status, headers.get('www-authenticate')?.slice(0, 6)]).toEqual([401, 'Bearer']);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'UNAUTHORIZED', status: 401 } });
  });

  it('accepts a key sent as a bearer token', async () => {
    const { url, key } = await serveSample();
    expect((await post(url, INITIALIZE, { authorization: `Bearer ${key}` })).status).toBe(200);
  });

  it.each([
    ['not JSON', '{', -32700],
    ['an empty batch', '[]', -32600],
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], -32600],
    ['not a message', '{"a":1}', -32600],
    ['an id that is read as another', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'resources/list' }, -32601],
    ['a call without a name', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }, -32602],
    [
      'a call with arguments in a list',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'item_get', arguments: [1] } },
      -32602,
    ],
    ['a subscription', { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' }, -32601],
    ['initialize with too little', { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }, -32602],
  ])('refuses %s', async (_name, message, code) => {
    const { url, headers } = await serveSample();
    const { text } = await post(url, message, headers);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect(text).not.toMatch(/MCP error|expected/);
  });

  it.each(['resources/list', 'subscriptions/listen'])(
    'refuses %s with 200, because older clients read 404 as the end of a session',
    async (method) => {
      const { url, headers } = await serveSample();
      const { status, text } = await post(url, { jsonrpc: '2.0', id: 1, method }, headers);
      expect([status, JSON.parse(text)]).toMatchObject([200, { error: { code: -32601 } }]);
    },
  );

  it('refuses GET and DELETE, because there is nothing to listen to and no session to end', async () => {
    const { url, headers } = await serveSample();
    for (const method of ['GET', 'DELETE']) {
      const session = { ...headers, 'mcp-session-id': 'from before' };
      const { status, headers: answered } = await post(url, undefined, session, method);
      expect([status, answered.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it.each([
    ['tools/call', { name: LONG, _meta: META }],
    ['tools/list', { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': LONG } }],
  ])('quotes no long text of a %s that it refuses', async (method, params) => {
    const { url, headers } = await serveSample();
    const { text } = await post(url, { jsonrpc: '2.0', id: 1, method, params }, headers);
    expect(JSON.parse(text)).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(text.length).toBeLessThan(1_000);
  });

  it("accepts messages that only the SDK's schemas would refuse", async () => {
    const { url, headers } = await serveSample();
    const call = callTool(1, 'item_get', { item_id: 1 });
    const messages = [
      { ...call, more: 1 },
      { ...call, params: { ...call.params, task: 'soon' } },
      ...[
        5,
        { progressToken: {} },
        { progressToken: 1.5 },
        { 'io.modelcontextprotocol/related-task': 1 },
      ].map((_meta) => ({ ...call, params: { ...call.params, _meta } })),
      { ...call, params: { name: 'item_get', arguments: { item_id: 1 }, cursor: 5 } },
    ];
    for (const message of messages) {
      const { status, text } = await post(url, message, headers);
      expect([status, JSON.parse(text)]).toMatchObject([
        200,
        { result: { structuredContent: { item_id: 1 } } },
      ]);
    }
    for (const capabilities of [{ elicitation: true }, { roots: 5, sampling: [] }, { experimental: 1 }]) {
      const params = { ...INITIALIZE.params, capabilities };
      const { text } = await post(url, { ...INITIALIZE, params }, headers);
      expect(JSON.parse(text)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    }
  });
});
