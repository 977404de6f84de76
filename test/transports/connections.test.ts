import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { capConnections } from '../../src/transports/http/connections.js';

const MAX = 3;
/** More than the system buffers of an answer that is not read. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

let server: Server;
let port: number;
let sockets: Socket[];
/** Paths of the requests received. */
let asked: string[];

beforeEach(async () => {
  asked = [];
  sockets = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/large') response.end(LARGE);
    if (request.url === '/form') request.resume().once('end', () => response.end('read'));
    if (request.url === '/quick') response.end('quick');
    // No other path is ever answered.
  });
  capConnections(server, MAX);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** Sends this text on its own connection, and waits until the server has seen the request. */
async function send(text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  const before = asked.length;
  socket.pause();
  socket.write(text);
  await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(before + 1);
  return socket;
}

function ask(path: string): Promise<string> {
  return new Promise((resolve) => {
    const sent = get({ port, host: '127.0.0.1', path, agent: false }, (response) => {
      response.resume().once('end', () => resolve(`status ${response.statusCode}`));
    });
    sent.once('error', () => resolve('refused'));
  });
}

const slowForm = (body: string) => `POST /form HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n${body}`;

describe('when all connections are in use', () => {
  it.each([
    ['bodies that do not end', slowForm('a=')],
    ['answers that are not read', 'GET /large HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('%s make room', async (_name, text) => {
    for (let index = 0; index < MAX; index += 1) await send(text);
    expect(await ask('/quick')).toBe('status 200');
  });

  it('the slowest body is dropped, not one that is still arriving', async () => {
    const good = await send(slowForm('a='));
    good.write('a'.repeat(90_000));
    await send(slowForm('a='));
    await send(slowForm('a='));
    expect(await ask('/quick')).toBe('status 200');
    good.resume().end('a'.repeat(9_998));
    const [answer] = (await once(good, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('a request that waits for the server keeps its connection, and the new one is refused', async () => {
    for (let index = 0; index < MAX; index += 1) await send('GET /long HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await ask('/quick')).toBe('refused');
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
  });
});
