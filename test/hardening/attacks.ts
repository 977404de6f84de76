import { connect, type Socket } from 'node:net';

/** Something that holds or hurts a server until it is ended. */
export type Attack = {
  /** Connections that the server closed or refused. */
  readonly lost: number;
  readonly open: number;
  end(): void;
};

type Target = { port: number; key: string };

/**
 * Keeps connections of one kind open; one that is closed is not replaced unless `again`.
 * @param begin what is done with each, once it is open; answers how to stop doing it
 */
function hold(
  { port }: Pick<Target, 'port'>,
  count: number,
  begin: (socket: Socket) => (() => void) | undefined,
  again = false,
): Attack {
  const sockets = new Set<Socket>();
  let lost = 0;
  let isOver = false;
  const open = () => {
    if (isOver) return;
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    let stop: (() => void) | undefined;
    socket.once('connect', () => (stop = begin(socket)));
    // What the server says to it is not read to the end, as an attacker would not.
    socket.on('data', () => undefined).on('error', () => undefined);
    socket.once('close', () => {
      stop?.();
      sockets.delete(socket);
      lost += isOver ? 0 : 1;
      if (again && !isOver) setTimeout(open, 20);
    });
  };
  // Not all at once: what waits to be accepted has a queue of its own, which the system cuts off.
  for (let index = 0; index < count; index += 1) setTimeout(open, Math.floor(index / 100) * 20);
  return {
    get lost() {
      return lost;
    },
    get open() {
      return sockets.size;
    },
    end() {
      isOver = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

function drip(socket: Socket, text: string, every_ms: number): () => void {
  const timer = setInterval(() => socket.write(text), every_ms);
  return () => clearInterval(timer);
}

export const holdIdle = (target: Target, count: number): Attack => hold(target, count, () => undefined);

export const sendSlowHeaders = (target: Target, count: number): Attack =>
  hold(
    target,
    count,
    (socket) => {
      socket.write('GET /api/v1/stores HTTP/1.1\r\nHost: 127.0.0.1\r\n');
      return drip(socket, 'X-More: 1\r\n', 200);
    },
    true,
  );

/** Bodies of callers that have a key, a byte now and then. */
export const sendSlowBodies = (target: Target, count: number): Attack =>
  hold(
    target,
    count,
    (socket) => {
      socket.write(
        `POST /api/v1/listings/create HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Service-API-Key: ${target.key}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
      );
      return drip(socket, ' ', 200);
    },
    true,
  );

/** Bodies of callers that nobody knows, to where anybody may come. */
export const sendSlowForms = (target: Pick<Target, 'port'>, count: number): Attack =>
  hold(
    target,
    count,
    (socket) => {
      socket.write(
        'POST /oauth/token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 50000\r\n\r\na=',
      );
      return drip(socket, 'b', 200);
    },
    true,
  );

/** Requests and rubbish behind one another, faster than the answers are read. */
export const sendGarbage = (target: Target, count: number): Attack =>
  hold(
    target,
    count,
    (socket) => {
      socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20));
      socket.write(Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 7_919) % 256)));
      return undefined;
    },
    true,
  );
