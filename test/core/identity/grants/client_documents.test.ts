import { createServer } from 'node:https';
import type { RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClientDocuments, isClientUrl } from '../../../../src/core/identity/grants/client_documents.js';
import { OAuthError } from '../../../../src/core/identity/grants/oauth_error.js';
import { chooseResource, listResources } from '../../../../src/core/identity/grants/resource.js';
import { buildCertificate } from '../../../media/certificate.js';
import { startNameServer } from '../../../media/name_server.js';
import { answer, LOOPBACK, makeMedia, portOf } from '../../../media/sample.js';
import { createTestClock } from '../../../store/ports.js';
import { createLog } from '../../../../src/world/log.js';

const HOST = 'client.example';
const URIS = ['https://client.example/cb'];

/** The message for every unusable document. */
const UNUSABLE = /^invalid_client: The client metadata document cannot be used\. /;

/** A site with client documents, and a fetcher for them; its address is allowed for documents by default. */
async function openSite(onRequest: RequestListener, { is_freed = true } = {}) {
  const { key, cert } = buildCertificate(HOST);
  const paths: string[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    paths.push(request.url ?? '');
    onRequest(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { media } = await makeMedia({
    ca: cert,
    lookup: answer('127.0.0.1'),
    ...(is_freed && { documents: { egress_allow_cidrs: LOOPBACK } }),
  });
  const clock = createTestClock();
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const documents = createClientDocuments({ media, clock, log });
  const base = `https://${HOST}:${portOf(server)}`;
  return { base, paths, clock, lines, find: (path: string) => findOrCode(documents.find(base + path)) };
}

async function findOrCode(work: Promise<{ name: string }>): Promise<string> {
  try {
    return (await work).name;
  } catch (error) {
    if (error instanceof OAuthError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

describe('a client metadata document', () => {
  it('names its client, and is fetched again after an hour or when it says', async () => {
    const { base, paths, clock, find } = await openSite(({ url = '' }, response) => {
      if (url === '/short') response.setHeader('cache-control', 'max-age=1');
      if (url === '/long') response.setHeader('cache-control', 'max-age=99999999');
      response.end(JSON.stringify({ client_id: base + url, client_name: url, redirect_uris: URIS }));
    });
    const askAll = async () => {
      paths.length = 0;
      for (const path of ['/usual', '/short', '/long']) expect(await find(path)).toBe(path);
      return [...paths];
    };
    expect(await askAll()).toEqual(['/usual', '/short', '/long']);
    expect(await askAll()).toEqual([]);
    clock.advance(5 * 60_000);
    expect(await askAll()).toEqual(['/short']);
    clock.advance(55 * 60_000);
    expect(await askAll()).toEqual(['/usual', '/short']);
    clock.advance(23 * 60 * 60_000);
    expect(await askAll()).toEqual(['/usual', '/short', '/long']);
  });

  it('is fetched once for many concurrent requests, and not again at once if it is missing', async () => {
    let base = '';
    const site = await openSite(({ url }, response) => {
      if (url === '/gone') response.writeHead(404).end();
      else response.end(JSON.stringify({ client_id: `${base}/a`, redirect_uris: URIS }));
    });
    ({ base } = site);
    await Promise.all(Array.from({ length: 20 }, () => site.find('/a')));
    for (let i = 0; i < 20; i += 1) expect(await site.find('/gone')).toMatch(UNUSABLE);
    expect(site.paths).toEqual(['/a', '/gone']);
    site.clock.advance(30_000);
    await site.find('/gone');
    expect(site.paths).toEqual(['/a', '/gone', '/gone']);
  });

  it.each([
    ['of another URL', { client_id: 'https://client.example/other' }],
    ['without its URL', { client_id: undefined }],
    ['without redirect URIs', { redirect_uris: undefined }],
    ['with a script as redirect URI', { redirect_uris: ['javascript:1'] }],
    ['with an unknown scheme as redirect URI', { redirect_uris: ['example-app://callback'] }],
    ['with a secret', { client_secret: 'x' }],
    ['of a client that proves itself by a secret', { token_endpoint_auth_method: 'client_secret_post' }],
    ['of a client that proves itself by a key', { token_endpoint_auth_method: 'private_key_jwt' }],
  ])('%s is refused', async (_name, changes) => {
    let base = '';
    const site = await openSite((_request, response) => {
      response.end(JSON.stringify({ client_id: `${base}/a`, redirect_uris: URIS, ...changes }));
    });
    ({ base } = site);
    expect(await site.find('/a')).toMatch(UNUSABLE);
  });

  it('may describe a client that can work without its key', async () => {
    let base = '';
    const site = await openSite((_request, response) => {
      const methods = {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      };
      response.end(JSON.stringify({ client_id: `${base}/a`, redirect_uris: URIS, ...methods }));
    });
    ({ base } = site);
    expect(await site.find('/a')).toBe(HOST);
  });

  it.each([
    ['huge', 'too_large', (_q: unknown, response) => response.end(`{"a":"${'x'.repeat(1_000_000)}"}`)],
    [
      'a redirect',
      'status_302',
      (_q: unknown, response) => response.writeHead(302, { location: '/b' }).end(),
    ],
    [
      'compressed',
      'unsupported_encoding',
      (_q: unknown, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    ],
    ['not JSON', 'is no JSON', (_q: unknown, response) => response.end('<html>')],
    ['a list', 'not valid', (_q: unknown, response) => response.end('[]')],
  ] satisfies [string, string, RequestListener][])(
    'is refused if it is %s',
    async (_name, why, onRequest) => {
      const { find, lines } = await openSite(onRequest);
      expect(await find('/a')).toMatch(UNUSABLE);
      expect(lines.join()).toContain(why);
    },
  );

  it('is not fetched from an internal address, even if files may be', async () => {
    const { find, paths, lines } = await openSite((_request, response) => response.end('{}'), {
      is_freed: false,
    });
    expect(await find('/a')).toMatch(UNUSABLE);
    expect([paths, lines.join()]).toEqual([[], expect.stringContaining('blocked_address')]);
  });

  it('is refused with the same words whether or not a server is behind its name and port', async () => {
    const { address } = await startNameServer({
      'inside.example': ['10.0.0.5'],
      'mixed.example': ['93.184.216.34', '127.0.0.1'],
    });
    const { media } = await makeMedia({ name_servers: [address] });
    const log = createLog('silent');
    const documents = createClientDocuments({ media, clock: createTestClock(), log });
    const hosts = [
      'inside.example',
      'inside.example:8443',
      'inside.example:22',
      'mixed.example',
      'missing.example',
      'localhost',
      'metadata.google.internal',
      '10.0.0.1',
      '127.0.0.1:8443',
      '169.254.169.254',
      '[::1]',
    ];
    const answers = await Promise.all(
      hosts.map((host) => findOrCode(documents.find(`https://${host}/client.json`))),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(UNUSABLE);
  });

  it('has a bounded queue: a request that finds it full is told to retry', async () => {
    let answered: 'silence' | 'nothing' = 'silence';
    const { address, asked } = await startNameServer(() => answered);
    const { media } = await makeMedia({ name_servers: [address] });
    const documents = createClientDocuments({ media, clock: createTestClock(), log: createLog('silent') });
    const find = (n: number) => documents.find(`https://a${n}.slow.example/client.json`);
    const waiting = Array.from({ length: 40 }, (_, n) => findOrCode(find(n)));
    await expect(find(40)).rejects.toMatchObject({ code: 'RATE_LIMIT_SECOND', retry_after_seconds: 5 });
    const countNames = () => new Set(asked.map((question) => question.split(' ')[1])).size;
    await expect.poll(countNames).toBe(8);
    // Each is fetched again if no answer came, and none of those behind it starts before it has ended.
    await expect.poll(() => asked.length, { timeout: 5_000 }).toBe(32);
    expect(countNames()).toBe(8);
    answered = 'nothing';
    await Promise.all(waiting);
    expect(countNames()).toBe(40);
    await expect(find(41)).rejects.toMatchObject({ code: 'invalid_client' });
  }, 30_000);

  it.each([
    'http://client.example/a',
    'https://client.example',
    'https://client.example/',
    'https://client.example/a#b',
    'https://user@client.example/a',
    'https://client.example/a/../b',
    'https://client.example/./a',
    'https://CLIENT.example/a',
    'https://client.example:443/a',
    `https://client.example/${'a'.repeat(1000)}`,
    'https://',
  ])('is not accepted at %s', (url) => {
    expect(isClientUrl(url)).toBe(false);
  });
});

describe('the resource', () => {
  it('has a URL for each name of this computer, and answers with the one the request used', () => {
    const resources = listResources('http://127.0.0.1:3000');
    expect(resources).toEqual([
      'http://127.0.0.1:3000/mcp',
      'http://localhost:3000/mcp',
      'http://[::1]:3000/mcp',
    ]);
    expect(chooseResource(resources, 'localhost:3000')).toBe('http://localhost:3000/mcp');
    expect(chooseResource(resources, 'evil.example:3000')).toBe('http://127.0.0.1:3000/mcp');
    expect(chooseResource(resources, undefined)).toBe('http://127.0.0.1:3000/mcp');
  });

  it('has one name elsewhere', () => {
    expect(listResources('https://example.com/listings')).toEqual(['https://example.com/listings/mcp']);
  });
});
