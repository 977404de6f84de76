import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** One complete request that was received. */
export type Received = { id: string; body: string; headers: IncomingHttpHeaders; at_ms: number };

export type Receiver = {
  url: string;
  received: Received[];
  /** Ids of the events in order of arrival. */
  listIds(): string[];
  countSockets(): number;
  /** The largest number of unanswered requests at one moment. */
  getMostAtOnce(): number;
  close(): Promise<void>;
};

/** Answers each request once its body has arrived; 204 unless configured otherwise. */
export async function startReceiver(
  answer: (response: ServerResponse, received: Received) => void = (response) =>
    void response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let at_once = 0;
  let most_at_once = 0;
  const server = createServer((request, response) => {
    let body = '';
    at_once += 1;
    most_at_once = Math.max(most_at_once, at_once);
    response.once('close', () => (at_once -= 1));
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.once('end', () => {
      const { headers } = request;
      const one = { id: String(headers['webhook-id']), body, headers, at_ms: Date.now() };
      received.push(one);
      answer(response, one);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    received,
    listIds: () => received.map(({ id }) => id),
    countSockets: () => sockets.size,
    getMostAtOnce: () => most_at_once,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

export type Event = { id: string; type: string; created_at: string; data: unknown };

/** The event as its receiver's own library reads it; throws if that library refuses it. */
export function verify(secret: string, { body, headers }: Received): Event {
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return new Webhook(secret).verify(body, texts) as Event;
}
