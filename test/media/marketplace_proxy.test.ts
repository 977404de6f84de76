import { createServer } from 'node:https';
import { createServer as createTcp, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { findMarketplaceProxy } from '../../src/compose/marketplace_proxy.js';
import { startConnectProxy } from '../marketplace/connect_proxy.js';
import { buildCertificate } from './certificate.js';
import { failureOf, makeMedia } from './sample.js';

/*
 * Behind a proxy, files that the marketplace named on its own hosts go through the proxy; URLs from callers
 * never do.
 */

const HOST = 'i.etsystatic.com';
const PHOTO = `https://${HOST}/photo.jpg`;
const LIMITS = { owner: 'test', limit_bytes: 1_000_000, deadline_ms: 20_000 };

async function open({ location, no_proxy = [] }: { location?: string; no_proxy?: string[] } = {}) {
  const { key, cert } = buildCertificate(HOST);
  const server = createServer({ key, cert }, (request, response) => {
    const isMoved = location !== undefined && request.url === '/photo.jpg';
    if (isMoved) response.writeHead(302, { location }).end();
    else response.end('photo');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const proxy = await startConnectProxy((server.address() as AddressInfo).port);
  onTestFinished(() => proxy.close());
  const proxies = { https_proxy: proxy.url, no_proxy };
  const { media } = await makeMedia({
    egress_allow_cidrs: [],
    ca: cert,
    // No name resolves from here.
    lookup: () => Promise.reject(new Error('ENOTFOUND')),
    findMarketplaceProxy: (address) => findMarketplaceProxy(proxies, address),
  });
  const fetch = (url: string, named_by: 'caller' | 'marketplace', deadline_ms = LIMITS.deadline_ms) =>
    failureOf(media.fetchFile(url, { ...LIMITS, named_by, deadline_ms }));
  return { fetch, listAsked: () => proxy.asked.map(({ target }) => target) };
}

it('a photo of the marketplace is fetched through the proxy, and the same URL from a caller directly', async () => {
  const { fetch, listAsked } = await open();
  expect(await fetch(PHOTO, 'marketplace')).toBe('no failure');
  expect(listAsked()).toEqual([`${HOST}:443`]);
  expect(await fetch(PHOTO, 'caller')).toBe('dns');
  expect(listAsked()).toHaveLength(1);
});

it.each([
  'https://photos.example.com/a.jpg',
  'https://etsystatic.com.example.com/a.jpg',
  'https://notetsystatic.com/a.jpg',
  `http://${HOST}/a.jpg`,
  `https://${HOST}:8443/a.jpg`,
])('the proxy is not used for any other host, scheme or port: %s', async (url) => {
  const { fetch, listAsked } = await open();
  expect(await fetch(url, 'marketplace')).toBe('dns');
  expect(listAsked()).toEqual([]);
});

it('a redirect to another address leaves the proxy', async () => {
  const { fetch, listAsked } = await open({ location: 'https://127.0.0.1/secret' });
  expect(await fetch(PHOTO, 'marketplace')).toBe('blocked_address');
  expect(listAsked()).toEqual([`${HOST}:443`]);
  const own = await open({ location: `https://${HOST}/other.jpg` });
  expect(await own.fetch(PHOTO, 'marketplace')).toBe('dns');
});

it('hosts of NO_PROXY are reached directly', async () => {
  const { fetch, listAsked } = await open({ no_proxy: ['etsystatic.com'] });
  expect(await fetch(PHOTO, 'marketplace')).toBe('dns');
  expect(listAsked()).toEqual([]);
});

it('a download ends at its deadline if the proxy does not open the tunnel', async () => {
  const silent = createTcp((socket) => onTestFinished(() => void socket.destroy()));
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  onTestFinished(() => void silent.close());
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const { media } = await makeMedia({ findMarketplaceProxy: () => url });
  const fetched = media.fetchFile(PHOTO, { ...LIMITS, named_by: 'marketplace', deadline_ms: 300 });
  expect(await failureOf(fetched)).toBe('timeout');
});
