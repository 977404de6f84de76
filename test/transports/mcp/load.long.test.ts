import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/world/clock.js';
import { serveSample, waiting } from '../sample.js';
import { createStatelessClient } from './stateless_client.js';

/* The limits of one account on /mcp: small and large bodies, requests, notifications and garbage. */

const MAX = 1_000;
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Received = {
  status: number;
  retry_after: string | null;
  error: { code: number; message: string; data?: unknown } | undefined;
};

async function open(per_second = 2) {
  let now_ms = Date.now();
  const clock = { ...systemClock, now: () => new Date(now_ms) };
  const sample = await serveSample({ clock, per_second });
  const send = async (
    body: string,
    key = sample.key,
    more: Record<string, string> = {},
  ): Promise<Received> => {
    const response = await fetch(`${sample.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': key, ...more },
      body,
    });
    const text = await response.text();
    const { error } = (text === '' ? {} : JSON.parse(text)) as { error?: Received['error'] };
    return { status: response.status, retry_after: response.headers.get('retry-after'), error };
  };
  return {
    ...sample,
    send,
    pass: (duration_ms: number) => (now_ms += duration_ms),
    /** Uses up all but this many of the account's calls. */
    async use(left: number) {
      for (let used = 0; used < MAX - left; used += 50) {
        const count = Math.min(50, MAX - left - used);
        await Promise.all(Array.from({ length: count }, () => send(NOTIFICATION)));
      }
    },
  };
}

const NOTIFICATION = '{"jsonrpc":"2.0","method":"notifications/x"}';

const build = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** Every message counts toward the limit, even one that is not a request. */
const BODIES = {
  initialize: build('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  }),
  'completion/complete': build('completion/complete', { _meta: META }),
  'prompts/get': build('prompts/get', { _meta: META, name: 'x' }),
  'tools/list': build('tools/list', { _meta: META }),
  'a tool that does not exist': build('tools/call', { _meta: META, name: 'nothing' }),
  'a notification': '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  'an object that is not a message': '{}',
  'not JSON': '{',
};

describe('the messages of one account', () => {
  it('are counted whether valid or not, then rejected until the window ends', async () => {
    const { use, send, pass, service } = await open();
    const bodies = Object.entries(BODIES);
    await use(bodies.length);
    for (const [name, body] of bodies) expect([name, (await send(body)).status]).not.toEqual([name, 429]);
    let wait_s = 0;
    for (const [name, body] of bodies) {
      const refused = await send(body);
      wait_s = Number(refused.retry_after);
      expect({ name, ...refused }).toMatchObject({
        name,
        status: 429,
        retry_after: expect.stringMatching(/^([1-9]|10)$/),
        error: {
          code: -32005,
          message: expect.stringContaining('The limit of 1,000 messages in 10 seconds was exceeded.'),
          data: {
            error: {
              code: 'RATE_LIMIT_SECOND',
              status: 429,
              hint: expect.any(String),
              docs: `${service.docs_url}#RATE_LIMIT_SECOND`,
            },
            retry_after_seconds: wait_s,
          },
        },
      });
    }
    pass(wait_s * 1_000);
    for (const [name, body] of bodies) expect([name, (await send(body)).status]).not.toEqual([name, 429]);
  });

  it("do not count toward another account's limit, and have a higher limit if operations do", async () => {
    const { use, send, store, accounts } = await open();
    await use(0);
    expect((await send('{}')).status).toBe(429);
    const other = await store.accounts.createAccount('other');
    const { key } = await accounts.createKey(other.account_id, 'test');
    expect((await send('{}', key)).status).toBe(400);
    const wide = await open(1_000);
    await wide.use(0);
    expect((await wide.send('{}')).status).toBe(400);
  });

  it('are rejected if they would bring the unanswered ones over the limit of bytes', async () => {
    const { url, headers, send } = await open(10_000);
    const { callTool } = createStatelessClient(url, headers);
    // One text may have 250,000 characters, a message 1 MiB.
    const filler = Array.from({ length: 8 }, () => 'x'.repeat(130_000));
    const controller = new AbortController();
    const before = waiting.length;
    const held = Array.from({ length: 64 }, () =>
      callTool('item_update', { mode: 'wait', filler }, {}, { signal: controller.signal }).catch(
        () => 'ended',
      ),
    );
    await expect.poll(() => waiting.length - before, { timeout: 20_000 }).toBe(64);
    const large = build('tools/call', { name: 'item_update', arguments: { mode: 'progress', filler } });
    const refused = await send(large);
    expect(refused).toMatchObject({ status: 429, retry_after: '1', error: { code: -32005 } });
    expect((await send('{}')).status).toBe(400);
    controller.abort();
    await Promise.all(held);
    await expect.poll(async () => (await send(large)).status).not.toBe(429);
  });
});

const wrap = (message: object) => JSON.stringify({ jsonrpc: '2.0', id: 7, ...message });
const call = (name: string, input: object) => ({
  method: 'tools/call',
  params: { name, arguments: input, _meta: META },
});
const toHeaders = (method: string, name: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  'mcp-name': name,
});

describe('a message', () => {
  it('may have 1 MiB, or 8 MiB if it carries a file', async () => {
    const { send } = await open(10_000);
    const file = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(4 * 1024 * 1024)]).toString('base64');
    const large = wrap(call('item_get', { item_id: 1, name: file }));
    const refused = await send(large, undefined, toHeaders('tools/call', 'item_get'));
    expect(refused).toMatchObject({
      status: 400,
      error: {
        code: -32600,
        message: expect.stringContaining('A message other than file_upload may have 1024 KiB'),
      },
    });
    const upload = wrap(call('file_upload', { file, filename: 'a.gif' }));
    const taken = await send(upload, undefined, toHeaders('tools/call', 'file_upload'));
    expect([taken.status, taken.error]).toEqual([200, undefined]);
  });

  it('may have at most 64 KiB of details about the client', async () => {
    const { send } = await open();
    const introduce = (size: number) =>
      send(
        wrap({
          method: 'initialize',
          params: {
            protocolVersion: '2025-11-25',
            capabilities: { experimental: { x: { y: 'x'.repeat(size) } } },
            clientInfo: { name: 't', version: '1' },
          },
        }),
      );
    expect((await introduce(60 * 1024)).status).toBe(200);
    expect(await introduce(64 * 1024)).toMatchObject({
      status: 400,
      error: { code: -32600, message: expect.stringContaining('initialize may have 64 KiB') },
    });
  });

  it.each([
    ['keys', `{${Array.from({ length: 1_001 }, (_, index) => `"k${index}":1`).join(',')}}`],
    ['values', `[${'{},'.repeat(30_000)}1]`],
    ['levels', `${'['.repeat(33)}${']'.repeat(33)}`],
  ])('with too many %s is refused under its id', async (_name, extra) => {
    const { send, url, headers } = await open();
    const body = wrap(call('item_create', { item_id: 1, note: 'n' })).replace(
      '"note"',
      `"extra":${extra},"note"`,
    );
    const { status, error } = await send(body);
    expect([status, error?.code]).toEqual([400, -32700]);
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    expect(((await response.json()) as { id?: unknown }).id).toBe(7);
  });

  it.each([
    ['an id', { id: 'x'.repeat(1_001), ...call('item_get', { item_id: 1 }) }],
    [
      'a progress token',
      {
        method: 'tools/call',
        params: {
          name: 'item_get',
          arguments: { item_id: 1 },
          _meta: { ...META, progressToken: 'x'.repeat(1_001) },
        },
      },
    ],
  ])('with %s that is long is refused, because it would be sent back', async (_name, message) => {
    const { send } = await open();
    const { error } = await send(wrap(message), undefined, toHeaders('tools/call', 'item_get'));
    expect([-32600, -32602]).toContain(error?.code);
  });
});
