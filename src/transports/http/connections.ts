import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection that is silent for less may only just be going to ask. */
const SILENT_MS = 1_000;
/** Bytes a millisecond, below which a caller keeps us waiting. */
const SLOW_PACE = 1;

/** What a connection last asked, and what it had sent by then. */
type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  began_ms: number;
  bytes_before: number;
};

type Slowest = { socket: Socket; pace: number };

/**
 * Keeps at most so many connections open, so that descriptors cannot run out. Whoever comes beyond that takes the place of
 * a silent one: first of those that never asked anything, or whose headers never end, then of those that are kept for
 * later; of each the one that has been silent longest. Next is the slowest of those that have yet to send the rest of a
 * body or to read their answer, then whoever has been silent only for a moment. When every connection waits for us, the
 * newcomer is turned away.
 */
export function capConnections(server: Server, max_connections: number): void {
  const open = new Set<Socket>();
  // Since when; longest first, because a map keeps the order in which they fell silent.
  const unheard = new Map<Socket, number>();
  const kept = new Map<Socket, number>();
  const requests = new WeakMap<Socket, number>();
  const last = new WeakMap<Socket, Exchange>();

  const forget = (socket: Socket) => {
    open.delete(socket);
    unheard.delete(socket);
    kept.delete(socket);
  };

  function chooseForNewcomer(): Socket | undefined {
    const silent = findSilent(unheard, SILENT_MS) ?? findSilent(kept, SILENT_MS);
    if (silent) return silent;
    const slowest = findSlowest(open, last);
    if (slowest && slowest.pace < SLOW_PACE) return slowest.socket;
    return findSilent(unheard, 0) ?? findSilent(kept, 0) ?? slowest?.socket;
  }

  server.on('connection', (socket: Socket) => {
    if (open.size >= max_connections) {
      const given_up = chooseForNewcomer() ?? socket;
      forget(given_up);
      given_up.destroy();
      if (given_up === socket) return;
    }
    open.add(socket);
    unheard.set(socket, performance.now());
    socket.once('close', () => forget(socket));
  });

  server.on('request', (request, response) => {
    const { socket } = request;
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    last.set(socket, { request, response, began_ms: performance.now(), bytes_before: socket.bytesRead });
    unheard.delete(socket);
    kept.delete(socket);
    response.on('close', () => {
      const left = (requests.get(socket) ?? 1) - 1;
      requests.set(socket, left);
      if (left > 0 || !open.has(socket)) return;
      // A server that is stopping waits for every connection, also for one that is only kept for later.
      if (server.listening) kept.set(socket, performance.now());
      else socket.end();
    });
  });
}

/** The one that has been silent longest, if it is for so long. */
function findSilent(since: ReadonlyMap<Socket, number>, min_ms: number): Socket | undefined {
  const [[socket, since_ms] = []] = since;
  return since_ms !== undefined && performance.now() - since_ms >= min_ms ? socket : undefined;
}

function findSlowest(sockets: ReadonlySet<Socket>, last: WeakMap<Socket, Exchange>): Slowest | undefined {
  const now_ms = performance.now();
  let slowest: Slowest | undefined;
  for (const socket of sockets) {
    const exchange = last.get(socket);
    if (!exchange || !isTheirTurn(exchange)) continue;
    const pace = (socket.bytesRead - exchange.bytes_before) / (now_ms - exchange.began_ms + 1);
    if (!slowest || pace < slowest.pace) slowest = { socket, pace };
  }
  return slowest;
}

/** Whether a body or the reading of an answer is what is waited for. */
function isTheirTurn({ request, response }: Exchange): boolean {
  return !request.complete || (response.writableEnded && !response.writableFinished);
}
