import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps at most so many connections open, so that descriptors cannot run out. Whoever comes beyond that takes the place of
 * a silent one: first of those that never asked anything, or whose headers never end, then of those that are kept for
 * later; of each the one that has been silent longest. Only when every connection is being answered is the newcomer turned
 * away.
 */
export function capConnections(server: Server, max_connections: number): void {
  const open = new Set<Socket>();
  // Longest first: a set keeps the order in which they fell silent.
  const unheard = new Set<Socket>();
  const kept = new Set<Socket>();
  const requests = new WeakMap<Socket, number>();

  const forget = (socket: Socket) => {
    open.delete(socket);
    unheard.delete(socket);
    kept.delete(socket);
  };

  server.on('connection', (socket: Socket) => {
    if (open.size >= max_connections) {
      const [silent = socket] = [...first(unheard), ...first(kept)];
      forget(silent);
      silent.destroy();
      if (silent === socket) return;
    }
    open.add(socket);
    unheard.add(socket);
    socket.once('close', () => forget(socket));
  });

  server.on('request', ({ socket }, response) => {
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    unheard.delete(socket);
    kept.delete(socket);
    response.once('close', () => {
      const left = (requests.get(socket) ?? 1) - 1;
      requests.set(socket, left);
      if (left > 0 || !open.has(socket)) return;
      // A server that is stopping waits for every connection, also for one that is only kept for later.
      if (server.listening) kept.add(socket);
      else socket.end();
    });
  });
}

function first(sockets: ReadonlySet<Socket>): Socket[] {
  const [socket] = sockets;
  return socket ? [socket] : [];
}
