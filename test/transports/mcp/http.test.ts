import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, type Progress } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SECURITY_HEADERS } from '../../../src/transports/http/security_headers.js';
import { aborted, abortWhenWaiting, serveSample } from '../sample.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};

async function connectClient(
  url: string,
  headers: Record<string, string>,
  capabilities: object = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** One POST to /mcp as written. */
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

async function openRawSession(url: string, headers: Record<string, string>) {
  const opened = await post(url, INITIALIZE, headers);
  return { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
}

const callTool = (id: unknown, name: string, input: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
});

describe('the official client', () => {
  it('lists every tool with title, description, schemas and all four hints', async () => {
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

  it('gets the same facts as structured content and as text, and the limits in _meta', async () => {
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

  it('gets a refusal as text with the one error body', async () => {
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

  it('gets a protocol error for an unknown tool, in our words', async () => {
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

  it('hears of progress that grows', async () => {
    const { url, headers } = await serveSample();
    const client = await connectClient(url, headers);
    const heard: Progress[] = [];
    const result = await client.callTool(
      { name: 'item_update', arguments: { mode: 'progress' } },
      undefined,
      {
        onprogress: (progress) => heard.push(progress),
      },
    );
    expect(result['structuredContent']).toEqual({ answer: 'progress' });
    expect(heard).toEqual([
      { progress: 1, total: 2, message: 'step 1' },
      { progress: 2, total: 2, message: 'step 2' },
    ]);
  });

  it.each([
    [{ action: 'accept', content: { confirm: true } }, 'accepted'],
    [{ action: 'accept', content: { confirm: false } }, 'dismissed'],
    [{ action: 'decline' }, 'dismissed'],
    [{ action: 'cancel' }, 'dismissed'],
  ] as const)('asks its person and takes %o, at once, as %s', async (reply, answer) => {
    const { url, headers } = await serveSample();
    const client = await connectClient(url, headers, { elicitation: {} });
    const questions: unknown[] = [];
    client.setRequestHandler(ElicitRequestSchema, (request) => {
      questions.push(request.params);
      return reply;
    });
    const result = await client.callTool({ name: 'item_update', arguments: { mode: 'ask' } });
    expect(result['structuredContent']).toEqual({ answer });
    expect(questions).toMatchObject([
      { message: 'Pay 0.20 USD?', requestedSchema: { required: ['confirm'] } },
    ]);
  });

  it('is not asked when it cannot show a form', async () => {
    const { url, headers } = await serveSample();
    for (const capabilities of [{}, { elicitation: { url: {} } }]) {
      const client = await connectClient(url, headers, capabilities);
      const result = await client.callTool({ name: 'item_update', arguments: { mode: 'ask' } });
      expect(result['structuredContent']).toEqual({ answer: 'cannot ask' });
    }
  });

  it('ends the waiting of a call that it cancels', async () => {
    const { url, headers } = await serveSample();
    const client = await connectClient(url, headers);
    const before = aborted.length;
    const controller = new AbortController();
    const waiting = client.callTool({ name: 'item_update', arguments: { mode: 'wait' } }, undefined, {
      signal: controller.signal,
    });
    void abortWhenWaiting(controller, 'enough');
    await expect(waiting).rejects.toThrow('enough');
    await expect.poll(() => aborted.length).toBe(before + 1);
  });
});

describe('a session', () => {
  it('is needed after initialize, belongs to its account, and can be ended', async () => {
    const { url, headers, store, accounts } = await serveSample();
    const session = await openRawSession(url, headers);
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    expect((await post(url, list, session)).status).toBe(200);
    expect((await post(url, list, headers)).status).toBe(400);
    expect((await post(url, list, { ...session, 'mcp-session-id': 'other' })).status).toBe(404);

    const other = await store.accounts.createAccount('other');
    const { key } = await accounts.createKey(other.account_id, 'x');
    expect((await post(url, list, { ...session, 'x-service-api-key': key })).status).toBe(404);

    expect((await post(url, undefined, session, 'DELETE')).status).toBe(200);
    expect((await post(url, list, session)).status).toBe(404);
  });

  it('answers two requests of one id each with its own answer', async () => {
    const { url, headers } = await serveSample();
    const session = await openRawSession(url, headers);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(async (item_id) => {
        const { text } = await post(url, callTool('same', 'item_get', { item_id }), session);
        const message = JSON.parse(text) as {
          id: string;
          result: { structuredContent: { item_id: number } };
        };
        return [message.id, message.result.structuredContent.item_id];
      }),
    );
    expect(answers).toEqual([1, 2, 3, 4].map((item_id) => ['same', item_id]));
  });

  it('answers plain JSON, also to a client that takes nothing else', async () => {
    const { url, headers } = await serveSample();
    const session = await openRawSession(url, headers);
    const progress = {
      ...callTool(1, 'item_update', { mode: 'progress' }),
      params: { name: 'item_update', arguments: { mode: 'progress' }, _meta: { progressToken: 't' } },
    };
    const plain = await post(url, progress, { ...session, accept: 'application/json' });
    expect(plain.headers.get('content-type')).toBe('application/json');
    const stream = await post(url, progress, session);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.text.match(/event: message/g)).toHaveLength(3);
    const only = await post(url, callTool(2, 'item_get', { item_id: 1 }), {
      ...session,
      accept: 'text/event-stream',
    });
    expect(only.headers.get('content-type')).toBe('text/event-stream');
  });

  it('has the headers of every answer, as JSON and as a stream', async () => {
    const { url, headers } = await serveSample();
    const opened = await post(url, INITIALIZE, headers);
    const session = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const call = callTool(1, 'item_get', { item_id: 1 });
    const plain = await post(url, call, session);
    const stream = await post(url, call, { ...session, accept: 'text/event-stream' });
    expect(opened.headers.get('mcp-session-id')).toMatch(/^\w{22}$/);
    const ids = [opened, plain, stream].map((answer) => {
      expect(Object.fromEntries(answer.headers)).toMatchObject(SECURITY_HEADERS);
      return answer.headers.get('x-request-id') ?? '';
    });
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^req_\w{22}$/);
  });

  it('ends the waiting when the connection goes', async () => {
    const { url, headers } = await serveSample();
    const session = await openRawSession(url, headers);
    const before = aborted.length;
    const controller = new AbortController();
    const waiting = fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { ...session, 'content-type': 'application/json' },
      body: JSON.stringify(callTool(1, 'item_update', { mode: 'wait' })),
      signal: controller.signal,
    });
    void abortWhenWaiting(controller);
    await expect(waiting).rejects.toThrow('aborted');
    await expect.poll(() => aborted.length).toBe(before + 1);
  });

  it('asks no question of a client that takes no stream, and says so at once', async () => {
    const { url, headers } = await serveSample();
    const params = { ...INITIALIZE.params, capabilities: { elicitation: {} } };
    const opened = await post(url, { ...INITIALIZE, params }, headers);
    const session_id = opened.headers.get('mcp-session-id') ?? '';
    const { text } = await post(url, callTool(1, 'item_update', { mode: 'ask' }), {
      ...headers,
      'mcp-session-id': session_id,
      accept: 'application/json',
    });
    expect(JSON.parse(text)).toMatchObject({ result: { structuredContent: { answer: 'dismissed' } } });
  });

  it('takes a batch where its revision has them, and answers it in one piece', async () => {
    const { url, headers } = await serveSample();
    const batch = [1, 2].map((item_id) => callTool(item_id, 'item_get', { item_id }));
    const answers: unknown[] = [];
    for (const protocolVersion of ['2025-03-26', '2025-11-25']) {
      const params = { ...INITIALIZE.params, protocolVersion };
      const opened = await post(url, { ...INITIALIZE, params }, headers);
      const session = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
      const { status, text } = await post(url, batch, session);
      const told = JSON.parse(text) as { id: number }[] | object;
      // In any order, as each is done.
      answers.push([status, Array.isArray(told) ? told.toSorted((a, b) => a.id - b.id) : told]);
      const notification = [{ jsonrpc: '2.0', method: 'notifications/initialized' }];
      answers.push((await post(url, notification, session)).status);
    }
    expect(answers).toMatchObject([
      [200, [{ id: 1, result: { structuredContent: { item_id: 1 } } }, { id: 2 }]],
      202,
      [400, { error: { code: -32600 } }],
      400,
    ]);
  });

  it('takes notifications without an answer', async () => {
    const { url, headers } = await serveSample();
    const session = await openRawSession(url, headers);
    const { status, text } = await post(
      url,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      session,
    );
    expect([status, text]).toEqual([202, '']);
  });
});

describe('what is refused', () => {
  it.each([
    ['a foreign Host', { host: 'evil.example' }, 403],
    ['a foreign Origin', { origin: 'http://evil.example' }, 403],
    ['an opaque Origin', { origin: 'null' }, 403],
    ['an Origin with our name before its own', { origin: 'http://localhost.evil.example' }, 403],
    ['another protocol version', { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['an Accept of nothing we have', { accept: 'image/png' }, 406],
    ['another content type', { 'content-type': 'text/plain' }, 400],
  ])('%s', async (_name, extra, status) => {
    const { port, url, headers } = await serveSample();
    const session = await openRawSession(url, headers);
    const { request } = await import('node:http');
    // fetch sets Host itself.
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        {
          port,
          host: '127.0.0.1',
          path: '/mcp',
          method: 'POST',
          headers: { ...session, 'content-type': 'application/json', ...extra },
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

  it('lets in the name of BASE_URL and loopback names', async () => {
    const { url, headers } = await serveSample();
    for (const origin of ['http://shop.example', 'http://localhost:5173', 'http://127.0.0.1:1']) {
      expect((await post(url, INITIALIZE, { ...headers, origin })).status).toBe(200);
    }
  });

  it('missing credentials, before anything else is looked at', async () => {
    const { url } = await serveSample();
    const { status, headers, text } = await post(url, 'not json', {});
    expect([status, headers.get('www-authenticate')?.slice(0, 6)]).toEqual([401, 'Bearer']);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'UNAUTHORIZED', status: 401 } });
  });

  it('nothing of a key sent as a bearer token', async () => {
    const { url, key } = await serveSample();
    expect((await post(url, INITIALIZE, { authorization: `Bearer ${key}` })).status).toBe(200);
  });

  it.each([
    ['no JSON', '{', -32700],
    ['a batch', '[]', -32600],
    ['no message', '{"a":1}', -32600],
    ['an id that is read as another', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'resources/list' }, -32601],
    ['a call without a name', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }, -32602],
    ['initialize with too little', { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }, -32602],
  ])('%s', async (_name, message, code) => {
    const { url, headers } = await serveSample();
    const session = await openRawSession(url, headers);
    const { text } = await post(url, message, session);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect(text).not.toContain('MCP error');
  });

  it('GET, as there is nothing to listen to', async () => {
    const { url, headers } = await serveSample();
    const { status, headers: answered } = await post(url, undefined, headers, 'GET');
    expect([status, answered.get('allow')]).toEqual([405, 'POST, DELETE']);
  });
});
