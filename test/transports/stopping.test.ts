import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { serveSample } from './sample.js';

const GRACE_MS = 1_500;
const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 't', version: '1' },
};

it('an answer says that its connection closes, once the server is stopping', async () => {
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
