import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A plain proxy in front of several instances: each request goes to the next one. */
export type RoundRobin = {
  url: string;
  /** The number of requests sent to each port. */
  counts: ReadonlyMap<number, number>;
  /** Replaces the previous ports. */
  use(ports: readonly number[]): void;
  close(): Promise<void>;
};

export async function startRoundRobin(ports: readonly number[]): Promise<RoundRobin> {
  let targets = ports;
  let turn = 0;
  const counts = new Map<number, number>();

  /** Skips an instance that refuses connections, as proxies do; a request that was sent is never repeated. */
  function pass(incoming: IncomingMessage, outgoing: ServerResponse, tries: number): void {
    turn += 1;
    const port = targets[turn % targets.length] ?? 0;
    const { method, url, headers } = incoming;
    const passed = send({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    });
    passed.on('socket', (socket) => {
      socket.once('connect', () => {
        counts.set(port, (counts.get(port) ?? 0) + 1);
        incoming.pipe(passed);
      });
    });
    passed.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && tries < targets.length) return pass(incoming, outgoing, tries + 1);
      outgoing.destroy();
    });
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) passed.destroy();
    });
  }

  const server = createServer((incoming, outgoing) => pass(incoming, outgoing, 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    use(next) {
      targets = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
