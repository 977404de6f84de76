import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export type ConnectProxy = {
  url: string;
  /** `host:port` of each requested tunnel, and its Proxy-Authorization. */
  asked: { target: string; authorization: string | undefined }[];
  close(): Promise<void>;
};

/**
 * A proxy on loopback that opens every tunnel to one address, whatever host is requested, so names that do
 * not resolve can stand for hosts of the internet. @param status any status but 200 is answered in place of a
 * tunnel
 */
export async function startConnectProxy(to_port: number, status = 200): Promise<ConnectProxy> {
  const asked: ConnectProxy['asked'] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (request, client: Socket) => {
    asked.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    client.on('error', () => undefined);
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
      return;
    }
    const onward = connect(to_port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(client).pipe(onward);
    });
    onward.on('error', () => client.destroy());
    sockets.add(onward);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
