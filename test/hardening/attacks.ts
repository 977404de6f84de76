import { connect, type Socket } from 'node:net';

/** Something that holds or hurts a server until it is ended. */
export type Attack = {
  /** Connections that the server closed or refused. */
  readonly lost: number;
  readonly open: number;
  /** Resolves once all connections are open or were refused. */
  begun: Promise<void>;
  end(): void;
};

type Target = { port: number; key: string };

/**
 * Opens at most this many connections together, fewer than any server here keeps; the next come when these
 * are open, however busy the machine is. All at once, they would take the place of a caller's connection
 * whose request is still in flight: until it arrives, that connection is as silent as they are.
 */
const TOGETHER = 25;
const APART_MS = 5;

/**
 * Keeps connections of one kind open; a closed one is not replaced unless `again`. @param begin starts the
 * work on each open connection; returns how to stop it
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
  /** Resolves once it is open or was refused. */
  const open = () =>
    new Promise<void>((done) => {
      if (isOver) return done();
      const socket = connect(port, '127.0.0.1');
      sockets.add(socket);
      let stop: (() => void) | undefined;
      socket.once('connect', () => {
        stop = begin(socket);
        done();
      });
      // The server's response is not read to the end, as an attacker would not.
      socket.on('data', () => undefined).on('error', () => undefined);
      socket.once('close', () => {
        stop?.();
        sockets.delete(socket);
        lost += isOver ? 0 : 1;
        if (again && !isOver) setTimeout(() => void open(), 20);
        done();
      });
    });
  const openAll = async () => {
    for (let left = count; left > 0; left -= TOGETHER) {
      await Promise.all(Array.from({ length: Math.min(left, TOGETHER) }, open));
      await new Promise((done) => setTimeout(done, APART_MS));
    }
  };
  return {
    begun: openAll(),
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

/** Bodies of callers with a key, a byte now and then. */
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

/** Bodies sent without credentials, to a path that needs none. */
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

/** Requests and garbage one after another, faster than the answers are read. */
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
