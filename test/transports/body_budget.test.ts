import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { serveSample } from './sample.js';

const HELD_BYTES = 700_000;
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const pad = (value: object, size_bytes: number) => JSON.stringify(value) + ' '.repeat(size_bytes);

it('requests that are read at a time take no more memory than they may, and small ones come through', async () => {
  const { url, port, key, headers } = await serveSample(
    { base_url: 'http://127.0.0.1:3000' },
    { max_bodies_mb: 1 },
  );
  const readTaken = async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^listing_service_body_bytes (\d+)$/m.exec(text)?.[1]);
  };
  const post = async (path: string, body: string) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body,
    });
    return {
      status: answer.status,
      retry_after: answer.headers.get('retry-after'),
      text: await answer.text(),
    };
  };
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Service-API-Key: ${key}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${HELD_BYTES + 100_000}\r\n\r\n`,
  );
  socket.write('{"a":"'.padEnd(HELD_BYTES, 'x'));
  await expect.poll(readTaken).toBe(HELD_BYTES);

  for (const path of ['/mcp', '/api/v1/items/1/copies']) {
    const refused = await post(path, pad(INITIALIZE, 500_000));
    expect([path, refused.status, refused.retry_after]).toEqual([path, 429, '2']);
    expect(JSON.parse(refused.text)).toMatchObject({
      error: { code: 'RATE_LIMIT_SECOND', message: 'The service is reading as much as it may at a time.' },
    });
  }
  expect((await post('/mcp', pad(INITIALIZE, 10))).status).toBe(200);
  expect(await readTaken()).toBe(HELD_BYTES);

  socket.destroy();
  await once(socket, 'close');
  await expect.poll(readTaken).toBe(0);
  expect((await post('/api/v1/items/1/copies', pad({}, 500_000))).status).not.toBe(429);
  expect(await readTaken()).toBe(0);
});
