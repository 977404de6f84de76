import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { startReceiver, type Receiver } from '../webhooks/receivers.js';

/** A receiver that misbehaves in its own way. `received`: its complete requests, if it reads them at all. */
type Hostile = { name: string } & Pick<Receiver, 'url' | 'received' | 'close'>;

const CHUNK = Buffer.alloc(64 * 1024, 'x');

/** @param elsewhere where the redirecting one redirects to */
export async function startHostile(elsewhere: string): Promise<Hostile[]> {
  const flapping = await startReceiver((response) => {
    // Some seconds of one behavior, some of another.
    if (Math.floor(Date.now() / 4_000) % 2 === 0) response.writeHead(200).end();
    else response.destroy();
  });
  return [
    { name: 'slow', ...(await startReceiver((response) => void setTimeout(() => response.end(), 5_000))) },
    { name: 'silent', ...(await startReceiver(() => undefined)) },
    { name: 'flapping', ...flapping },
    {
      name: 'redirecting',
      ...(await startReceiver((response) => response.writeHead(307, { location: elsewhere }).end())),
    },
    {
      name: 'asking for a week',
      ...(await startReceiver((response) => response.writeHead(503, { 'retry-after': '604800' }).end())),
    },
    { name: 'closing early', ...(await startRaw((socket) => socket.once('data', () => socket.destroy()))) },
    { name: 'resetting', ...(await startRaw((socket) => socket.resetAndDestroy())) },
    {
      name: 'endless at 200',
      ...(await startRaw((socket) => {
        socket.resume().write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n');
        const pump = () => {
          while (!socket.destroyed && socket.write(CHUNK));
        };
        socket.on('drain', pump);
        pump();
      })),
    },
    {
      name: 'endless headers',
      ...(await startRaw((socket) => {
        socket.resume().write('HTTP/1.1 200 OK\r\n');
        const dripping = setInterval(() => socket.write('x-more: 1\r\n'), 200);
        socket.once('close', () => clearInterval(dripping));
      })),
    },
    { name: 'never reading', ...(await startRaw((socket) => socket.pause())) },
    { name: 'no HTTP', ...(await startRaw((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))) },
  ];
}

async function startRaw(onSocket: (socket: Socket) => unknown): Promise<Omit<Hostile, 'name'>> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    received: [],
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
