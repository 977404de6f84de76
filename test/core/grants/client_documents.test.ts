import { createServer } from 'node:https';
import type { RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClientDocuments, isClientUrl } from '../../../src/core/grants/client_documents.js';
import { OAuthError } from '../../../src/core/grants/oauth_error.js';
import { chooseResource, listResources } from '../../../src/core/grants/resource.js';
import { buildCertificate } from '../../media/certificate.js';
import { answer, makeMedia, portOf } from '../../media/sample.js';
import { createTestClock } from '../../store/ports.js';

const HOST = 'client.example';
const URIS = ['https://client.example/cb'];

/** A site of client documents, and what asks it. */
async function openSite(onRequest: RequestListener, egress_allow_cidrs = ['127.0.0.0/8']) {
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
  const { media } = await makeMedia({ ca: cert, lookup: answer('127.0.0.1'), egress_allow_cidrs });
  const clock = createTestClock();
  const documents = createClientDocuments({ media, clock });
  const base = `https://${HOST}:${portOf(server)}`;
  return { base, paths, clock, find: (path: string) => findOrCode(documents.find(base + path)) };
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
  it('names itself, and is asked for again after an hour or when it says', async () => {
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

  it('is asked for once by many at the same time, and not again at once when it is not there', async () => {
    let base = '';
    const site = await openSite(({ url }, response) => {
      if (url === '/gone') response.writeHead(404).end();
      else response.end(JSON.stringify({ client_id: `${base}/a`, redirect_uris: URIS }));
    });
    ({ base } = site);
    await Promise.all(Array.from({ length: 20 }, () => site.find('/a')));
    for (let i = 0; i < 20; i += 1) expect(await site.find('/gone')).toContain('status_404');
    expect(site.paths).toEqual(['/a', '/gone']);
    site.clock.advance(30_000);
    await site.find('/gone');
    expect(site.paths).toEqual(['/a', '/gone', '/gone']);
  });

  it.each([
    ['of another URL', { client_id: 'https://client.example/other' }, 'invalid_client'],
    ['without its URL', { client_id: undefined }, 'invalid_client'],
    ['without redirect URIs', { redirect_uris: undefined }, 'invalid_client_metadata'],
    ['with a script as redirect URI', { redirect_uris: ['javascript:1'] }, 'invalid_redirect_uri'],
    ['with a secret', { client_secret: 'x' }, 'invalid_client_metadata'],
    [
      'of a client that proves itself by a secret',
      { token_endpoint_auth_method: 'client_secret_post' },
      'invalid_client_metadata',
    ],
    [
      'of a client that proves itself by a key',
      { token_endpoint_auth_method: 'private_key_jwt' },
      'invalid_client_metadata',
    ],
  ])('%s is refused', async (_name, changes, code) => {
    let base = '';
    const site = await openSite((_request, response) => {
      response.end(JSON.stringify({ client_id: `${base}/a`, redirect_uris: URIS, ...changes }));
    });
    ({ base } = site);
    expect(await site.find('/a')).toMatch(new RegExp(`^${code}:`));
  });

  it('may be a client that can do without its key', async () => {
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
    ['elsewhere', 'status_302', (_q: unknown, response) => response.writeHead(302, { location: '/b' }).end()],
    [
      'compressed',
      'unsupported_encoding',
      (_q: unknown, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    ],
    ['no JSON', 'is no JSON', (_q: unknown, response) => response.end('<html>')],
    ['a list', 'not valid', (_q: unknown, response) => response.end('[]')],
  ] satisfies [string, string, RequestListener][])('that is %s is refused', async (_name, why, onRequest) => {
    const { find } = await openSite(onRequest);
    expect(await find('/a')).toContain(why);
  });

  it('is not fetched from an address inside', async () => {
    const { find, paths } = await openSite((_request, response) => response.end('{}'), []);
    expect(await find('/a')).toContain('blocked_address');
    expect(paths).toEqual([]);
    const { media } = await makeMedia({ egress_allow_cidrs: [] });
    const documents = createClientDocuments({ media, clock: createTestClock() });
    for (const host of ['169.254.169.254', 'localhost', '[::1]', '10.0.0.1', 'metadata.google.internal']) {
      expect(await findOrCode(documents.find(`https://${host}/client.json`))).toContain('blocked_address');
    }
  });

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
  ])('is not at %s', (url) => {
    expect(isClientUrl(url)).toBe(false);
  });
});

describe('the resource', () => {
  it('goes by each name of this computer, and the one that is asked for is told', () => {
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
