import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it, onTestFinished } from 'vitest';
import { serveSample } from './sample.js';

const GRACE_MS = 1_500;
const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 't', version: '1' },
};

/** A call of a client whose person has been asked, and never answers. */
async function askPerson(url: string, headers: Record<string, string>) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  const asked = new Promise<void>((resolve) => {
    client.setRequestHandler(ElicitRequestSchema, () => {
      resolve();
      return new Promise(() => undefined);
    });
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  onTestFinished(() => client.close());
  const called = client.callTool({ name: 'item_update', arguments: { mode: 'ask' } });
  await asked;
  return { called };
}

it('a call that waits for a person is answered before its connection is cut', async () => {
  const { face, url, headers } = await serveSample();
  const { called } = await askPerson(url, headers);
  await face.close(GRACE_MS);
  expect((await called).structuredContent).toEqual({ answer: 'unanswered' });
});

it('an answer says that its connection ends with it, once the server is stopping', async () => {
  const { face, port, headers } = await serveSample();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE });
  const sent = request({
    host: '127.0.0.1',
    port,
    path: '/mcp',
    method: 'POST',
    agent,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
  });
  sent.flushHeaders();
  await once(sent, 'continue');
  const closed = face.close(GRACE_MS);
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  await text(answer);
  expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close']);
  await closed;
});
