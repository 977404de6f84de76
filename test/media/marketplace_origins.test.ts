import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { failureOf, fixture, makeMedia, serve } from './sample.js';

/*
 * No address of this machine is exempt, but files the marketplace named may come from the marketplace's own
 * origin, and no others may.
 */

const LIMITS = { owner: 'test', limit_bytes: 1_000_000, deadline_ms: 20_000 };

async function serveMarketplace(onRequest: RequestListener = (_request, response) => response.end('photo')) {
  const { base_url } = await serve(onRequest);
  const { media } = await makeMedia({
    egress_allow_cidrs: [],
    getMarketplaceOrigins: () => Promise.resolve([base_url]),
  });
  const fetch = (url: string, named_by: 'caller' | 'marketplace') =>
    failureOf(media.fetchFile(url, { ...LIMITS, named_by }));
  return { base_url, media, fetch };
}

it('a file named by the marketplace is fetched from its origin, and the same URL from a caller is refused', async () => {
  const { base_url, fetch } = await serveMarketplace();
  expect(await fetch(`${base_url}/photo.png`, 'marketplace')).toBe('no failure');
  expect(await fetch(`${base_url}/photo.png`, 'caller')).toBe('blocked_address');
});

it('another port, host or scheme is another origin', async () => {
  const { base_url, fetch } = await serveMarketplace();
  const other = await serve((_request, response) => response.end('secret'));
  const { port } = new URL(base_url);
  for (const origin of [other.base_url, `http://localhost:${port}`, `https://127.0.0.1:${port}`]) {
    expect(await fetch(`${origin}/photo.png`, 'marketplace')).toBe('blocked_address');
  }
});

it('a redirect from that origin leads only to public addresses, as from everywhere', async () => {
  const { base_url, fetch } = await serveMarketplace((_request, response) => {
    response.writeHead(302, { location: '/other.png' }).end();
  });
  expect(await fetch(`${base_url}/photo.png`, 'marketplace')).toBe('blocked_address');
});

it('thumbnails are made of files the marketplace named, even if a caller was refused the same URL', async () => {
  const picture = await readFile(fixture('mug-front.jpg'));
  const { base_url, media } = await serveMarketplace((_request, response) => response.end(picture));
  const url = `${base_url}/mug.jpg`;
  expect(await media.findThumbnail({ url, named_by: 'caller' }, 160)).toBeUndefined();
  expect(await media.findThumbnail({ url, named_by: 'marketplace' }, 160)).toBeDefined();
});
