import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startRoundRobin } from '../round_robin.js';
import { aborted, abortWhenWaiting, serveSample } from './sample.js';

/*
 * Two instances on one folder behind a proxy that sends each request to the next of them.
 */

async function serveTwo() {
  const first = await serveSample();
  const second = await serveSample({ data_dir: first.data_dir });
  const proxy = await startRoundRobin([first.port, second.port]);
  onTestFinished(() => proxy.close());
  return { first, second, proxy, url: proxy.url, headers: first.headers };
}

async function connectClient(url: string, headers: Record<string, string>) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport };
}

const get = (client: Client) => client.callTool({ name: 'item_get', arguments: { item_id: 1 } });

describe('a session', () => {
  it('is one over all instances, and outlives each of them', async () => {
    const { first, second, proxy, url, headers } = await serveTwo();
    const { client, transport } = await connectClient(url, headers);
    for (let index = 0; index < 4; index += 1) await get(client);
    expect(proxy.counts.get(first.port)).toBeGreaterThan(1);
    expect(proxy.counts.get(second.port)).toBeGreaterThan(1);

    // A rolling restart: both are replaced, one after the other.
    const third = await serveSample({ data_dir: first.data_dir });
    proxy.use([second.port, third.port]);
    await first.face.close(0);
    expect((await get(client))['structuredContent']).toMatchObject({ item_id: 1 });
    proxy.use([third.port]);
    await second.face.close(0);
    expect((await get(client))['structuredContent']).toMatchObject({ item_id: 1 });

    const session_id = transport.sessionId ?? '';
    await transport.terminateSession();
    const again = await fetch(`${third.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'mcp-session-id': session_id },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
    expect(again.status).toBe(404);
  });

  it('takes a batch at any instance where its revision has them, and at none where not', async () => {
    const { first, second, headers } = await serveTwo();
    const open = async (protocolVersion: string) => {
      const response = await post(first.url, headers, {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion, capabilities: {}, clientInfo: { name: 't', version: '1' } },
      });
      const session = { ...headers, 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
      return (await post(second.url, session, [{ jsonrpc: '2.0', id: 2, method: 'ping' }])).status;
    };
    expect([await open('2025-03-26'), await open('2025-11-25')]).toEqual([200, 400]);
  });

  it('asks its person from one instance and hears the answer at another', async () => {
    const { url, headers } = await serveTwo();
    const { client } = await connectClient(url, headers);
    const asked: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { confirm: true } };
    });
    const calls = [1, 2, 3].map(() => client.callTool({ name: 'item_update', arguments: { mode: 'ask' } }));
    const answers = (await Promise.all(calls)).map((result) => result['structuredContent']);
    expect(answers).toEqual(calls.map(() => ({ answer: 'accepted' })));
    // One at a time: the answer of each goes to the instance that did not ask.
    const alone = await client.callTool({ name: 'item_update', arguments: { mode: 'ask' } });
    expect(alone['structuredContent']).toEqual({ answer: 'accepted' });
    expect(asked).toHaveLength(4);
  });

  it('cancels at one instance what waits at another', async () => {
    const { url, headers } = await serveTwo();
    const { client } = await connectClient(url, headers);
    const before = aborted.length;
    const controller = new AbortController();
    const waiting = client.callTool({ name: 'item_update', arguments: { mode: 'wait' } }, undefined, {
      signal: controller.signal,
    });
    void abortWhenWaiting(controller, 'enough');
    await expect(waiting).rejects.toThrow('enough');
    await expect.poll(() => aborted.length, { timeout: 5_000 }).toBe(before + 1);
  });

  it('that ends at one instance ends its waiting calls at another', async () => {
    const { first, second, headers } = await serveTwo();
    const opened = await post(first.url, headers, {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      },
    });
    const session = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const before = aborted.length;
    const params = { name: 'item_update', arguments: { mode: 'wait' } };
    const called = new AbortController();
    const waiting = post(first.url, session, { jsonrpc: '2.0', id: 2, method: 'tools/call', params });
    await abortWhenWaiting(called);
    expect((await fetch(`${second.url}/mcp`, { method: 'DELETE', headers: session })).status).toBe(200);
    await waiting;
    expect(aborted).toHaveLength(before + 1);
  });
});

function post(url: string, headers: Record<string, string>, body: unknown): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  });
}
