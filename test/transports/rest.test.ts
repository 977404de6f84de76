import { once } from 'node:events';
import { request as openRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { aborted, abortWhenWaiting, serveSample } from './sample.js';

const VALIDATION = { code: 'VALIDATION_FAILED', status: 400 };

async function call(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  const text = await response.text();
  const body: unknown = text && JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

describe('GET over REST', () => {
  it('reads path and query by the types of the schema', async () => {
    const { url, headers } = await serveSample();
    const query = 'limit=7&is_open=false&words=a&words=b&name=12&unknown=1';
    const { status, body } = await call(`${url}/api/v1/items/42?${query}`, { headers });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        item_id: 42,
        limit: 7,
        is_open: false,
        words: ['a', 'b'],
        name: '12',
        warnings: [
          {
            code: 'unknown_field',
            level: 'warning',
            fields: ['unknown'],
            reason:
              '"unknown" is an unknown key and was ignored. Known keys: item_id, limit, is_open, words, name.',
          },
        ],
      },
    });
  });

  it.each([
    ['abc', '', 'item_id: must be a number'],
    ['1', '?limit=', 'limit: must be a number'],
    ['1', '?limit=0', 'limit: must be at least 1'],
    ['1.5', '', 'item_id: must be an integer, not float'],
    ['1', '?limit=1&limit=2', 'limit: appears more than once; send it once'],
  ])('refuses item %s with query %s', async (id, query, message) => {
    const { url, headers } = await serveSample();
    const { status, body } = await call(`${url}/api/v1/items/${id}${query}`, { headers });
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: { ...VALIDATION, message, hint: expect.any(String), docs: expect.any(String) } },
    });
  });

  it('returns the limits, and 304 to a client that has the same answer', async () => {
    const { url, headers } = await serveSample();
    const first = await call(`${url}/api/v1/items/1`, { headers });
    expect(first.headers.get('cache-control')).toBe('private, max-age=60');
    expect(first.headers.get('x-ratelimit-limit-second')).toBe('10000');
    expect(first.headers.get('x-ratelimit-remaining-second')).toBe('9999');
    expect(first.headers.get('x-ratelimit-limit-day')).toBe('100000');
    expect(first.headers.get('x-ratelimit-remaining-day')).toBe('99999');

    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${url}/api/v1/items/1`, {
      headers: { ...headers, 'if-none-match': `"other", W/${etag}` },
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const changed = await fetch(`${url}/api/v1/items/2`, { headers: { ...headers, 'if-none-match': etag } });
    expect(changed.status).toBe(200);
  });

  it('is answered to HEAD without a body', async () => {
    const { url, headers } = await serveSample();
    const response = await fetch(`${url}/api/v1/items/1`, { method: 'HEAD', headers });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

async function post(body: NonNullable<RequestInit['body']> | undefined, extra: Record<string, string> = {}) {
  const { url, headers } = await serveSample();
  return call(`${url}/api/v1/items/5/copies`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', ...extra },
    ...(body === undefined ? {} : { body }),
  });
}

function codeOf({ status, body }: { status: number; body: unknown }) {
  return [status, (body as { error: { code: string } }).error.code];
}

describe('a JSON body', () => {
  it('is passed with its unknown keys, and the path wins over a repeated value', async () => {
    const { status, body } = await post('{"note":"n","item_id":99,"extra":{"a":[1]}}', {
      'idempotency-key': 'k-1',
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        received: { item_id: 5, note: 'n', extra: { a: [1] } },
        idempotency_key: 'k-1',
        warnings: [
          {
            code: 'unknown_field',
            level: 'warning',
            fields: ['extra'],
            reason: '"extra" is an unknown key and was ignored. Known keys: item_id, note.',
          },
        ],
      },
    });
  });

  it.each([
    ['nothing', '', 'VALIDATION_FAILED'],
    ['an array', '[]', 'VALIDATION_FAILED'],
    ['a number', '1', 'VALIDATION_FAILED'],
    ['not JSON', '{"note":', 'INVALID_JSON'],
    ['NUL', '{"note":"a\\u0000"}', 'INVALID_JSON'],
    ['half a pair', '{"note":"\\ud800"}', 'INVALID_JSON'],
    ['__proto__', '{"note":"n","x":{"__proto__":{}}}', 'INVALID_JSON'],
    ['33 levels', `{"note":"n","x":${'['.repeat(33)}${']'.repeat(33)}}`, 'INVALID_JSON'],
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'INVALID_JSON'],
    ['more than 1 MiB', `{"note":"${'x'.repeat(1024 * 1024)}"}`, 'INVALID_JSON'],
  ])('is refused if it is %s', async (_name, body, code) => {
    expect(codeOf(await post(body))).toEqual([400, code]);
  });

  it('may be 32 levels deep', async () => {
    const { status } = await post(`{"note":"n","x":${'['.repeat(31)}${']'.repeat(31)}}`);
    expect(status).toBe(201);
  });

  it.each([
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/json; charset=latin1' }],
    [{ 'content-type': 'application/x-www-form-urlencoded' }],
    [{ 'content-encoding': 'gzip' }],
  ])('is refused with %o', async (extra) => {
    expect(codeOf(await post('{"note":"n"}', extra))).toEqual([400, 'UNSUPPORTED_CONTENT']);
  });

  it('may name its charset', async () => {
    expect((await post('{"note":"n"}', { 'content-type': 'application/json; charset="UTF-8"' })).status).toBe(
      201,
    );
  });
});

/** `fetch` sends no body with GET. */
async function askWithBody(body: string, extra: Record<string, string> = {}) {
  const { url, headers } = await serveSample();
  const length = extra['transfer-encoding'] === undefined ? { 'content-length': String(body.length) } : {};
  const asked = openRequest(`${url}/api/v1/items/5`, { headers: { ...headers, ...length, ...extra } });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, body: JSON.parse(await text(answer)) as unknown };
}

describe('a body that an operation does not need', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };

  it('counts like a query, and its unknown keys are reported', async () => {
    const { status, body } = await askWithBody('{"words":["a"],"colour":"red"}', JSON_TYPE);
    expect([status, body]).toMatchObject([
      200,
      { item_id: 5, words: ['a'], warnings: [{ code: 'unknown_field', fields: ['colour'] }] },
    ]);
  });

  it('may be empty, with any content type', async () => {
    const chunked = { 'transfer-encoding': 'chunked' };
    for (const extra of [{}, JSON_TYPE, { ...JSON_TYPE, ...chunked }, chunked]) {
      const { status, body } = await askWithBody('', extra);
      expect([status, body]).toMatchObject([200, { item_id: 5, limit: 25 }]);
      expect(body).not.toHaveProperty('warnings');
    }
  });

  it.each([
    [
      'of another type',
      'words=a',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'UNSUPPORTED_CONTENT',
    ],
    ['of no type', '{"words":["a"]}', {}, 'UNSUPPORTED_CONTENT'],
    ['not JSON', '{', JSON_TYPE, 'INVALID_JSON'],
    ['no object', '[]', JSON_TYPE, 'VALIDATION_FAILED'],
  ])('is refused if it is %s', async (_name, sent, extra, code) => {
    expect(await askWithBody(sent, extra)).toMatchObject({ status: 400, body: { error: { code } } });
  });
});

describe('an error over REST', () => {
  it('that is unexpected shows no details, and is logged without secrets', async () => {
    const { url, headers, log } = await serveSample();
    const { status, body } = await call(`${url}/api/v1/items/1`, { method: 'DELETE', headers });
    expect({ status, body }).toEqual({
      status: 500,
      body: {
        error: {
          code: 'INTERNAL',
          status: 500,
          message: 'Something went wrong inside the service.',
          hint: expect.any(String),
          docs: 'http://shop.example/docs#INTERNAL',
        },
      },
    });
    expect(log.join('')).toContain('the secret of mls_[secret]');
    expect(log.join('')).not.toContain('mls_0123456789');
  });

  it.each([
    ['GET', '/'.padEnd(9, 'x')],
    ['GET', '/api/v1/items/1/'],
    ['POST', '/api/v1/items/1'],
    ['PATCH', '/api/v1/items/1'],
    ['OPTIONS', '/api/v1/items/1'],
    ['GET', '/api/v1'],
    ['GET', `/api/v1/items/${'9'.repeat(300)}`],
    ['POST', '/healthz'],
  ])('for %s %s is not found', async (method, path) => {
    const { url, headers } = await serveSample();
    const { status, body } = await call(url + path, { method, headers });
    expect([status, (body as { error: { code: string } }).error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('for the limit per second says how long to wait', async () => {
    const { url, headers } = await serveSample({ per_second: 1 });
    await call(`${url}/api/v1/items/1`, { headers });
    const { status, headers: answered, body } = await call(`${url}/api/v1/items/1`, { headers });
    expect([status, answered.get('retry-after')]).toEqual([429, '1']);
    expect(body).toMatchObject({ error: { code: 'RATE_LIMIT_SECOND' } });
  });

  it('for a rate limit leaves the body unread', async () => {
    const { url, headers } = await serveSample({ per_second: 1 });
    await call(`${url}/api/v1/items/1`, { headers });
    const { status } = await call(`${url}/api/v1/items/1/copies`, {
      method: 'POST',
      headers,
      body: 'not json',
    });
    expect(status).toBe(429);
  });
});

describe('a caller that disconnects', () => {
  it('ends the wait of the call', async () => {
    const { url, headers } = await serveSample();
    const before = aborted.length;
    const controller = new AbortController();
    const waiting = fetch(`${url}/api/v1/items`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"mode":"wait"}',
      signal: controller.signal,
    });
    void abortWhenWaiting(controller);
    await expect(waiting).rejects.toThrow('aborted');
    await expect.poll(() => aborted.length).toBe(before + 1);
  });
});
