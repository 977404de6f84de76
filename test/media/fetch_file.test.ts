import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failureOf, fixture, makeMedia, portOf, serve } from './sample.js';

const LIMITS = { named_by: 'caller' as const, owner: 'test', limit_bytes: 100_000, deadline_ms: 20_000 };

/** Fetches the path from a server of this kind and checks that a failure leaves nothing behind. */
async function outcomeOf(onRequest: RequestListener, limits: Partial<typeof LIMITS> = {}): Promise<string> {
  const { base_url, server } = await serve(onRequest);
  const { media, listStaged } = await makeMedia({ minimum_rate: { size_bytes: 10_000, window_ms: 200 } });
  const outcome = await failureOf(media.fetchFile(`${base_url}/file`, { ...LIMITS, ...limits }));
  expect(await listStaged()).toHaveLength(outcome === 'no failure' ? 1 : 0);
  await expect.poll(() => countConnections(server)).toBe(0);
  return outcome;
}

async function countConnections(server: {
  getConnections: (callback: (error: Error | null, count: number) => void) => unknown;
}): Promise<number> {
  return await new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count));
  });
}

function redirect(response: ServerResponse, location: string, status = 302): void {
  response.writeHead(status, { location }).end('moved');
}

describe('fetchFile', () => {
  it('streams to a separate file with its hash, and sends only user-agent and accept', async () => {
    const bytes = await readFile(fixture('mug-front.jpg'));
    let seen:
      { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders } | undefined;
    const { base_url } = await serve(({ method, url, headers }, response) => {
      seen = { method, url, headers };
      response.setHeader('set-cookie', 'a=b');
      response.end(bytes);
    });
    const { media, dir } = await makeMedia();
    const staged = await media.fetchFile(`${base_url}/mug.jpg?size=1#top`, LIMITS);
    expect(staged).toEqual({
      path: expect.stringMatching(new RegExp(`^${dir}/staging/[0-9a-f-]+\\.part$`)),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size_bytes: bytes.length,
    });
    expect(await readFile(staged.path)).toEqual(bytes);
    expect((await stat(staged.path)).mode & 0o777).toBe(0o600);
    expect((await stat(`${dir}/staging`)).mode & 0o777).toBe(0o700);
    expect(seen).toEqual({
      method: 'GET',
      url: '/mug.jpg?size=1',
      headers: {
        host: new URL(base_url).host,
        connection: 'keep-alive',
        'user-agent': 'listing-service-test/1',
        accept: '*/*',
        'accept-encoding': 'identity',
      },
    });
  });

  it.each([301, 302, 303, 307, 308])('follows a %i, at most three times', async (status) => {
    const hops =
      (count: number): RequestListener =>
      (request, response) => {
        const step = Number(new URL(request.url ?? '', 'http://x').searchParams.get('step'));
        if (step < count) redirect(response, `/next?step=${step + 1}`, status);
        else response.end('done');
      };
    expect(await outcomeOf(hops(3))).toBe('no failure');
    expect(await outcomeOf(hops(4))).toBe('too_many_redirects');
  });

  it('checks a redirect again: no packet reaches an address that is not exempt', async () => {
    const inner = await serve((_request, response) => response.end('secret'));
    const inner_port = new URL(inner.base_url).port;
    let inner_connections = 0;
    inner.server.on('connection', () => (inner_connections += 1));
    const outer = createServer((socket) => {
      socket.resume().on('error', () => undefined);
      socket.end(
        `HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:${inner_port}/\r\ncontent-length: 0\r\n\r\n`,
      );
    });
    outer.listen(0, '127.0.0.2');
    await once(outer, 'listening');
    onTestFinished(() => void outer.close());
    const { media, listStaged } = await makeMedia({ egress_allow_cidrs: ['127.0.0.2/32'] });
    const url = `http://127.0.0.2:${portOf(outer)}/`;
    expect(await failureOf(media.fetchFile(url, LIMITS))).toBe('blocked_address');
    expect([inner_connections, await listStaged()]).toEqual([0, []]);
  });

  it.each([
    ['file:///etc/passwd', 'invalid_url'],
    ['http://user@127.0.0.1/', 'invalid_url'],
    ['http://169.254.169.254/latest/', 'blocked_address'],
    ['http://[::ffff:10.0.0.1]/', 'blocked_address'],
    ['http://0x0a000001/', 'blocked_address'],
    ['http://\u00e4 b/', 'invalid_url'],
  ])('does not follow a redirect to %s', async (location, failure) => {
    expect(
      await outcomeOf((_request, response) => {
        response.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end('moved');
      }),
    ).toBe(failure);
  });

  it.each([302, 304, 400, 401, 404, 410, 429, 500, 503, 206])('reports status %i', async (status) => {
    expect(await outcomeOf((_request, response) => void response.writeHead(status).end())).toBe(
      `status_${status}`,
    );
  });

  it.each(['gzip', 'br', 'deflate', 'zstd', 'gzip, identity', 'x'])(
    'refuses content-encoding %s',
    async (encoding) => {
      expect(
        await outcomeOf((_request, response) => {
          response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync('x'.repeat(5_000_000)));
        }),
      ).toBe('unsupported_encoding');
    },
  );

  it('accepts an encoding that changes nothing', async () => {
    const outcome = await outcomeOf((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'Identity' }).end('x');
    });
    expect(outcome).toBe('no failure');
  });

  it('refuses an announced size above the limit before reading', async () => {
    let isClosedEarly = false;
    const outcome = await outcomeOf((_request, response) => {
      response.writeHead(200, { 'content-length': '5000000' }).write('x');
      response.on('close', () => (isClosedEarly = !response.writableFinished));
    });
    expect(outcome).toBe('too_large');
    expect(isClosedEarly).toBe(true);
  });

  it('stops an endless stream at the limit', async () => {
    let sent_bytes = 0;
    const outcome = await outcomeOf((_request, response) => {
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
    expect(outcome).toBe('too_large');
    expect(sent_bytes).toBeLessThan(500_000_000);
  });

  it('accepts a file exactly at the limit, and not one byte more', async () => {
    for (const [size_bytes, outcome] of [
      [100_000, 'no failure'],
      [100_001, 'too_large'],
    ] as const) {
      const onRequest: RequestListener = (_request, response) => void response.end(Buffer.alloc(size_bytes));
      expect(await outcomeOf(onRequest)).toBe(outcome);
    }
  });

  it('recognizes an empty file', async () => {
    expect(await outcomeOf((_request, response) => void response.end())).toBe('empty');
    expect(await outcomeOf((_request, response) => void response.writeHead(204).end())).toBe('empty');
  });

  it.each([
    ['fewer bytes than announced', 'content-length: 100\r\n\r\nonly these'],
    ['a chunked body without its end', 'transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n'],
    ['a chunk that is cut off', 'transfer-encoding: chunked\r\n\r\nffff\r\nhello'],
  ])('recognizes %s as truncated', async (_what, rest) => {
    expect(await rawOutcome((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`))).toBe('truncated');
  });

  it.each([
    ['without HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['with nothing', ''],
    ['headers without end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}`],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    [
      'length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('reports only a connect failure for a server that answers %s', async (_what, answer) => {
    expect(await rawOutcome((socket) => socket.end(answer))).toBe('connect');
  });

  it('fails as too_slow if the bytes arrive in a trickle', async () => {
    const outcome = await outcomeOf((_request, response) => {
      const timer = setInterval(() => response.write('drop'), 10);
      response.on('close', () => clearInterval(timer));
    });
    expect(outcome).toBe('too_slow');
  });

  it('fails as too_slow if the body stalls', async () => {
    expect(await outcomeOf((_request, response) => void response.write('start'))).toBe('too_slow');
  });

  it.each<[string, RequestListener]>([
    ['no answer comes', () => undefined],
    ['headers never end', (request) => void request.socket.write('HTTP/1.1 200 OK\r\nx:')],
  ])('fails as timeout if %s', async (_what, onRequest) => {
    expect(await outcomeOf(onRequest, { deadline_ms: 100 })).toBe('timeout');
  });

  it('counts redirects within one deadline', async () => {
    const outcome = await outcomeOf(
      (_request, response) => {
        setTimeout(() => redirect(response, '/again'), 70);
      },
      { deadline_ms: 150 },
    );
    expect(outcome).toBe('timeout');
  });

  it("stops when its caller does, with the caller's reason", async () => {
    const { base_url } = await serve((_request, response) => void response.write('x'));
    const { media, listStaged } = await makeMedia();
    const abort = new AbortController();
    const outcome = failureOf(media.fetchFile(`${base_url}/`, { ...LIMITS, signal: abort.signal }));
    await expect.poll(listStaged).toHaveLength(1);
    abort.abort(new Error('stopping'));
    expect([await outcome, await listStaged()]).toEqual(['Error: stopping', []]);
    expect(await failureOf(media.fetchFile(`${base_url}/`, { ...LIMITS, signal: abort.signal }))).toBe(
      'Error: stopping',
    );
  });

  it('names neither the address nor the answer in a failure', async () => {
    const { base_url } = await serve((_request, response) => {
      response.statusMessage = 'Inner Service v1';
      response.writeHead(500).end('secret');
    });
    const { media } = await makeMedia();
    await expect(media.fetchFile(`${base_url}/`, LIMITS)).rejects.toThrow(
      /^The server of the URL answered with status 500\.$/,
    );
  });
});

async function rawOutcome(onConnection: (socket: Socket) => unknown): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => onConnection(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { media, listStaged } = await makeMedia();
  const outcome = await failureOf(media.fetchFile(`http://127.0.0.1:${portOf(server)}/`, LIMITS));
  expect(await listStaged()).toEqual([]);
  return outcome;
}
