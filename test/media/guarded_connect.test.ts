import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGuardedDispatcher, type GuardedDispatcherOptions } from '../../src/media/index.js';
import { buildCertificate } from './certificate.js';
import { startNameServer } from './name_server.js';
import { answer, answerNothing, failureOf, LOOPBACK, portOf } from './sample.js';

/** A listener that counts its connections and answers each like a web server. */
async function listen(host: string, port = 0): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined).resume();
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
  });
  server.listen(port, host);
  await once(server, 'listening');
  closeAfterTest(server);
  return { port: portOf(server), connections: () => connections };
}

function closeAfterTest(server: Server): void {
  onTestFinished(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
}

async function serveTls(hostname: string): Promise<{ port: number; cert: string; names: string[] }> {
  const { key, cert } = buildCertificate(hostname);
  const names: string[] = [];
  const server = createHttpsServer(
    {
      key,
      cert,
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    },
    (_request, response) => response.end('ok'),
  );
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.closeAllConnections());
  closeAfterTest(server);
  return { port: portOf(server), cert, names };
}

async function request(
  options: Partial<GuardedDispatcherOptions>,
  text: string,
  signal: AbortSignal = AbortSignal.timeout(10_000),
): Promise<number> {
  const dispatcher = createGuardedDispatcher({ egress_allow_cidrs: [], ...options });
  const url = dispatcher.checkUrl(text, 'media');
  const client = await dispatcher.openClient(url, signal);
  try {
    const { statusCode, body } = await client.request({ method: 'GET', path: url.pathname, signal });
    await body.dump();
    return statusCode;
  } finally {
    await client.destroy();
  }
}

describe('openClient', () => {
  it('connects to a name if all its addresses are exempt', async () => {
    const { port } = await listen('127.0.0.1');
    const options = {
      egress_allow_cidrs: LOOPBACK,
      lookup: answer('127.0.0.1', '::1'),
    };
    expect(await request(options, `http://media.example:${port}/`)).toBe(200);
    expect(await request(options, `http://localhost:${port}/`)).toBe(200);
  });

  it.each([
    ['one answer is loopback', ['127.0.0.1']],
    ['one of many answers is loopback', ['93.184.216.34', '2606:4700::1111', '127.0.0.1']],
    ['an answer is mapped loopback', ['::ffff:127.0.0.1']],
    ['an answer is link-local', ['169.254.169.254']],
    ['an answer is NAT64', ['64:ff9b::7f00:1']],
    ['an answer is not an address', ['localhost']],
    ['an answer has a zone', ['fe80::1%lo']],
  ])('sends no packet if %s', async (_what, addresses) => {
    const { port, connections } = await listen('127.0.0.1');
    const lookup = answer(...addresses);
    const freed = { egress_allow_cidrs: ['127.0.0.2/32'], lookup };
    expect(await failureOf(request({ lookup }, 'http://media.example:8443/'))).toBe('blocked_address');
    expect(await failureOf(request(freed, `http://media.example:${port}/`))).toBe('blocked_address');
    expect(connections()).toBe(0);
  });

  it.each([
    ['an unusual port', 'http://media.example:9999/'],
    ['a local name', 'http://nas.local/'],
  ])('refuses %s if not every address is exempt', async (_what, url) => {
    const lookup = answer('127.0.0.1', '8.8.8.8');
    expect(await failureOf(request({ egress_allow_cidrs: LOOPBACK, lookup }, url))).toBe('blocked_address');
  });

  it('connects to the checked addresses, even if the name resolves differently a moment later', async () => {
    const good = await listen('127.0.0.2');
    const bad = await listen('127.0.0.1', good.port);
    const answers = ['127.0.0.2', '127.0.0.1', '127.0.0.1'];
    const lookup = async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }];
    const options = { egress_allow_cidrs: ['127.0.0.2/32'], lookup };
    expect(await request(options, `http://media.example:${good.port}/`)).toBe(200);
    expect(await failureOf(request(options, `http://media.example:${good.port}/`))).toBe('blocked_address');
    expect([good.connections(), bad.connections(), answers]).toEqual([1, 0, ['127.0.0.1']]);
  });

  it('tries the next checked address if the first does not listen', async () => {
    const { port } = await listen('127.0.0.3');
    const lookup = answer('127.0.0.9', '127.0.0.3');
    expect(await request({ egress_allow_cidrs: LOOPBACK, lookup }, `http://media.example:${port}/`)).toBe(
      200,
    );
  });

  it('distinguishes a name without addresses, a refused connection and an abort', async () => {
    const { port } = await listen('127.0.0.1');
    expect(await failureOf(request({ lookup: answerNothing }, 'http://media.example/'))).toBe('dns');
    expect(await failureOf(request({ lookup: answer() }, 'http://media.example/'))).toBe('dns');
    const closed = {
      egress_allow_cidrs: LOOPBACK,
      lookup: answer('127.0.0.8'),
    };
    expect(await failureOf(request(closed, `http://media.example:${port}/`))).toBe('connect');
    const { address, asked } = await startNameServer(() => 'silence');
    const stuck = { name_servers: [address] };
    const abort = new AbortController();
    const outcome = failureOf(request(stuck, 'http://media.example/', abort.signal));
    await expect.poll(() => asked.length).toBe(2);
    abort.abort(new Error('enough'));
    expect(await outcome).toBe('Error: enough');
  });

  it('opens one connection and no second', async () => {
    const { port } = await listen('127.0.0.1');
    const dispatcher = createGuardedDispatcher({ egress_allow_cidrs: LOOPBACK });
    const url = dispatcher.checkUrl(`http://127.0.0.1:${port}/`, 'media');
    const client = await dispatcher.openClient(url, AbortSignal.timeout(10_000));
    const first = await client.request({ method: 'GET', path: '/' });
    await first.body.dump();
    await once(client, 'disconnect');
    await expect(client.request({ method: 'GET', path: '/' })).rejects.toThrow('has had its one connection');
    await client.destroy();
  });

  describe('over TLS', () => {
    const options = { egress_allow_cidrs: LOOPBACK, lookup: answer('127.0.0.1') };

    it('names the host to the server and accepts its certificate', async () => {
      const { port, cert, names } = await serveTls('media.example');
      expect(await request({ ...options, ca: cert }, `https://media.example:${port}/`)).toBe(200);
      expect(names).toEqual(['media.example']);
    });

    it('refuses a certificate for another name, even from a trusted authority', async () => {
      const { port, cert, names } = await serveTls('other.example');
      expect(await failureOf(request({ ...options, ca: cert }, `https://media.example:${port}/`))).toBe(
        'connect',
      );
      expect(names).toEqual(['media.example']);
    });

    it('refuses a certificate from an unknown authority', async () => {
      const { port } = await serveTls('media.example');
      expect(await failureOf(request(options, `https://media.example:${port}/`))).toBe('connect');
    });

    it('refuses an IP address that the certificate does not name', async () => {
      const { port, cert, names } = await serveTls('media.example');
      expect(await failureOf(request({ ...options, ca: cert }, `https://127.0.0.1:${port}/`))).toBe(
        'connect',
      );
      expect(names).toEqual([]);
    });
  });
});
