import { describe, expect, it } from 'vitest';
import { wantsHtml } from '../../src/transports/http/wants_html.js';
import { listMcpClients } from '../../src/transports/pages/home.js';
import { serveSample } from './sample.js';

/** The headers a browser sends when someone opens an address. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
/** The Accept header that java.net.HttpURLConnection sends by default. */
const JAVA_ACCEPT = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';
const MAX_FRONT_PAGE_BYTES = 60_000;

const listPaths = (page: string) =>
  [...page.matchAll(/ (?:href|src)="(\/[^"#]*)[^"]*"/g)].map(([, path = '']) => path);

const readFront = async (options: object) => (await fetch((await serveSample(options)).url)).text();

describe('the front page', () => {
  it('links to the dashboard, the documentation and both interfaces, and every link works', async () => {
    const { url } = await serveSample({ base_url: 'http://localhost:3000' });
    const page = await (await fetch(url, { headers: BROWSER })).text();
    const paths = listPaths(page);
    expect(paths).toEqual(expect.arrayContaining(['/dashboard', '/docs', '/api/v1/openapi.json']));
    expect(page).toContain('<code>http://localhost:3000/mcp</code>');
    // The dashboard is a separate site, which this sample lacks.
    for (const path of paths.filter((one) => one !== '/dashboard')) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
    }
  });

  it('weighs less than 60 kB with everything it loads', async () => {
    const { url } = await serveSample();
    const page = await (await fetch(url)).text();
    const loaded = new Set(listPaths(page).filter((path) => path.startsWith('/assets/')));
    let bytes = Buffer.byteLength(page);
    for (const path of loaded) bytes += (await (await fetch(url + path)).arrayBuffer()).byteLength;
    expect(loaded.size).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(MAX_FRONT_PAGE_BYTES);
  });

  it('says whether the service uses the sandbox, and whether it is read-only', async () => {
    expect(await readFront({ is_sandbox: true })).toContain('Sandbox: nothing reaches Etsy, no money.');
    const real = await readFront({ is_sandbox: false, is_read_only: true });
    expect(real).not.toContain('Sandbox');
    expect(real).toContain('0.20 USD');
    expect(real).toContain('read-only');
  });

  it.each([true, false])(
    'agrees with every other page on whether it is the sandbox: %s',
    async (isSandbox) => {
      const { url } = await serveSample({ is_sandbox: isSandbox });
      for (const path of [
        '/nope',
        '/upload/unknown',
        '/oauth/authorize',
        '/connect/callback',
        '/docs',
        '/docs/search?q=mug',
      ]) {
        const page = await (await fetch(url + path, { headers: BROWSER })).text();
        expect([path, page.includes('</html>')]).toEqual([path, true]);
        expect([path, page.includes('nothing reaches Etsy')]).toEqual([path, isSandbox]);
      }
    },
  );

  it('is served with a trailing slash as without it, and so are other addresses', async () => {
    const { url } = await serveSample();
    for (const path of ['/docs', '/docs/sellers', '/healthz']) {
      const [plain, slashed] = await Promise.all([fetch(url + path), fetch(`${url}${path}/?from=elsewhere`)]);
      expect([path, slashed.status]).toEqual([path, 200]);
      expect(await slashed.text()).toBe(await plain.text());
      expect(plain.status).toBe(200);
    }
    // Without credentials: /mcp itself refuses, rather than a missing page.
    expect((await fetch(`${url}/mcp/`, { method: 'POST' })).status).toBe(401);
  });

  it('shows each program its configuration in the form that the program reads', () => {
    const url = 'http://127.0.0.1:3000/mcp';
    const texts = Object.fromEntries(
      listMcpClients('http://127.0.0.1:3000').map(({ name, text }) => [name, text]),
    );
    expect(texts['Claude Code']).toBe(`claude mcp add --transport http listing-service ${url}`);
    expect(JSON.parse(texts['Cursor'] ?? '')).toEqual({ mcpServers: { 'listing-service': { url } } });
    expect(JSON.parse(texts['VS Code'] ?? '')).toEqual({
      servers: { 'listing-service': { type: 'http', url } },
    });
  });

  it('links to the programs that install a server from a link', async () => {
    const { url } = await serveSample();
    const page = (await (await fetch(url)).text()).replaceAll('&amp;', '&');
    const [, query = ''] =
      /href="cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?([^"]+)"/.exec(page) ?? [];
    const cursor = new URLSearchParams(query);
    expect(cursor.get('name')).toBe('listing-service');
    const config = Buffer.from(cursor.get('config') ?? '', 'base64').toString();
    const [, code = ''] = /href="vscode:mcp\/install\?([^"]+)"/.exec(page) ?? [];
    const { url: address } = JSON.parse(config) as { url: string };
    expect(address).toMatch(/\/mcp$/);
    expect(JSON.parse(decodeURIComponent(code))).toEqual({
      name: 'listing-service',
      type: 'http',
      url: address,
    });
  });
});

describe('an error', () => {
  const failures: [string, string, RequestInit, number][] = [
    ['an address that is not there', '/nope', {}, 404],
    ['a method that is not there', '/docs', { method: 'POST' }, 404],
    ['a broken escape', '/docs/%zz', {}, 400],
    ['an address that is too long', `/${'x'.repeat(5_000)}`, {}, 404],
    ['another host', '/', { headers: { origin: 'https://else.example' } }, 404],
  ];

  it.each(failures)(
    '(%s) is a page for a browser and the error body for a program',
    async (_what, path, init, status) => {
      const { url } = await serveSample();
      const ask = (headers: Record<string, string>) =>
        fetch(url + path, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } });

      const shown = await ask(BROWSER);
      const page = await shown.text();
      expect([shown.status, shown.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
      expect(page).toMatch(/^<!doctype html>.*<h1>/);
      expect(page).toContain('href="/docs"');
      expect(page).toContain('href="/dashboard"');

      for (const headers of [{}, { accept: 'application/json' }]) {
        const response = await ask(headers as Record<string, string>);
        expect([response.status, response.headers.get('content-type')]).toEqual([
          status,
          'application/json; charset=utf-8',
        ]);
        expect(await response.json()).toMatchObject({ error: { status } });
      }
    },
  );

  it.each<[string, RequestInit, number]>([
    ['/api/v1/items/1', {}, 401],
    ['/api/v1/nope', {}, 404],
    ['/api/v1/items/%zz', {}, 400],
    ['/mcp', {}, 401],
    ['/mcp', { method: 'PATCH' }, 404],
    ['/mcp/nope', {}, 404],
  ])(
    'on a path only for programs is the error body with any Accept header: %s',
    async (path, init, status) => {
      const { url } = await serveSample();
      for (const accept of [BROWSER.accept, JAVA_ACCEPT]) {
        const response = await fetch(url + path, { ...init, headers: { accept } });
        expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([
          status,
          'application/json',
        ]);
        expect(JSON.stringify(await response.json())).not.toContain('There is no page');
      }
    },
  );

  it('of the service itself is a page too, and shows no internals', async () => {
    const { url } = await serveSample({ listTroubles: () => Promise.reject(new Error('the secret of it')) });
    const shown = await fetch(`${url}/readyz`, { headers: BROWSER });
    const page = await shown.text();
    expect(shown.status).toBe(500);
    expect(page).toContain('<h1>Something went wrong</h1>');
    expect(page).not.toContain('secret');
  });

  it('quotes an address as text', async () => {
    const { url } = await serveSample();
    const page = await (await fetch(`${url}/<b>x</b>`, { headers: BROWSER })).text();
    expect(page).not.toContain('<b>');
  });

  it.each([
    ['*/*', false],
    ['', false],
    ['application/json', false],
    ['application/json, text/event-stream', false],
    ['text/html', true],
    [BROWSER.accept, true],
    ['text/html;q=0.4, application/json', false],
    ['text/html, application/json', false],
    ['text/html, application/json;q=0.9', true],
  ])('with Accept "%s" is a page: %s', (accept, expected) => {
    expect(wantsHtml({ accept })).toBe(expected);
  });
});
