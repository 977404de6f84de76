import { createServer } from 'node:net';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenOn } from '../../src/transports/http/face.js';

/** Answers with the address that the request came to. */
function build() {
  const server = Fastify();
  server.get('/', (request) => request.raw.socket.localAddress);
  return server;
}

const ask = async (host: string, port: number): Promise<string> =>
  (await fetch(`http://${host}:${port}/`)).text();

describe('localhost', () => {
  it.each(['127.0.0.1', '::1', 'localhost'])(
    'is answered at both of its addresses by a server on %s until it closes',
    async (host) => {
      const face = await listenOn(build(), { host, port: 0 });
      expect([await ask('127.0.0.1', face.port), await ask('[::1]', face.port)]).toEqual([
        '127.0.0.1',
        '::1',
      ]);
      await face.close(1_000);
      await expect(ask('127.0.0.1', face.port)).rejects.toThrow('fetch failed');
      await expect(ask('[::1]', face.port)).rejects.toThrow('fetch failed');
    },
  );

  it('counts as taken if another program has the port at one of its addresses', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '::1', () => resolve((other.address() as { port: number }).port));
    });
    onTestFinished(() => void other.close());
    await expect(listenOn(build(), { host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await expect(ask('127.0.0.1', port)).rejects.toThrow('fetch failed');
  });
});
