import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startNameServer } from '../media/name_server.js';
import { answer, answerNothing, portOf } from '../media/sample.js';
import { createWebhookSender, type WebhookSenderOptions } from '../../src/webhooks/index.js';
import { systemRandomness } from '../../src/world/randomness.js';

const clock = {
  now: () => new Date('2026-11-20T10:00:00.900Z'),
  monotonic: () => 0,
  sleep: async () => undefined,
};

function makeSender(options: Partial<WebhookSenderOptions> = {}) {
  return createWebhookSender({
    randomness: systemRandomness,
    egress_allow_cidrs: ['127.0.0.0/8', '::1/128'],
    allow_http_webhooks: true,
    user_agent: 'listing-service-test/1',
    clock,
    ...options,
  });
}

const sender = makeSender();
const secrets = [sender.createSecret(), sender.createSecret()];
const body = '{"id":"evt_1","type":"order.paid","data":{"title":"größer"}}';
const deliver = (url: string, to = sender) => to.send({ url, event_id: 'evt_1', body, secrets });
const failure = (error: string, response_status_code: number | null = null) => ({
  is_success: false,
  response_status_code,
  error,
});

async function start(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return `http://127.0.0.1:${portOf(server)}/hook?shop=1`;
}

async function receive(onRequest: RequestListener): Promise<{ url: string; openSockets: () => number }> {
  const sockets = new Set<Socket>();
  const server = createHttpServer(onRequest).on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return { url: await start(server), openSockets: () => sockets.size };
}

async function receiveRaw(onData: (socket: Socket) => unknown): Promise<string> {
  return await start(
    createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => onData(socket));
    }),
  );
}

describe('send', () => {
  it('posts the frozen body with verifiable signatures and no other data', async () => {
    const seen: {
      method: string | undefined;
      url: string | undefined;
      headers: IncomingHttpHeaders;
      body: string;
    }[] = [];
    const { url } = await receive((request, response) => {
      const { method, headers } = request;
      request.on('data', (data) => {
        seen.push({ method, url: request.url, headers, body: String(data) });
        response.writeHead(204).end();
      });
    });
    expect(await deliver(url)).toEqual({ is_success: true, response_status_code: 204, error: null });
    const [request] = seen;
    expect(seen).toEqual([
      {
        method: 'POST',
        url: '/hook?shop=1',
        body,
        headers: {
          host: new URL(url).host,
          connection: 'keep-alive',
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'user-agent': 'listing-service-test/1',
          'accept-encoding': 'identity',
          'webhook-id': 'evt_1',
          'webhook-timestamp': '1795168800',
          'webhook-signature': expect.any(String),
        },
      },
    ]);
    const sent_at = clock.now();
    const expected = secrets.map((secret) => new Webhook(secret).sign('evt_1', sent_at, body)).join(' ');
    expect(request?.headers['webhook-signature']).toBe(expected);
  });

  it.each([
    [200, true, null],
    [201, true, null],
    [299, true, null],
    [301, false, 'redirect_not_followed'],
    [302, false, 'redirect_not_followed'],
    [308, false, 'redirect_not_followed'],
    [304, false, 'redirect_not_followed'],
    [400, false, 'status_400'],
    [410, false, 'status_410'],
    [429, false, 'status_429'],
    [503, false, 'status_503'],
  ])('counts status %i as success: %s', async (status, isSuccess, error) => {
    const requests: (string | undefined)[] = [];
    const { url, openSockets } = await receive((request, response) => {
      requests.push(request.url);
      response.writeHead(status, { location: '/elsewhere' }).end('thank you');
    });
    expect(await deliver(url)).toEqual({ is_success: isSuccess, response_status_code: status, error });
    expect(requests).toEqual(['/hook?shop=1']);
    await expect.poll(openSockets).toBe(0);
  });

  it('keeps a connection for deliveries that follow immediately, resolves its receiver once, and then closes it', async () => {
    let connections = 0;
    let lookups = 0;
    const server = createHttpServer((_request, response) => void response.end()).on(
      'connection',
      () => (connections += 1),
    );
    const { port } = new URL(await start(server));
    const lookup = async () => {
      lookups += 1;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const to = makeSender({ lookup });
    for (let n = 0; n < 5; n += 1) {
      expect((await deliver(`http://hooks.example:${port}/hook`, to)).is_success).toBe(true);
    }
    expect({ connections, lookups }).toEqual({ connections: 1, lookups: 1 });
    const countOpen = () =>
      new Promise((resolve) => {
        server.getConnections((_error, count) => resolve(count));
      });
    await expect.poll(countOpen, { timeout: 20_000 }).toBe(0);
  });

  it('uses a new connection if the kept one closed without an answer', async () => {
    let requests = 0;
    const url = await start(
      createServer((socket) => {
        let answered = 0;
        socket
          .on('error', () => undefined)
          .on('data', () => {
            requests += 1;
            if (answered > 0) socket.destroy();
            else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
            answered += 1;
          });
      }),
    );
    expect((await deliver(url)).is_success).toBe(true);
    expect((await deliver(url)).is_success).toBe(true);
    expect(requests).toBe(3);
  });

  it('drops an endless answer after some kilobytes, and its status counts', async () => {
    let sent_bytes = 0;
    const { url, openSockets } = await receive((_request, response) => {
      const chunk = Buffer.alloc(16_384);
      const pump = (): void => {
        while (!response.destroyed && sent_bytes < 500_000_000) {
          sent_bytes += chunk.length;
          if (!response.write(chunk)) {
            response.once('drain', pump);
            return;
          }
        }
      };
      pump();
    });
    expect(await deliver(url)).toEqual({ is_success: true, response_status_code: 200, error: null });
    expect(sent_bytes).toBeLessThan(500_000_000);
    await expect.poll(openSockets).toBe(0);
  });

  it.each([
    ['is cut off', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nok')],
    [
      'never ends',
      (socket: Socket) => socket.resume().write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nok'),
    ],
  ])('counts the status of an answer that %s', async (_what, answer) => {
    const url = await receiveRaw(answer);
    const outcome = await deliver(url, makeSender({ deadline_ms: 300 }));
    expect(outcome).toEqual({ is_success: true, response_status_code: 200, error: null });
  });

  it.each([
    ['hangs up', (socket: Socket) => socket.destroy()],
    ['speaks no HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
  ])('reports a lost connection if the receiver %s', async (_what, answer) => {
    expect(await deliver(await receiveRaw(answer))).toEqual(failure('connection_lost'));
  });

  it('gives up at its deadline, before an answer and within headers', async () => {
    const impatient = makeSender({ deadline_ms: 100 });
    const silent = await receiveRaw((socket) => socket.resume());
    const endless = await receiveRaw((socket) => socket.resume().write('HTTP/1.1 200 OK\r\nx:'));
    expect(await deliver(silent, impatient)).toEqual(failure('timeout'));
    expect(await deliver(endless, impatient)).toEqual(failure('timeout'));
  });

  it('gives up at its deadline during a name lookup', async () => {
    const { address } = await startNameServer(() => 'silence');
    const stuck = makeSender({ deadline_ms: 100, name_servers: [address] });
    expect(await deliver('https://hooks.example/', stuck)).toEqual(failure('timeout'));
  });

  it.each([
    ['https://169.254.169.254/', 'blocked_address'],
    ['https://[fe80::1]/', 'blocked_address'],
    ['https://10.0.0.1/', 'blocked_address'],
    ['https://hooks.example:6379/', 'blocked_address'],
    ['ftp://hooks.example/', 'invalid_url'],
    ['https://user@hooks.example/', 'invalid_url'],
    ['hooks.example', 'invalid_url'],
    ['http://127.0.0.1:9/', 'connect'],
  ])('returns for %s with %s and never throws', async (url, error) => {
    const inner = makeSender({ lookup: answer('10.0.0.1') });
    expect(await deliver(url, inner)).toEqual(failure(error));
  });

  it('checks the addresses behind a name', async () => {
    expect(await deliver('https://hooks.example/', makeSender({ lookup: answer('10.0.0.1') }))).toEqual(
      failure('blocked_address'),
    );
    expect(await deliver('https://hooks.example/', makeSender({ lookup: answerNothing }))).toEqual(
      failure('dns'),
    );
  });

  it('sends over http only if configured', async () => {
    const { url } = await receive((_request, response) => void response.end());
    expect(await deliver(url, makeSender({ allow_http_webhooks: false }))).toEqual(failure('invalid_url'));
  });

  it('never throws for an event id that no header can carry', async () => {
    const { url } = await receive((_request, response) => void response.end());
    const outcome = await sender.send({ url, event_id: 'evt\r\nx: y', body, secrets });
    expect(outcome).toMatchObject({ is_success: false, response_status_code: null });
  });
});
