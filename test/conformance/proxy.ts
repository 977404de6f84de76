import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Proxy = { url: string; close(): void };

/** Passes everything on unchanged, with credentials added, because the suite cannot send any. */
export async function startProxy(target_port: number, credentials: Record<string, string>): Promise<Proxy> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const options = { port: target_port, host: '127.0.0.1', method, path: url, setHost: false };
    const passed = request({ ...options, headers: { ...headers, ...credentials } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
