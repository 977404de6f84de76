import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection that has been silent for less time may be about to send a request. */
const SILENT_MS = 1_000;
/** Bytes per millisecond. A client below this pace keeps us waiting. */
const SLOW_PACE = 1;

type Connection = {
  socket: Socket;
  /** Undefined while a request has no answer yet. */
  silent_since_ms: number | undefined;
  /** Requests without an answer. */
  waiting: number;
  /** Undefined until the first request. */
  last: Exchange | undefined;
};

/** The last request of a connection, and the bytes that the connection had sent before it. */
type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  began_ms: number;
  bytes_before: number;
};

/**
 * Limits the number of open connections, so that descriptors cannot run out. A new connection beyond the
 * limit replaces a silent one: first one that never sent a request or never finished its headers, then an
 * idle keep-alive connection; of each kind the one that has been silent longest. Next is the slowest of those
 * that have yet to send the rest of a body or read their response, then those that have been silent only for
 * a moment. If every connection waits for us, the new one is closed.
 */
export function capConnections(server: Server, max_connections: number): Connections {
  const open = new Map<Socket, Connection>();

  server.on('connection', (socket: Socket) => {
    if (open.size >= max_connections) {
      const given_up = chooseForNewcomer([...open.values()])?.socket ?? socket;
      open.delete(given_up);
      given_up.destroy();
      if (given_up === socket) return;
    }
    open.set(socket, { socket, silent_since_ms: performance.now(), waiting: 0, last: undefined });
    socket.once('close', () => open.delete(socket));
  });

  server.on('request', (request, response) => {
    const { socket } = request;
    const connection = open.get(socket);
    if (!connection) return;
    connection.waiting += 1;
    connection.silent_since_ms = undefined;
    const began_ms = performance.now();
    connection.last = { request, response, began_ms, bytes_before: socket.bytesRead };
    response.on('close', () => {
      connection.waiting -= 1;
      if (connection.waiting > 0 || !open.has(socket)) return;
      // A server that is stopping waits for every connection, even an idle keep-alive one. Nothing more is
      // read from it: a request that arrived now could run, but its response could no longer be sent.
      if (server.listening) connection.silent_since_ms = performance.now();
      else socket.destroySoon();
    });
  });

  return {
    announceEnd() {
      for (const { last } of open.values()) {
        if (last && !last.response.headersSent) last.response.shouldKeepAlive = false;
      }
    },
  };
}

type Connections = {
  /**
   * Announces to clients that wait for a response, in that response, that the connection will close: proxies
   * keep theirs for reuse.
   */
  announceEnd(): void;
};

function chooseForNewcomer(connections: readonly Connection[]): Connection | undefined {
  const unheard = findSilent(connections, ({ last }) => last === undefined);
  const kept = findSilent(connections, ({ last }) => last !== undefined);
  const silent = [unheard, kept].find((each) => each && each.silent_ms >= SILENT_MS);
  if (silent) return silent.connection;
  const slowest = findSlowest(connections);
  if (slowest && slowest.pace < SLOW_PACE) return slowest.connection;
  return (unheard ?? kept ?? slowest)?.connection;
}

/** The connection that has been silent longest. */
function findSilent(
  connections: readonly Connection[],
  isMeant: (connection: Connection) => boolean,
): { connection: Connection; silent_ms: number } | undefined {
  const now_ms = performance.now();
  let longest: { connection: Connection; silent_ms: number } | undefined;
  for (const connection of connections) {
    if (connection.silent_since_ms === undefined || !isMeant(connection)) continue;
    const silent_ms = now_ms - connection.silent_since_ms;
    if (!longest || silent_ms > longest.silent_ms) longest = { connection, silent_ms };
  }
  return longest;
}

function findSlowest(
  connections: readonly Connection[],
): { connection: Connection; pace: number } | undefined {
  const now_ms = performance.now();
  let slowest: { connection: Connection; pace: number } | undefined;
  for (const connection of connections) {
    const { socket, last } = connection;
    if (!last || !isTheirTurn(last)) continue;
    const pace = (socket.bytesRead - last.bytes_before) / (now_ms - last.began_ms + 1);
    if (!slowest || pace < slowest.pace) slowest = { connection, pace };
  }
  return slowest;
}

/** Whether the connection waits for the client to send the rest of a body or read the response. */
function isTheirTurn({ request, response }: Exchange): boolean {
  return !request.complete || (response.writableEnded && !response.writableFinished);
}
