import { describe, expect, it } from 'vitest';
import { serveSample } from './sample.js';

type Line = Record<string, unknown> & { msg: string };

const readLines = (log: readonly string[]) => log.map((line) => JSON.parse(line) as Line);

const listRequests = (log: readonly string[]) => readLines(log).filter(({ msg }) => msg === 'request');

async function waitForRequests(log: readonly string[], count: number) {
  await expect.poll(() => listRequests(log).length).toBe(count);
  return listRequests(log);
}

async function served(options: Parameters<typeof serveSample>[1] = {}) {
  const sample = await serveSample({}, options);
  return { ...sample, waitForRequests: (count: number) => waitForRequests(sample.log, count) };
}

async function sendWithId(trust_proxy: boolean | string[], id: string) {
  const { url } = await served({ trust_proxy });
  const headers = { 'x-request-id': id, 'x-forwarded-for': '203.0.113.9' };
  return (await fetch(`${url}/healthz`, { headers })).headers.get('x-request-id');
}

describe('the request log', () => {
  it('has one line per request, with its id, and with operation and account if one was called', async () => {
    const { url, headers, account_id, waitForRequests } = await served();
    const first = await fetch(`${url}/api/v1/items/1?name=anna`, { headers });
    await fetch(`${url}/api/v1/items/1`, { method: 'DELETE', headers });
    await fetch(`${url}/api/v1/items/1`);
    await fetch(`${url}/nowhere/mls_0123456789`);
    const common = {
      level: 30,
      time: expect.any(String),
      msg: 'request',
      address: '127.0.0.1',
      request_id: expect.stringMatching(/^req_\w{22}$/),
      duration_ms: expect.any(Number),
    };
    const lines = await waitForRequests(4);
    expect(lines).toEqual([
      {
        ...common,
        method: 'GET',
        route: '/api/v1/items/:item_id',
        operation: 'item_get',
        account_id,
        status: 200,
      },
      {
        ...common,
        method: 'DELETE',
        route: '/api/v1/items/:item_id',
        operation: 'item_delete',
        account_id,
        code: 'INTERNAL',
        status: 500,
      },
      { ...common, method: 'GET', route: '/api/v1/items/:item_id', status: 401 },
      { ...common, method: 'GET', route: 'none', status: 404 },
    ]);
    expect(first.headers.get('x-request-id')).toBe(lines[0]?.['request_id']);
  });

  it('files a tool called over MCP under its request', async () => {
    const { url, headers, account_id, waitForRequests } = await served();
    await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'item_get',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'item_get',
          arguments: { item_id: 1 },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    }).then((response) => response.text());
    expect(await waitForRequests(1)).toMatchObject([{ route: '/mcp', operation: 'item_get', account_id }]);
  });

  it('omits probes, unless they fail', async () => {
    const { url, log, waitForRequests } = await served();
    await fetch(`${url}/healthz`);
    expect(await waitForRequests(1)).toMatchObject([{ level: 20, route: '/healthz' }]);
    expect(readLines(log).filter(({ level }) => level === 30)).toEqual([]);
  });

  it('takes a well-formed id from a trusted proxy, and from no other peer', async () => {
    expect(await sendWithId(['127.0.0.0/8'], 'trace-1')).toBe('trace-1');
    expect(await sendWithId(['127.0.0.0/8'], 'two words')).toMatch(/^req_/);
    expect(await sendWithId(['10.0.0.0/8'], 'trace-1')).toMatch(/^req_/);
    expect(await sendWithId(false, 'trace-1')).toMatch(/^req_/);
  });

  it('contains no key, no token and no path that could be one', async () => {
    const { url, headers, key, log, waitForRequests } = await served();
    const link = `${url}/upload/${'x'.repeat(32)}`;
    await fetch(link);
    await fetch(`${url}/api/v1/items/1?token=hush-hush`, {
      headers: { ...headers, authorization: 'Bearer very-secret-token' },
    });
    await fetch(`${url}/api/v1/items/1`, { headers: { 'x-service-api-key': 'mls_wrong0123456789' } });
    await waitForRequests(3);
    const text = log.join('\n');
    for (const secret of [key, 'hush-hush', 'very-secret-token', 'mls_wrong', 'x'.repeat(32)]) {
      expect(text).not.toContain(secret);
    }
  });
});
