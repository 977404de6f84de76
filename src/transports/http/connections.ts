import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps at most so many connections open, so that descriptors cannot run out. Whoever comes beyond that takes the place of
 * the connection that has asked nothing for the longest time: one that is kept for later, or whose headers never end. Only
 * when every connection is being answered is the newcomer turned away.
 */
export function capConnections(server: Server, max_connections: number): void {
  const open = new Set<Socket>();
  /** Longest first: a set keeps the order in which they fell silent. */
  const idle = new Set<Socket>();
  const requests = new WeakMap<Socket, number>();

  const drop = (socket: Socket) => {
    open.delete(socket);
    idle.delete(socket);
    socket.destroy();
  };

  server.on('connection', (socket: Socket) => {
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      idle.delete(socket);
    });
    const [silent = socket] = idle;
    if (open.size > max_connections) drop(silent);
  });

  server.on('request', ({ socket }, response) => {
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    idle.delete(socket);
    response.once('close', () => {
      const left = (requests.get(socket) ?? 1) - 1;
      requests.set(socket, left);
      if (left > 0 || !open.has(socket)) return;
      // A server that is stopping waits for every connection, also for one that is only kept for later.
      if (server.listening) idle.add(socket);
      else socket.end();
    });
  });
}
