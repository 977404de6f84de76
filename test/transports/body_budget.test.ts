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
const ITEM = { note: 'small' };
const ITEMS = '/api/v1/items/1/copies';
const pad = (value: object, size_bytes: number) => JSON.stringify(value) + ' '.repeat(size_bytes);

/** A sample with memory for three times HELD_BYTES, of which one sender may hold one. */
async function serve() {
  const { url, port, accounts, key } = await serveSample(
    { base_url: 'http://127.0.0.1:3000' },
    { max_bodies_mb: 2.2 },
  );
  const readTaken = async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^listing_service_body_bytes (\d+)$/m.exec(text)?.[1]);
  };
  const post = async (path: string, body: string, own_key = key) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: {
        'x-service-api-key': own_key,
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
  /** Sends HELD_BYTES of a body and never finishes it. */
  const hold = async (own_key: string) => {
    const before = await readTaken();
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Service-API-Key: ${own_key}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${HELD_BYTES + 100_000}\r\n\r\n`,
    );
    socket.write('{"a":"'.padEnd(HELD_BYTES, 'x'));
    await expect.poll(readTaken).toBe(before + HELD_BYTES);
    return socket;
  };
  const buildKey = async (name: string) => {
    const { account_id } = await accounts.create(name);
    return (await accounts.createKey(account_id, name)).key;
  };
  return { post, hold, readTaken, key, buildKey };
}

const REFUSED = {
  error: {
    code: 'RATE_LIMIT_SECOND',
    message: 'The service is already reading as many request bodies as it can hold.',
  },
};

it('requests being read take at most their share of memory, and small ones still get through', async () => {
  const { post, hold, readTaken, buildKey } = await serve();
  const sockets = [];
  for (const name of ['one', 'two', 'three']) sockets.push(await hold(await buildKey(name)));

  for (const path of ['/mcp', ITEMS]) {
    const refused = await post(path, pad(INITIALIZE, 500_000));
    expect([path, refused.status, refused.retry_after]).toEqual([path, 429, '2']);
    expect(JSON.parse(refused.text)).toMatchObject(REFUSED);
  }
  expect((await post('/mcp', pad(INITIALIZE, 10))).status).toBe(200);
  expect(await readTaken()).toBe(3 * HELD_BYTES);

  for (const socket of sockets) {
    socket.destroy();
    await once(socket, 'close');
  }
  await expect.poll(readTaken).toBe(0);
  expect((await post(ITEMS, pad(ITEM, 500_000))).status).toBe(201);
  expect(await readTaken()).toBe(0);
});

it('an account that sends slowly leaves half of the memory to others', async () => {
  const { post, hold, readTaken, key, buildKey } = await serve();
  const socket = await hold(key);

  const refused = await post('/mcp', pad(INITIALIZE, 500_000));
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([429, REFUSED]);
  const other = await post(ITEMS, pad(ITEM, 500_000), await buildKey('another'));
  expect(other.status).toBe(201);

  socket.destroy();
  await expect.poll(readTaken).toBe(0);
  expect((await post(ITEMS, pad(ITEM, 500_000))).status).toBe(201);
});
