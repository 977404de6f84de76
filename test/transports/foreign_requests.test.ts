import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { makeMedia } from '../media/sample.js';
import { startNameServer } from '../media/name_server.js';
import { createGrants } from '../../src/core/identity/grants/grants.js';
import { BASE_URL, openClient, register, REDIRECT } from './log_in.js';
import { openSample, serveSample } from './sample.js';
import { systemRandomness } from '../../src/world/randomness.js';

const TOKEN = 'a-token-of-the-operator';

/** Headers a browser sends for a request that a page of another site makes. */
const EMBEDDED = {
  'an image': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  'a frame': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  'a script': { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
  'a fetch': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
  'a fetch ahead': {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    'sec-purpose': 'prefetch;prerender',
  },
};

const VISITS = {
  'a link of another site': {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  },
  'the address bar': { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  'a page of ours': {
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'no-cors',
    'sec-fetch-dest': 'image',
  },
  'no browser': {},
};

/** fetch sets some of these headers itself. */
async function ask(port: number, path: string, headers: Record<string, string>, method = 'GET') {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    sent.on('error', reject).end();
  });
}

const ROUTES: [method: string, path: string][] = [
  ['GET', '/'],
  ['GET', '/docs'],
  ['GET', '/assets/style.css'],
  ['GET', '/api/v1/items/1'],
  ['GET', '/api/v1/openapi.json'],
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', '/.well-known/oauth-protected-resource'],
  ['GET', '/oauth/authorize'],
  ['POST', '/oauth/register'],
  ['POST', '/oauth/token'],
  ['POST', '/oauth/revoke'],
  ['GET', '/connect/callback'],
  ['GET', '/connect/known/x'],
  ['GET', '/upload/x'],
  ['POST', '/upload/x'],
  ['POST', '/webhooks/marketplace'],
  ['GET', '/metrics'],
  ['GET', '/nothing'],
];

/** A sample that uses a name server that gives this answer for every name. */
async function serveWithNames(answer: 'nothing' | 'silence') {
  const { address, asked } = await startNameServer(() => answer);
  const { media } = await makeMedia({ name_servers: [address] });
  const { store, service } = await openSample();
  const grants = createGrants(
    { randomness: systemRandomness, store, media, ...service },
    { base_url: BASE_URL },
  );
  return { ...(await serveSample({ grants })), asked };
}

describe('a request with a foreign Host or Origin', () => {
  it.each(ROUTES)('is refused at %s %s', async (method, path) => {
    const { port } = await serveSample({ base_url: 'http://127.0.0.1:3000' });
    const refused = expect.stringContaining('The service does not answer requests for this Host or Origin.');
    const foreign: Record<string, string>[] = [
      { host: 'evil.example' },
      { host: `localhost.evil.example:${port}` },
      { host: 'localhost', origin: 'https://evil.example' },
      { host: 'localhost', origin: 'null' },
    ];
    for (const headers of foreign) {
      expect(await ask(port, path, headers, method)).toEqual({ status: 404, text: refused });
    }
    const { text } = await ask(port, path, { host: `localhost:${port}` }, method);
    expect(text).not.toEqual(refused);
  });

  it('registers no client', async () => {
    const sample = await serveSample();
    const { port, url } = sample;
    expect((await register(url, { redirect_uris: [REDIRECT] })).status).toBe(201);
    const { status } = await ask(port, '/oauth/register', { host: 'evil.example' }, 'POST');
    expect(status).toBe(404);
  });

  it('is answered on the probes, and on /metrics with its token', async () => {
    const { port } = await serveSample({}, { metrics_token: TOKEN });
    const host = 'probe.cluster.local';
    expect((await ask(port, '/healthz', { host })).status).toBe(200);
    expect((await ask(port, '/readyz', { host })).status).toBe(200);
    expect((await ask(port, '/metrics', { host, authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    expect((await ask(port, '/metrics', { host })).status).toBe(404);
  });
});

describe("a request from within another site's page", () => {
  it.each(Object.entries(EMBEDDED))('%s is refused', async (_what, headers) => {
    const { port } = await serveSample();
    for (const path of ['/', '/oauth/authorize', '/connect/callback?state=x&code=y', '/upload/x']) {
      const { status, text } = await ask(port, path, headers);
      expect([path, status, text]).toEqual([path, 404, expect.stringContaining('pages of another site')]);
    }
  });

  it.each(Object.entries(VISITS))('does not include %s', async (_what, headers) => {
    const sample = await serveSample();
    const client = await openClient(sample);
    const { pathname, search } = new URL(client.buildUrl());
    const { status, text } = await ask(sample.port, pathname + search, headers);
    expect([status, text]).toEqual([200, expect.stringContaining('name="key"')]);
  });

  it('triggers no name lookup', async () => {
    const { port, asked } = await serveWithNames('nothing');
    const path = `/oauth/authorize?client_id=${encodeURIComponent('https://a1.slow.example/c.json')}`;
    for (const headers of Object.values(EMBEDDED)) await ask(port, path, headers);
    expect(asked).toEqual([]);
    expect((await ask(port, path, VISITS['a link of another site'])).status).toBe(400);
    expect(new Set(asked)).toEqual(new Set(['A a1.slow.example', 'AAAA a1.slow.example']));
  });
});

describe('an address that requests many clients whose host names do not resolve', () => {
  it('is told to retry later, and delays no request that needs no lookup', { timeout: 20_000 }, async () => {
    const sample = await serveWithNames('silence');
    const { port, url, headers } = sample;
    const slow = Array.from({ length: 20 }, (_, n) => {
      const client_id = encodeURIComponent(`https://a${n}.slow.example/c.json`);
      return ask(port, `/oauth/authorize?client_id=${client_id}`, {});
    });
    await expect.poll(() => new Set(sample.asked).size).toBe(8);
    expect((await fetch(`${url}/api/v1/items/1`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    const statuses = (await Promise.all(slow)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(16);
    expect(statuses.filter((status) => status === 400)).toHaveLength(4);
  });
});
