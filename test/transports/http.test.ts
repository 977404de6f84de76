import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { aborted, serveSample, waiting } from './sample.js';

/** Sends raw bytes, and returns the whole response. */
function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (answer += chunk));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

function parseRaw(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { line: head.split('\r\n')[0], body: JSON.parse(body) as unknown };
}

describe('input that never becomes a request', () => {
  it.each([
    ['a malformed line', 'HELLO\r\n\r\n', 'This is not a well-formed HTTP request.'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 'This is not a well-formed HTTP request.'],
    [
      'a length and chunks at once',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n',
      'This is not a well-formed HTTP request.',
    ],
    [
      'headers beyond measure',
      `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`,
      'The request headers are larger than 16 KiB.',
    ],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 'The request has no Host header.'],
    ...['/healthz', '/mcp', '/api/v1/items/1', '/oauth/authorize'].map((path): [string, string, string] => [
      `two Hosts at ${path}`,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nhOST: localhost\r\nConnection: close\r\n\r\n`,
      'The request has more than one Host header.',
    ]),
    [
      'an address of another host than Host',
      'GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      'The request target and the Host header name different hosts.',
    ],
  ])('(%s) is answered with the error body', async (_name, text, message) => {
    const { port } = await serveSample();
    const { line, body } = parseRaw(await sendRaw(port, text));
    expect(line).toBe('HTTP/1.1 400 Bad Request');
    expect(body).toEqual({
      error: {
        code: 'VALIDATION_FAILED',
        status: 400,
        message,
        hint: expect.any(String),
        docs: 'http://shop.example/docs#VALIDATION_FAILED',
      },
    });
  });

  it('an absolute request target is answered under the same host', async () => {
    const { port } = await serveSample();
    const text = `GET http://LOCALHOST:${port}/healthz HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`;
    expect(parseRaw(await sendRaw(port, text)).line).toBe('HTTP/1.1 200 OK');
  });

  it('an unknown Expect header is not refused', async () => {
    const { port } = await serveSample();
    const answer = await sendRaw(
      port,
      'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toContain('200 OK');
  });

  it.each(['/docs/%00', '/api/v1/items/1%00', '/connect/known/%00', '/docs/search?q=a%00', '/api/v1/%00'])(
    'a NUL in the address is refused: %s',
    async (path) => {
      const { url, headers } = await serveSample();
      const answer = await fetch(url + path, { headers });
      const error = { code: 'VALIDATION_FAILED', message: 'The address has a NUL character, %00.' };
      expect([answer.status, await answer.json()]).toMatchObject([400, { error }]);
    },
  );

  it('a malformed escape in the path is refused', async () => {
    const { port } = await serveSample();
    const answer = await sendRaw(port, 'GET /api/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(parseRaw(answer)).toMatchObject({
      line: 'HTTP/1.1 400 Bad Request',
      body: { error: { message: 'The path has malformed percent-encoding.' } },
    });
  });
});

describe('every response', () => {
  it.each(['/', '/docs', '/healthz', '/nothing', '/api/v1/items/1'])(
    'on %s has the security headers',
    async (path) => {
      const { url } = await serveSample();
      const { headers } = await fetch(url + path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('server')).toBeNull();
    },
  );

  it('of the API is kept out of caches unless the operation allows it', async () => {
    const { url, headers } = await serveSample();
    const deleted = await fetch(`${url}/api/v1/items/1`, { method: 'DELETE', headers });
    expect(deleted.headers.get('cache-control')).toBe('no-store');
  });
});

describe('probes and pages', () => {
  it('distinguish alive from ready', async () => {
    const reasons: string[] = [];
    const { url } = await serveSample({ listTroubles: () => Promise.resolve(reasons) });
    const ask = async (path: string) => {
      const response = await fetch(url + path);
      return [response.status, await response.json()];
    };
    expect(await ask('/readyz')).toEqual([200, { status: 'ready' }]);
    reasons.push('the disk is full');
    expect(await ask('/readyz')).toEqual([503, { status: 'not ready', reasons: ['the disk is full'] }]);
    expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
  });

  it('document every operation and every code', async () => {
    const { url, service } = await serveSample();
    const page = await (await fetch(`${url}/docs`)).text();
    for (const { id } of service.operations) expect(page).toContain(`id="${id}"`);
    expect(page).toContain('id="MARKETPLACE_RATE_LIMIT"');
    expect(page).not.toContain('<script');
    const own = await (await fetch(`${url}/docs/operations/item_create`)).text();
    expect(own).toContain("curl -X POST 'http://shop.example/api/v1/items/1/copies'");
    expect(await (await fetch(url)).text()).toContain('http://shop.example/mcp');
  });
});

describe('closing the server', () => {
  it('lets a running request finish, and accepts no other', async () => {
    const { url, headers, face } = await serveSample();
    const controller = new AbortController();
    const begun = waiting.length;
    const sent = fetch(`${url}/api/v1/items`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"mode":"wait"}',
      signal: controller.signal,
    }).catch(() => 'aborted');
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(begun + 1);
    const before = aborted.length;
    let isClosed = false;
    const closed = face.close(60_000).then(() => (isClosed = true));
    await expect
      .poll(() => fetch(`${url}/healthz`).catch(() => 'refused'), { timeout: 10_000 })
      .toBe('refused');
    expect(isClosed).toBe(false);
    controller.abort();
    expect(await sent).toBe('aborted');
    await closed;
    await expect.poll(() => aborted.length).toBe(before + 1);
  });
});
